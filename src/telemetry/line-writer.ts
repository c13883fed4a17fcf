import { constants } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AgentError } from '../errors.ts'

export type LineWriterOptions = {
  readonly path: string
  readonly maxBytes: number
  /** The last line of a file that is as long as it may be. */
  readonly lastLine: () => string
  /** Told once, and then nothing more is written. */
  readonly onError: (error: unknown) => void
}

/** Not every system has them. */
const notThrough = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** What may wait for a slow disk, in bytes. More than that is a disk that does not work. */
const mostWaiting = 16 * 1024 * 1024

/**
 * Appends lines to a file that only its owner can read. Nobody waits for the disk: lines that come while it is at work are written together, next.
 * Between two of them the file is not open, so that there is nothing to close.
 */
export class LineWriter {
  readonly #options: LineWriterOptions
  #waiting: string[] = []
  #waitingBytes = 0
  #bytes: number | undefined
  #writing: Promise<void> | undefined
  #isFull = false

  constructor(options: LineWriterOptions) {
    this.#options = options
  }

  /** Nothing more is written: the file is as long as it may be, or it cannot be written. */
  get isFull(): boolean {
    return this.#isFull
  }

  write(line: string): void {
    if (this.#isFull) return
    this.#waiting.push(line)
    this.#waitingBytes += line.length
    if (this.#waitingBytes > mostWaiting)
      return this.#fail(new AgentError('The disk is too slow for the trace; the rest of it is lost.', { code: 'trace_lost' }))
    this.#writing ??= this.#writeAll()
  }

  /** Resolves when all that was given is written, or cannot be. */
  async written(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && !this.#isFull) {
        const lines = this.#waiting
        this.#waiting = []
        this.#waitingBytes = 0
        await this.#append(lines)
      }
    } catch (error) {
      this.#fail(error)
    } finally {
      // With the last look at what waits: a line that comes one step later begins anew.
      this.#writing = undefined
    }
  }

  async #append(lines: readonly string[]): Promise<void> {
    const { path, maxBytes, lastLine } = this.#options
    if (this.#bytes === undefined) await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const { O_APPEND, O_CREAT, O_WRONLY } = constants
    // Not through a link, and not into a pipe that nobody reads.
    const file = await open(path, O_APPEND | O_CREAT | O_WRONLY | notThrough, 0o600)
    try {
      if (this.#bytes === undefined) {
        const stats = await file.stat()
        if (!stats.isFile()) throw new AgentError(`${JSON.stringify(path)} is no file.`, { code: 'trace_no_file' })
        if (stats.mode & 0o077) await file.chmod(0o600)
        this.#bytes = stats.size
      }
      let text = ''
      for (const line of lines) {
        this.#bytes += Buffer.byteLength(line) + 1
        if (this.#bytes > maxBytes) {
          this.#isFull = true
          text += `${lastLine()}\n`
          break
        }
        text += `${line}\n`
      }
      await file.appendFile(text)
    } finally {
      await file.close()
    }
  }

  #fail(error: unknown): void {
    if (this.#isFull) return
    this.#isFull = true
    this.#waiting = []
    this.#options.onError(error)
  }
}
