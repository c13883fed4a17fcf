import type { AgentEvent, AgentResult } from '../index.ts'
import { textOf } from '../index.ts'
import { codeOfStop, exitCodes } from './exit-code.ts'
import type { Notes } from './notes.ts'
import { noteEvent } from './notes.ts'
import type { Output } from './output.ts'
import type { Renderer } from './renderer.ts'
import { safeJson } from './sanitise.ts'

/** One object at the end: a `result`, or an `error`. With `events` also each event of the run, one a line, before it. */
export class JsonRenderer implements Renderer {
  readonly #out: Output
  readonly #notes: Notes
  readonly #events: boolean
  readonly #session: string | undefined

  constructor(out: Output, notes: Notes, { events, session }: { readonly events: boolean; readonly session?: string | undefined }) {
    this.#out = out
    this.#notes = notes
    this.#events = events
    this.#session = session
  }

  onEvent(event: AgentEvent): void | Promise<void> {
    if (!this.#events) return noteEvent(this.#notes, event)
    this.#out.line(safeJson(event))
    return this.#out.room
  }

  onResult(result: AgentResult): void {
    const { stopReason, usage, metrics, message, partial } = result
    const ok = codeOfStop(stopReason) === exitCodes.done
    // The closing note of a cancelled run is for the model; what was said until then is the answer there is.
    const text = stopReason === 'cancelled' ? textOf(partial) : result.text
    const session = this.#session === undefined ? {} : { session: this.#session }
    this.#out.line(safeJson({ type: 'result', ok, stopReason, text, model: message.metadata?.model ?? null, usage, metrics, ...session }))
  }

  onError(error: unknown): void {
    this.#out.line(safeJson(errorObject(error)))
  }
}

/** A failure for programs; a run that had begun adds what it had. */
export function errorObject(error: unknown): object {
  const { code, message, partial } = error as {
    readonly code?: unknown
    readonly message?: unknown
    readonly partial?: { readonly text: string; readonly usage: object }
  }
  return {
    type: 'error',
    ok: false,
    code: typeof code === 'string' ? code : 'unexpected',
    message: typeof message === 'string' ? message : String(error),
    ...(partial && { text: partial.text, usage: partial.usage }),
  }
}
