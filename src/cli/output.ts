import type { OutputStream } from './io.ts'

/** What a stream says when its reader went away. Everything else is a failure: a full disk, for one. */
const readerLeft: readonly (string | undefined)[] = ['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_PREMATURE_CLOSE']

/** Text to a stream. Knows whether a line has begun, can be held back, and takes note when nobody reads any more. */
export class Output {
  readonly #stream: OutputStream
  readonly #closed = new AbortController()
  readonly #onError = (error: NodeJS.ErrnoException): void => {
    if (!readerLeft.includes(error.code)) this.#failure ??= error
    this.#closed.abort(error)
  }
  #failure: Error | undefined
  #atLineStart = true
  #held: string[] | undefined
  #room: Promise<void> | undefined

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
    else this.#send(text)
  }

  line(text: string): void {
    this.write(`${text}\n`)
  }

  /** Ends a line that has begun. */
  freshLine(): void {
    if (!this.#atLineStart) this.write('\n')
  }

  /** Set while the reader is behind: what writes much waits for it. */
  get room(): Promise<void> | undefined {
    return this.#room
  }

  /** Keeps what is written until the function that comes back is called: somebody else has the terminal. */
  hold(): () => void {
    const held: string[] = (this.#held ??= [])
    return () => {
      if (this.#held !== held) return
      this.#held = undefined
      if (held.length > 0) this.#send(held.join(''))
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
    if (this.closed.aborted || this.#stream.write(text)) return
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
