import type { AgentEvent, AgentEventOf, AgentResult } from '../index.ts'
import { duration } from './duration.ts'
import type { Io } from './io.ts'
import type { Notes } from './notes.ts'
import { noteEvent } from './notes.ts'
import type { Output } from './output.ts'
import type { Renderer } from './renderer.ts'
import { controlFilter, withoutControls } from './sanitise.ts'
import { footerOf } from './screen/footer.ts'
import { ScreenRenderer } from './screen/screen-renderer.ts'
import type { SeenChanges } from './screen/seen-changes.ts'
import type { Style } from './style.ts'
import { styleFor } from './style.ts'
import { endOf, fitted, titleOf } from './tool-line.ts'
import { withdrawn } from './withdrawn.ts'

/** How a run is shown to a person: on a terminal that can do more than print, with what moves; else as plain text. */
export function textRenderer({
  io,
  out,
  notes,
  seen,
}: {
  readonly io: Pick<Io, 'stdout' | 'env' | 'clock'>
  readonly out: Output
  readonly notes: Notes
  readonly seen?: SeenChanges | undefined
}): Renderer {
  const style = styleFor(io.stdout, io.env)
  return style.isRich ? new ScreenRenderer({ out, style, notes, clock: io.clock, seen }) : new TextRenderer(out, style, notes)
}

/** The answer as it comes, and a line for each tool call when it starts and when it ends. For streams that can only be written to. */
export class TextRenderer implements Renderer {
  readonly #out: Output
  readonly #style: Style
  readonly #notes: Notes
  #filter = controlFilter()
  /** The message that has text on the screen. */
  #shown: string | undefined
  /** The last message that was shown to its end. */
  #ended: string | undefined
  readonly #titles = new Map<string, string>()
  /** The call whose first line is the last thing on the screen: its end needs no name, unless others run beside it. */
  #last: string | undefined
  #afterTools = false

  constructor(out: Output, style: Style, notes: Notes) {
    this.#out = out
    this.#style = style
    this.#notes = notes
  }

  onEvent(event: AgentEvent): void | Promise<void> {
    switch (event.type) {
      case 'invocation_start':
        this.#afterTools = false
        break
      case 'message_start':
        this.#filter = controlFilter()
        this.#shown = undefined
        break
      case 'text_delta':
        this.#text(event.messageId, this.#filter.push(event.text))
        break
      case 'text_end':
        this.#text(event.messageId, this.#filter.end())
        break
      case 'message_end':
        this.#ended = event.message.id
        this.#out.freshLine()
        break
      case 'message_discarded':
        this.#withdraw(event)
        break
      case 'tool_start':
        this.#start(event)
        break
      case 'tool_end':
        this.#end(event)
        break
      case 'warning':
      case 'retry':
        this.#last = undefined
        noteEvent(this.#notes, event)
        break
    }
    return this.#out.room
  }

  onResult(result: AgentResult): void {
    // An answer that no model streamed: a tool or a hook gave it.
    if (result.stopReason === 'end_turn' && result.message.id !== this.#ended) this.#text(result.message.id, withoutControls(result.text))
    this.#out.freshLine()
    if (this.#out.isTTY) this.#out.line(this.#style.dim(footerOf(result)))
  }

  onError(): void {
    this.#out.freshLine()
  }

  #text(messageId: string, text: string): void {
    // Models like to begin with empty lines.
    const said = this.#shown === messageId ? text : text.replace(/^\n+/, '')
    if (said === '') return
    if (this.#shown !== messageId && this.#afterTools) {
      this.#out.freshLine()
      this.#out.write('\n')
    }
    this.#afterTools = false
    this.#last = undefined
    this.#shown = messageId
    this.#out.write(said)
  }

  #withdraw({ messageId, reason }: AgentEventOf<'message_discarded'>): void {
    if (this.#shown !== messageId) return
    this.#out.freshLine()
    this.#out.line(this.#style.dim(withdrawn(reason)))
    this.#shown = undefined
  }

  #start({ callId, name, input }: AgentEventOf<'tool_start'>): void {
    const title = titleOf(name, input)
    this.#titles.set(callId, title)
    this.#line(this.#style.cyan(this.#style.start), ' ', title)
    this.#last = callId
  }

  #end({ callId, name, result, durationMs, discarded }: AgentEventOf<'tool_end'>): void {
    const { ok, text } = endOf(result)
    const { green, red } = this.#style
    const title = this.#titles.get(callId) ?? name
    const alone = this.#last === callId && this.#titles.size === 1
    this.#titles.delete(callId)
    // The name is short, so that how it ended has its place on the line.
    const who = alone ? '' : `${fitted(title, 40, this.#style.ellipsis)}: `
    const time = `${discarded ? ', not used' : ''}, ${duration(durationMs)}`
    this.#line(`  ${ok ? green(this.#style.ok) : red(this.#style.bad)}`, ` ${who}`, text, time)
    this.#last = undefined
  }

  /** A line of its own, its text cut to what the line has room for. */
  #line(sign: string, before: string, text: string, after = ''): void {
    this.#out.freshLine()
    const room = this.#out.width - before.length - after.length - 4
    this.#out.line(`${sign}${before}${fitted(text, Math.max(room, 20), this.#style.ellipsis)}${after && this.#style.dim(after)}`)
    this.#afterTools = true
  }
}

/** Only the answer, at the end. */
export class AnswerRenderer implements Renderer {
  readonly #out: Output
  readonly #notes: Notes

  constructor(out: Output, notes: Notes) {
    this.#out = out
    this.#notes = notes
  }

  onEvent(event: AgentEvent): void {
    noteEvent(this.#notes, event)
  }

  onResult({ stopReason, text }: AgentResult): void {
    if (stopReason === 'cancelled') return
    this.#out.write(withoutControls(text).replace(/^\n+/, ''))
    this.#out.freshLine()
  }

  onError(): void {}
}
