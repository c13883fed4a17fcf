import type { AgentEventOf, JsonObject, JsonValue, ToolResultBlock } from '../../index.ts'
import { duration } from '../duration.ts'
import { showControls, withoutControls } from '../sanitise.ts'
import type { Style } from '../style.ts'
import type { CallEnd } from '../tool-line.ts'
import { counted, endOf, fitted, linesOf, titleOf, wordFor } from '../tool-line.ts'
import { changesIn, previewOf, withoutGap } from './preview.ts'
import type { SeenChanges } from './seen-changes.ts'
import { displayWidth } from './width.ts'

type Call = {
  readonly title: string
  readonly input: JsonObject
  readonly startedAt: number
  said: string
  progress: JsonValue | undefined
}

/** Running calls that have a row of their own; more are counted. */
const mostShown = 8

/** The calls that run, as rows that change; and each that has ended, as rows that stay. */
export class Calls {
  readonly #style: Style
  readonly #seen: SeenChanges | undefined
  readonly #running = new Map<string, Call>()

  constructor(style: Style, seen?: SeenChanges) {
    this.#style = style
    this.#seen = seen
  }

  get count(): number {
    return this.#running.size
  }

  clear(): void {
    this.#running.clear()
  }

  start({ callId, name, input }: AgentEventOf<'tool_start'>, now: number): void {
    this.#running.set(callId, { title: titleOf(name, input), input, startedAt: now, said: '', progress: undefined })
  }

  progress({ callId, value }: AgentEventOf<'tool_progress'>): void {
    const call = this.#running.get(callId)
    if (!call) return
    call.progress = value
    call.said = lastLine(value)
  }

  /** What a sub-agent does is the progress of the call that it is. */
  nested({ path, event }: AgentEventOf<'agent_event'>): void {
    const call = this.#running.get(path[0] ?? '')
    if (call && event.type === 'tool_start') call.said = titleOf(event.name, event.input)
    else if (event.type === 'agent_event') this.nested({ ...event, path: [path[0] ?? ''] })
  }

  /** One row for each call, and one for what it last said. */
  rows(width: number, now: number, sign: string): readonly string[] {
    const { cyan, dim, ellipsis } = this.#style
    const rows: string[] = []
    for (const { title, startedAt, said } of [...this.#running.values()].slice(0, mostShown)) {
      const seconds = Math.floor((now - startedAt) / 1000)
      const time = seconds > 0 ? ` ${duration(seconds * 1000).replace('.0 s', ' s')}` : ''
      rows.push(`${cyan(sign)} ${fitted(title, Math.max(4, width - 2 - time.length), ellipsis)}${dim(time)}`)
      if (said !== '') rows.push(`    ${dim(fitted(said, Math.max(4, width - 4), ellipsis))}`)
    }
    if (this.#running.size > mostShown) rows.push(dim(`  ${ellipsis} ${counted(this.#running.size - mostShown, 'more call')}`))
    return rows
  }

  /** The rows of a call that has ended. */
  end({ callId, name, result, durationMs, discarded }: AgentEventOf<'tool_end'>, width: number): readonly string[] {
    const { green, red, dim, ok, bad, ellipsis } = this.#style
    const call = this.#running.get(callId)
    this.#running.delete(callId)
    const input = call?.input ?? {}
    const end = typeof input['command'] === 'string' ? endOfCommand(result) : endOfOther(result)
    const sign = end.ok ? green(ok) : red(bad)
    const title = call?.title ?? showControls(name)
    const time = `, ${discarded ? 'not used, ' : ''}${duration(durationMs)}`
    const said = (text: string): string => `${end.ok ? dim(text) : text}${dim(time)}`
    const room = width - 2 - displayWidth(title) - 2
    const fits = displayWidth(end.text) + time.length <= room
    const rows = fits
      ? [`${sign} ${title}  ${said(end.text)}`]
      : [
          `${sign} ${fitted(title, Math.max(4, width - 2), ellipsis)}`,
          `    ${said(fitted(end.text, Math.max(4, width - 4 - time.length), ellipsis))}`,
        ]
    if (discarded) return rows
    return [...rows, ...previewOf(input, result, end.ok ? call?.progress : undefined, { width, style: this.#style, seen: this.#seen })]
  }
}

/** What it has changed, or what it gave. */
function endOfOther(result: ToolResultBlock): CallEnd {
  const changes = result.status === 'success' ? changesIn(linesOf(result)) : undefined
  return changes === undefined ? endOf(result) : { ok: true, text: changes }
}

/** How a command ended: with what code, or how much it said. */
function endOfCommand(result: ToolResultBlock): CallEnd {
  const [first = '', ...output] = linesOf(result)
  const code = /^exit_code: (-?\d+)/.exec(first)?.[1]
  if (code === undefined) return endOf(result)
  // How it was ended says more than the code that this gave it.
  if (result.status === 'error')
    return { ok: false, text: result.code === 'cancelled' || result.code === 'timeout' ? wordFor(result) : `exit code ${code}` }
  const { lines, chars } = withoutGap(output)
  return { ok: true, text: lines.length === 0 ? 'no output' : `${chars > 0 ? 'more than ' : ''}${counted(lines.length, 'line')}` }
}

/** The newest thing that a progress value says, in one line. */
function lastLine(value: JsonValue): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') {
    const { message, text } = (value ?? {}) as { readonly message?: unknown; readonly text?: unknown }
    const said = message ?? text
    return typeof said === 'string' ? lastLine(said) : ''
  }
  const lines = withoutControls(value).split('\n')
  return showControls((lines.findLast((line) => line.trim() !== '') ?? '').trim().replaceAll('\t', ' '))
}
