import type { Lexer } from 'marked'
import type { AgentEvent, AgentEventOf, AgentResult, Clock } from '../../index.ts'
import { duration } from '../duration.ts'
import type { Notes } from '../notes.ts'
import { noteEvent } from '../notes.ts'
import type { Output } from '../output.ts'
import type { Renderer } from '../renderer.ts'
import { controlFilter, withoutControls } from '../sanitise.ts'
import type { Style } from '../style.ts'
import { withdrawn } from '../withdrawn.ts'
import { Calls } from './calls.ts'
import { footerOf } from './footer.ts'
import { Frames } from './frames.ts'
import { MarkdownStream } from './markdown/markdown-stream.ts'
import type { SeenChanges } from './seen-changes.ts'
import { clip } from './width.ts'
import { wrap } from './wrap.ts'

/** Longer lines are hard to read. */
const widest = 120

export type ScreenOptions = {
  readonly out: Output
  readonly style: Style
  readonly notes: Notes
  readonly clock: Clock
  /** Differences that need not be shown again. */
  readonly seen?: SeenChanges | undefined
}

type Section = 'nothing' | 'text' | 'calls'

/**
 * A run on a terminal: markdown as it comes, calls with what they are at. What is finished is written once and belongs to the
 * terminal from then on; only the rows below it change: the paragraph that is being written, the calls that run, and how long it takes.
 */
export class ScreenRenderer implements Renderer {
  readonly #out: Output
  readonly #style: Style
  readonly #notes: Notes
  readonly #clock: Clock
  readonly #frames: Frames
  readonly #calls: Calls
  readonly #loading: Promise<void>
  #lexer: typeof Lexer | undefined
  /** Events that came before the lexer was loaded. */
  #early: AgentEvent[] = []

  #filter = controlFilter()
  #stream: MarkdownStream | undefined
  /** The message that has text on the screen, and the last one that was shown to its end. */
  #shown: string | undefined
  #ended: string | undefined
  /** What the message that is being shown has of finished rows. */
  #hasFinishedText = false
  #section: Section = 'nothing'
  /** Whole lines for the next frame. */
  #finished = ''
  #open: { readonly rows: readonly string[]; readonly width: number } | undefined

  #isThinking = false

  constructor({ out, style, notes, clock, seen }: ScreenOptions) {
    this.#out = out
    this.#style = style
    this.#notes = notes
    this.#clock = clock
    this.#calls = new Calls(style, seen)
    // What is finished stands before what others write, though its frame has not come yet.
    this.#frames = new Frames({ out, clock, draw: (now) => this.#draw(now), onTurn: () => this.#flush() })
    // While the model is waited for: what only shows an answer need not be there before.
    this.#loading = import('marked').then(({ Lexer }) => {
      this.#lexer = Lexer
      const early = this.#early
      this.#early = []
      for (const event of early) this.#take(event)
    })
  }

  onEvent(event: AgentEvent): void | Promise<void> {
    if (!this.#lexer) {
      this.#early.push(event)
      return this.#loading
    }
    this.#take(event)
    return this.#out.room
  }

  async onResult(result: AgentResult): Promise<void> {
    await this.#loading
    // An answer that no model streamed: a tool or a hook gave it.
    if (result.stopReason === 'end_turn' && result.message.id !== this.#ended) {
      this.#text(result.message.id, withoutControls(result.text))
      this.#endText()
    }
    this.#stop()
    for (const row of wrap([{ text: footerOf(result) }], this.#width)) this.#out.line(this.#style.dim(row.map(({ text }) => text).join('')))
  }

  async onError(): Promise<void> {
    await this.#loading
    this.#stop()
  }

  get #width(): number {
    return Math.max(4, Math.min(this.#out.width - 1, widest))
  }

  #take(event: AgentEvent): void {
    switch (event.type) {
      case 'invocation_start':
        return this.#start()
      case 'message_start':
        this.#filter = controlFilter()
        this.#shown = undefined
        this.#isThinking = false
        break
      case 'reasoning_start':
        this.#isThinking = true
        break
      case 'text_delta':
        this.#isThinking = false
        this.#text(event.messageId, this.#filter.push(event.text))
        break
      case 'text_end':
        this.#text(event.messageId, this.#filter.end())
        break
      case 'message_end':
        this.#ended = event.message.id
        this.#endText()
        break
      case 'message_discarded':
        this.#withdraw(event)
        break
      case 'tool_start':
        this.#endText()
        this.#calls.start(event, this.#clock.now())
        break
      case 'tool_progress':
        this.#calls.progress(event)
        break
      case 'agent_event':
        this.#calls.nested(event)
        break
      case 'tool_end':
        this.#begin('calls')
        this.#finish(this.#calls.end(event, this.#width))
        break
      case 'warning':
      case 'retry':
        this.#flush()
        noteEvent(this.#notes, event)
        break
      default:
        return
    }
    if (this.#frames.isRunning) this.#frames.changed()
    else this.#flush()
  }

  #start(): void {
    this.#stop()
    this.#section = 'nothing'
    this.#frames.start()
  }

  /** The run is over: what is finished is written, and nothing moves any more. */
  #stop(): void {
    this.#endText()
    this.#frames.stop()
    this.#calls.clear()
    this.#flush()
    this.#out.freshLine()
  }

  #text(messageId: string, text: string): void {
    // Models like to begin with empty lines.
    const said = this.#shown === messageId ? text : text.replace(/^\s*\n/, '')
    if (said === '') return
    if (this.#shown !== messageId || !this.#stream) {
      this.#endText()
      this.#stream = new MarkdownStream(this.#lexer!)
      this.#shown = messageId
      this.#hasFinishedText = false
    }
    this.#open = undefined
    this.#finishText(this.#stream.push(said, this.#width))
  }

  /** What is open of the text is complete now. */
  #endText(): void {
    const rows = this.#stream?.end(this.#width) ?? []
    this.#stream = undefined
    this.#open = undefined
    this.#finishText(rows)
  }

  #finishText(rows: readonly string[]): void {
    if (rows.length === 0) return
    if (!this.#hasFinishedText) this.#begin('text')
    this.#hasFinishedText = true
    this.#finish(rows)
  }

  /** Texts and calls stand apart; a call follows a call without an empty row. */
  #begin(section: Section): void {
    if (this.#section !== 'nothing' && (section === 'text' || this.#section !== section)) this.#finish([''])
    this.#section = section
  }

  #finish(rows: readonly string[]): void {
    if (rows.length > 0) this.#finished += `${rows.join('\n')}\n`
  }

  #withdraw({ messageId, reason }: AgentEventOf<'message_discarded'>): void {
    if (this.#shown !== messageId) return
    const isGone = reason === 'retry' || reason === 'fallback'
    // What nobody has seen finished is simply taken back.
    if (isGone && !this.#hasFinishedText) {
      this.#stream = undefined
      this.#open = undefined
    } else {
      this.#endText()
      this.#finish([this.#style.dim(clip(withdrawn(reason), this.#width))])
    }
    this.#shown = undefined
  }

  /** Writes what is finished, and takes the live rows away until the next frame. */
  #flush(): void {
    this.#out.live([], this.#finished)
    this.#finished = ''
  }

  #draw(now: number): void {
    const finished = this.#finished
    this.#finished = ''
    this.#out.live(this.#liveRows(now), finished)
  }

  #liveRows(now: number): readonly string[] {
    const width = this.#width
    const sign = this.#frames.sign(now)
    const text = this.#openRows(width)
    const calls = this.#calls.rows(width, now, sign)
    const rows: string[] = []
    const separate = (section: Section, some: readonly string[]): void => {
      const last = rows.length > 0 ? 'text' : this.#section
      const isBegun = section === 'text' && this.#hasFinishedText
      if (some.length > 0 && last !== 'nothing' && last !== section && !isBegun) rows.push('')
      rows.push(...some)
    }
    separate('text', text)
    separate('calls', calls)
    return [...rows, ...this.#status(now, sign, rows.length > 0)]
  }

  #openRows(width: number): readonly string[] {
    if (this.#open?.width !== width) this.#open = { width, rows: this.#stream?.open(width) ?? [] }
    return this.#open.rows
  }

  /** What the run is at, and how long it takes. */
  #status(now: number, sign: string, hasRows: boolean): readonly string[] {
    const { dim, cyan } = this.#style
    const what = this.#calls.count > 0 ? 'Running' : this.#stream ? 'Writing' : this.#isThinking ? 'Thinking' : 'Waiting for the model'
    const seconds = Math.floor(this.#frames.elapsed(now) / 1000)
    const time = seconds > 0 ? ` ${duration(seconds * 1000).replace('.0 s', ' s')}` : ''
    const text = clip(`${what}${time} · Ctrl-C cancels`, this.#width - 2)
    return [...(hasRows || this.#section !== 'nothing' ? [''] : []), `${cyan(sign)} ${dim(text)}`]
  }
}
