import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** While somebody still holds the output of a command that has ended, it is read until it is silent for this long … */
const silenceMs = 200
/** … but no longer than this. */
const drainMs = 2000

/** The output of a command, as text. A character is never cut. */
export class Output {
  hasEnded = false
  readonly ended: Promise<void>
  readonly #stream: Readable
  readonly #decoder = new StringDecoder('utf8')
  readonly #onOutput: (text: string) => void
  #bytes = 0

  constructor(stream: Readable, onOutput: (text: string) => void) {
    this.#stream = stream
    this.#onOutput = onOutput
    this.ended = new Promise((resolve) => {
      stream.once('close', () => {
        this.hasEnded = true
        resolve()
      })
    })
    // The end of a connection that broke is an end like any other.
    stream.on('error', () => {}).on('data', this.#take)
  }

  /** Waits for the rest. If somebody may hold it, silence is an end, too. */
  async drain(isHeld: boolean, enough: Promise<unknown>): Promise<void> {
    let isOver = false
    const over = within(drainMs, Promise.race([this.ended, enough])).then(() => void (isOver = true))
    for (let before = -1; !isOver && !(isHeld && before === this.#bytes);) {
      before = this.#bytes
      await within(silenceMs, over)
    }
  }

  /** Takes no more of it. Who still writes is not disturbed by that, and keeps this program not awake. */
  leave(): void {
    this.#stream.off('data', this.#take)
    const rest = this.#decoder.end()
    if (rest !== '') this.#onOutput(rest)
    this.#stream.resume()
    ;(this.#stream as Readable & { unref?(): void }).unref?.()
  }

  readonly #take = (bytes: Buffer): void => {
    this.#bytes += bytes.length
    const text = this.#decoder.write(bytes)
    if (text !== '') this.#onOutput(text)
  }
}

/** What comes of a promise, or `undefined` after that time. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer
  try {
    return await Promise.race([promise, new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms)))])
  } finally {
    clearTimeout(timer)
  }
}
