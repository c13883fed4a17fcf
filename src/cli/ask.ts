import type { Tool } from '../index.ts'
import type { ApprovalAnswer, ApprovalRequest, Rule } from '../permissions/index.ts'
import type { LineReader } from './line-reader.ts'
import { oneAtATime } from './one-question.ts'
import type { Output } from './output.ts'
import { showControls } from './sanitise.ts'
import type { Change } from './screen/change.ts'
import { changeOf } from './screen/change.ts'
import type { SeenChanges } from './screen/seen-changes.ts'
import type { Paint, Style } from './style.ts'
import { counted } from './tool-line.ts'

export type Ask = (request: ApprovalRequest) => Promise<ApprovalAnswer>

export type AskOptions = {
  readonly reader: Pick<LineReader, 'read'>
  /** Where the question goes. */
  readonly to: Output
  /** What else writes to the terminal, and is held back while a question is open. */
  readonly held: readonly Output[]
  readonly style: Style
  /** The folder that paths of inputs begin at: the files are looked at to show what a call would change. Default: no file is looked at. */
  readonly workspace?: string | undefined
  /** Takes note of the differences that were shown. */
  readonly seen?: SeenChanges | undefined
  /** What Ctrl-C does. */
  readonly interrupt: () => void
}

/** Lines of a text that are shown of one that is not a command. */
const maxLines = 10
/** A command is shown whole, for all that one looks at; more than this says so in plain sight. */
const maxCommandLines = 200

/** Asks the person at the terminal whether a call may run. */
export function askAtTerminal(options: AskOptions): Ask {
  return async (request) => (await oneAtATime(options.reader, request.signal, () => askOne(options, request))) ?? false
}

async function askOne(
  { reader, to, held, style, workspace, seen, interrupt }: AskOptions,
  { tool, input, reason, always: rules, signal }: ApprovalRequest,
): Promise<ApprovalAnswer> {
  const change = workspace === undefined ? undefined : await changeOf(tool.name, input, workspace)
  // What cannot be undone is asked for each time, and with no rule "always" is a plain yes: it would promise too much.
  const always = !(await isDestructive(tool, input, signal)) && rules?.length !== 0
  if (signal.aborted) return false
  for (const output of held) output.freshLine()
  to.freshLine()
  to.write(
    `${style.yellow('?')} ${style.bold(showControls(tool.name))} ${style.dim(reason)}\n${change ? changed(change, style) : shown(input, style)}${remembered(rules ?? [])}`,
  )
  if (change) seen?.add(input, change.lines)
  const releases = [...new Set([to, ...held])].map((output) => output.hold())
  const choices = `[y]es${always ? ` / [a]lways${rules ? '' : ` ${showControls(tool.name)}`}` : ''} / [n]o`
  const read = async (prompt: string): Promise<string | undefined> => {
    const line = await reader.read({ prompt, signal, answer: true })
    if (line.kind === 'interrupt') interrupt()
    return line.kind === 'line' ? line.text.trim() : undefined
  }
  try {
    for (let prompt = `  ${choices}: `; ; prompt = `  Please answer y${always ? ', a' : ''} or n: `) {
      const said = await read(prompt)
      if (said === undefined) return false
      const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(said)!
      const letter = word.toLowerCase()
      if ((letter === 'y' || letter === 'yes') && rest === '') return true
      if (always && (letter === 'a' || letter === 'always') && rest === '') return 'always'
      if (letter === 'n' || letter === 'no') return refusal(rest || (await read('  Why not? (Enter for no reason): ')))
    }
  } finally {
    for (const release of releases) release()
  }
}

/** What "always" allows from then on, each rule whole. It stands out of the input, which could look like it. */
const remembered = (rules: readonly Rule[]): string =>
  rules.map(({ tool, pattern }) => `  always: ${showControls(pattern === undefined ? tool : `${tool}(${pattern})`)}\n`).join('')

const refusal = (reason: string | undefined): ApprovalAnswer => ({ approved: false, ...(reason && { reason }) })

async function isDestructive({ isDestructive: flag }: Tool, input: unknown, signal: AbortSignal): Promise<boolean> {
  if (typeof flag !== 'function') return flag === true
  let withdraw = (): void => {}
  const withdrawn = new Promise<undefined>((resolve) => (withdraw = () => resolve(undefined)))
  if (signal.aborted) withdraw()
  signal.addEventListener('abort', withdraw, { once: true })
  try {
    // An answer that is none counts as the careful one, as for the gate.
    return (await Promise.race([flag(input), withdrawn])) !== false
  } catch {
    return true
  } finally {
    signal.removeEventListener('abort', withdraw)
  }
}

/** The input as it will be used, with nothing hidden in it. */
function shown(input: ApprovalRequest['input'], style: Style): string {
  let all = ''
  for (const [key, value] of Object.entries(input)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (text === undefined) continue
    const lines = text.replace(/\n$/, '').split('\n')
    if (lines.length === 1 && key !== 'command') {
      all += `    ${style.dim(`${showControls(key)}:`)} ${cut(lines[0]!, style)}\n`
      continue
    }
    const limit = key === 'command' ? maxCommandLines : maxLines
    if (key !== 'command')
      all += `    ${style.dim(`${showControls(key)} (${counted(lines.length, 'line')}, ${counted(text.length, 'character')}):`)}\n`
    for (const line of lines.slice(0, limit)) all += `    ${key === 'command' ? showControls(line, '\t') : cut(line, style)}\n`
    if (lines.length > limit) all += `    ${style.yellow(`${style.ellipsis} ${counted(lines.length - limit, 'more line')}, not shown`)}\n`
  }
  return all
}

/** Lines of a difference that are shown: as many as one reads. */
const maxDiffLines = 60

/** What a call would change: what goes, what comes, and where. */
function changed({ path, summary, lines }: Change, style: Style): string {
  const paints: Readonly<Record<string, Paint>> = { '+': style.green, '-': style.red, '@': style.cyan }
  const shown = lines.slice(0, maxDiffLines).map((line) => `    ${(paints[line[0] ?? ''] ?? plainly)(cut(line, style))}\n`)
  const rest = lines.length - shown.length
  return `    ${showControls(path)} ${style.dim(summary)}\n${shown.join('')}${
    rest > 0 ? `    ${style.yellow(`${style.ellipsis} ${counted(rest, 'more line')}, not shown`)}\n` : ''
  }`
}

const plainly: Paint = (text) => text

/** Characters of one line that are shown, outside of commands. */
const maxChars = 300

function cut(line: string, style: Style): string {
  const left = line.length - maxChars
  return left <= 0
    ? showControls(line, '\t')
    : `${showControls(line.slice(0, maxChars), '\t')}${style.yellow(`${style.ellipsis} ${counted(left, 'more character')}, not shown`)}`
}
