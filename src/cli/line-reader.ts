import { createInterface } from 'node:readline'
import type { InputStream, OutputStream } from './io.ts'

export type ReadLineOptions = {
  readonly prompt: string
  /** Nobody waits for the line any more. */
  readonly signal: AbortSignal
  /**
   * An answer to a question that was just asked: what was typed or pasted before it does not count, nor does it go to the
   * history, and Ctrl-C interrupts even when something is typed already.
   */
  readonly answer?: boolean | undefined
}

export type LineRead =
  | { readonly kind: 'line'; readonly text: string }
  /** Ctrl-D, or the terminal went away. */
  | { readonly kind: 'end' }
  /** Ctrl-C. */
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'aborted' }

/**
 * Reads lines from the keyboard. The terminal is raw only while a line is read: in between Ctrl-C is a signal, and a program
 * that ends badly leaves nothing behind.
 */
export class LineReader {
  readonly #input: InputStream
  readonly #output: OutputStream
  /** Lines that came in one piece with the one that was read (pasted text). */
  #waiting: string[] = []
  /** The beginning of a line that came in that piece too. */
  #begun = ''
  #history: string[] = []

  constructor(input: InputStream, output: OutputStream) {
    this.#input = input
    this.#output = output
  }

  async read({ prompt, signal, answer = false }: ReadLineOptions): Promise<LineRead> {
    if (signal.aborted) return { kind: 'aborted' }
    if (answer) {
      this.forget()
      if (await this.#drain()) return { kind: 'interrupt' }
    }
    const next = this.#waiting.shift()
    if (next !== undefined) {
      this.#output.write(`${prompt}${next}\n`)
      return { kind: 'line', text: next }
    }
    return await this.#readLine(prompt, signal, answer)
  }

  /** Forgets pasted lines that are still to be read. */
  forget(): void {
    this.#waiting = []
    this.#begun = ''
  }

  #readLine(prompt: string, signal: AbortSignal, answer: boolean): Promise<LineRead> {
    return new Promise((resolve) => {
      const readline = createInterface({
        input: this.#input,
        output: this.#output,
        terminal: true,
        prompt,
        history: [...this.#history],
        historySize: answer ? 0 : 500,
      })
      let read: LineRead | undefined
      const finish = (result: LineRead): void => {
        if (read) return
        read = result
        // In `close` below, once the terminal is as it was.
        queueMicrotask(() => readline.close())
      }
      const onAbort = (): void => finish({ kind: 'aborted' })
      readline.on('line', (text) => {
        if (read) this.#waiting.push(text)
        else finish({ kind: 'line', text })
      })
      readline.on('SIGINT', () => {
        if (answer || readline.line === '') return finish({ kind: 'interrupt' })
        // As shells do: what was typed is given up, and a new line begins.
        this.#output.write('^C\n')
        readline.write(null, { ctrl: true, name: 'e' })
        readline.write(null, { ctrl: true, name: 'u' })
      })
      readline.on('history', (history) => {
        if (!answer) this.#history = history
      })
      readline.on('close', () => {
        signal.removeEventListener('abort', onAbort)
        this.#begun = answer ? '' : readline.line
        if (read?.kind !== 'line') this.#output.write('\n')
        resolve(read ?? { kind: 'end' })
      })
      signal.addEventListener('abort', onAbort, { once: true })
      readline.prompt()
      if (this.#begun !== '') readline.write(this.#begun)
    })
  }

  /** Throws away what was typed ahead, so that it does not answer a question nobody had read. True when Ctrl-C was among it. */
  async #drain(): Promise<boolean> {
    let interrupted = false
    const onData = (chunk: Buffer | string): void => {
      if (String(chunk).includes('\u0003')) interrupted = true
    }
    this.#input.setRawMode?.(true)
    this.#input.on('data', onData)
    this.#input.resume()
    try {
      // What the terminal holds is read in the next turn of the event loop.
      for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve))
    } finally {
      this.#input.off('data', onData)
      this.#input.pause()
      this.#input.setRawMode?.(false)
    }
    return interrupted
  }
}
