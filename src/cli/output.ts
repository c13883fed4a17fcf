import type { OutputStream } from './io.ts'
import { LiveRegion } from './screen/live-region.ts'
import { undoAtEnd } from './screen/restore.ts'

/** What a stream says when its reader went away. Everything else is a failure: a full disk, for one. */
const readerLeft: readonly (string | undefined)[] = ['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_PREMATURE_CLOSE']

const cursor = { shown: '\u001b[?25h', hidden: '\u001b[?25l' } as const

/**
 * Text to a stream. Knows whether a line has begun, can be held back, and takes note when nobody reads any more. On a terminal it
 * may have rows below its text that change in place.
 */
export class Output {
  readonly #stream: OutputStream
  readonly #closed = new AbortController()
  readonly #onError = (error: NodeJS.ErrnoException): void => {
    // Of a terminal it means that its window was closed; of a file that the disk is broken.
    const isGone = readerLeft.includes(error.code) || (this.isTTY && error.code === 'EIO')
    if (!isGone) this.#failure ??= error
    this.#closed.abort(error)
  }
  #failure: Error | undefined
  #atLineStart = true
  #held: string[] | undefined
  #holders = 0
  #room: Promise<void> | undefined
  readonly #region = new LiveRegion()
  #live: readonly string[] = []
  #beforeOthers: (() => void) | undefined
  /** Set while the cursor is hidden: it need not be shown at the end any more. */
  #showCursor: (() => void) | undefined

  constructor(stream: OutputStream) {
    this.#stream = stream
    stream.on('error', this.#onError)
  }

  get isTTY(): boolean {
    return this.#stream.isTTY === true
  }

  /** Columns to write in; 100 when it is no terminal or does not say. */
  get width(): number {
    return (this.isTTY && this.#stream.columns) || 100
  }

  /** Columns that text is to be broken at, between words. Elsewhere than on a terminal a line is a line, for whoever searches it. */
  get wrapWidth(): number {
    return this.isTTY ? this.width - 1 : Infinity
  }

  /** Rows of the terminal; 24 when it does not say. */
  get height(): number {
    return this.#stream.rows || 24
  }

  /** Calls the listener when the terminal got another size; the function that comes back takes it away. */
  onResize(listener: () => void): () => void {
    this.#stream.on('resize', listener)
    return () => void this.#stream.off('resize', listener)
  }

  /** Fires when nothing can be written any more: the reader went away (a closed pipe), or writing failed. */
  get closed(): AbortSignal {
    return this.#closed.signal
  }

  /** Why writing failed, unless it was the reader who went away. */
  get failure(): Error | undefined {
    return this.#failure
  }

  write(text: string): void {
    if (text === '') return
    this.#atLineStart = text.endsWith('\n')
    if (this.#held) this.#held.push(text)
    else this.#send(`${this.#region.erase(this.width)}${text}${this.#atLineStart ? this.#drawn() : ''}`)
  }

  /**
   * Rows that stand below everything written until others take their place; none takes them away. Each at most as wide as the
   * terminal; of more rows than the terminal has, the last are shown. The cursor is hidden while there are any.
   *
   * @param finished text that is written above them in the same step: whole lines.
   */
  live(rows: readonly string[], finished = ''): void {
    this.#live = rows
    if (this.#held || !this.#atLineStart) this.write(finished)
    else this.#send(finished === '' ? this.#drawn() : `${this.#region.erase(this.width)}${finished}${this.#drawn()}`)
  }

  /** Writes the live rows anew where the cursor is: somebody else may have written since, so nothing above it is touched. */
  redraw(): void {
    if (this.#held || !this.#region.isDrawn) return
    this.#region.forget()
    this.#showCursor?.()
    this.#showCursor = undefined
    this.#send(`\r\u001b[J${this.#drawn()}`)
  }

  #drawn(): string {
    const rows = this.#live.slice(-Math.max(1, this.height - 1))
    return `${this.#region.draw(rows, this.width)}${this.#cursor(rows.length === 0)}`
  }

  /** The live rows go from the screen until there are new ones, or something is written. */
  #cleared(): string {
    return `${this.#region.erase(this.width)}${this.#cursor(true)}`
  }

  /** What shows or hides the cursor, if it is not as wanted yet. However the program ends, it is shown again. */
  #cursor(shown: boolean): string {
    if (shown === (this.#showCursor === undefined)) return ''
    if (!shown) {
      this.#showCursor = undoAtEnd(() => void this.#stream.write(`${this.#region.erase(this.width)}${cursor.shown}`))
      return cursor.hidden
    }
    this.#showCursor!()
    this.#showCursor = undefined
    return cursor.shown
  }

  line(text: string): void {
    this.write(`${text}\n`)
  }

  /**
   * Calls the listener when somebody else is about to write: what was to be written before it must be written then. The function that
   * comes back takes it away.
   */
  onTurn(listener: () => void): () => void {
    this.#beforeOthers = listener
    return () => {
      if (this.#beforeOthers === listener) this.#beforeOthers = undefined
    }
  }

  /** Ends a line that has begun: somebody else may write now. */
  freshLine(): void {
    this.#beforeOthers?.()
    if (!this.#atLineStart) this.write('\n')
    if (!this.#held) this.#send(this.#cleared())
  }

  /** Set while the reader is behind: what writes much waits for it. */
  get room(): Promise<void> | undefined {
    return this.#room
  }

  /** Keeps what is written until the function that comes back is called, and those of all others who hold it: somebody else has the terminal. */
  hold(): () => void {
    if (!this.#held) this.#send(this.#cleared())
    this.#held ??= []
    this.#holders++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      if (--this.#holders > 0) return
      const held = this.#held ?? []
      this.#held = undefined
      this.#send(`${held.join('')}${this.#atLineStart ? this.#drawn() : ''}`)
    }
  }

  /** Resolves when everything written was handed over, or never can be. */
  taken(): Promise<void> {
    return new Promise((resolve) => {
      if (this.closed.aborted) return resolve()
      const done = (): void => {
        this.closed.removeEventListener('abort', done)
        resolve()
      }
      this.closed.addEventListener('abort', done)
      this.#stream.write('', done)
    })
  }

  dispose(): void {
    this.#stream.off('error', this.#onError)
  }

  #send(text: string): void {
    if (text === '' || this.closed.aborted || this.#stream.write(text)) return
    this.#room ??= new Promise((resolve) => {
      const done = (): void => {
        this.#stream.off('drain', done)
        this.closed.removeEventListener('abort', done)
        this.#room = undefined
        resolve()
      }
      this.#stream.on('drain', done)
      this.closed.addEventListener('abort', done)
    })
  }
}
