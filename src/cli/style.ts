import type { Environment, OutputStream } from './io.ts'

export type Paint = (text: string) => string

/** How a stream is written to: with colours and signs, or in plain ASCII. */
export type Style = {
  /** Can the screen be more than written to? */
  readonly isRich: boolean
  readonly dim: Paint
  readonly bold: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
  readonly start: string
  readonly ok: string
  readonly bad: string
  readonly ellipsis: string
  /** Steps of a plan by how far they are. */
  readonly steps: Readonly<Record<'pending' | 'in_progress' | 'done', string>>
}

const sgr =
  (on: number, off: number): Paint =>
  (text) =>
    `\u001b[${on}m${text}\u001b[${off}m`
const plain: Paint = (text) => text

const rich: Style = {
  isRich: true,
  dim: sgr(2, 22),
  bold: sgr(1, 22),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  cyan: sgr(36, 39),
  start: '●',
  ok: '✓',
  bad: '✗',
  ellipsis: '…',
  steps: { pending: '☐', in_progress: '▸', done: '☑' },
}
const ascii: Style = {
  isRich: false,
  dim: plain,
  bold: plain,
  red: plain,
  green: plain,
  yellow: plain,
  cyan: plain,
  start: '*',
  ok: 'ok',
  bad: 'x',
  ellipsis: '...',
  steps: { pending: '[ ]', in_progress: '[>]', done: '[x]' },
}

/** Plain when it is no terminal, a dumb one, or `NO_COLOR` is set to anything. */
export function styleFor(stream: OutputStream, env: Environment): Style {
  return stream.isTTY === true && env['TERM'] !== 'dumb' && !env['NO_COLOR'] ? rich : ascii
}
