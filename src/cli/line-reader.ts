import type { Environment, InputStream, OutputStream, SuspendListener } from './io.ts'
import { EditedLine } from './screen/edited-line.ts'
import type { Completions } from './screen/editor.ts'
import type { History } from './screen/history.ts'
import { memoryHistory } from './screen/history.ts'
import type { Key } from './screen/keys.ts'
import { KeyDecoder } from './screen/keys.ts'
import { readPlainLine } from './screen/plain-line.ts'
import { TerminalModes } from './screen/terminal-modes.ts'
import { TypeAhead } from './screen/type-ahead.ts'
import { styleFor } from './style.ts'

export type LineReaderOptions = {
  /** Says how much the terminal can do. Default: everything usual. */
  readonly env?: Environment | undefined
  /** Default: of this process alone. */
  readonly history?: History | undefined
  readonly completions?: Completions | undefined
  /** Stops the process as Ctrl-Z does; resolves when it goes on. Without it Ctrl-Z does nothing. */
  readonly suspend?: (() => Promise<void>) | undefined
  /** Listens for that the process is stopped from outside, which is the same. */
  readonly onSuspend?: ((listener: SuspendListener) => () => void) | undefined
}

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

export type ListenOptions = {
  /** What Ctrl-C does. */
  readonly interrupt: () => void
  /** The terminal went away. */
  readonly lost?: (() => void) | undefined
}

/**
 * The keyboard. Reads lines with an editor of its own, and takes the keys while work is done, so that they do not appear in the middle
 * of the output: what was typed then is the beginning of the next line. The terminal is raw as long as either lasts and no longer.
 */
export class LineReader {
  readonly #input: InputStream
  readonly #output: OutputStream
  readonly #options: LineReaderOptions
  readonly #history: History
  readonly #modes: TerminalModes
  #decoder = new KeyDecoder()
  readonly #ahead = new TypeAhead()
  #listener: ListenOptions | undefined
  #holder: ListenOptions | undefined
  #take: ((keys: readonly Key[]) => void) | undefined
  #lost: (() => void) | undefined
  /** The line that is edited, on the screen. */
  #edited: { erase(): void; drawAnew(): void } | undefined
  #offSuspend: (() => void) | undefined
  #isSuspended = false
  /** Nothing comes from the keyboard any more. */
  #isGone = false
  /** Nothing was read since the terminal became raw: what comes first may have been typed before that. */
  #mayBeCooked = false

  constructor(input: InputStream, output: OutputStream, options: LineReaderOptions = {}) {
    this.#input = input
    this.#output = output
    this.#options = options
    this.#history = options.history ?? memoryHistory()
    this.#modes = new TerminalModes(input, output)
  }

  async read({ prompt, signal, answer = false }: ReadLineOptions): Promise<LineRead> {
    if (signal.aborted) return { kind: 'aborted' }
    // It does not say so again.
    if (this.#isGone) return { kind: 'end' }
    if (this.#isPlain) return await readPlainLine(this.#input, this.#output, prompt, signal)
    if (answer) {
      this.forget()
      if (await this.#drain()) return { kind: 'interrupt' }
    }
    return await this.#edit(prompt, signal, answer)
  }

  /** Takes the keyboard while work is done, until the function that comes back is called. */
  listen(options: ListenOptions): () => void {
    if (this.#isPlain) return () => {}
    this.#listener = options
    this.#attach()
    return () => {
      this.#listener = undefined
      this.#detach()
    }
  }

  /**
   * Keeps the keyboard until the function that comes back is called, also while nobody reads and nothing is done: else what is typed
   * just then would be echoed, and Enter would be another key.
   */
  hold(options: ListenOptions): () => void {
    if (this.#isPlain) return () => {}
    this.#holder = options
    this.#attach()
    return () => {
      this.#holder = undefined
      this.#detach()
    }
  }

  /** Has something written while a line may be typed: above it. */
  aside(write: () => void): void {
    this.#edited?.erase()
    write()
    this.#edited?.drawAnew()
  }

  /** Forgets what was typed and not read. */
  forget(): void {
    this.#ahead.forget()
  }

  /** A terminal that can only print. */
  get #isPlain(): boolean {
    return this.#options.env?.['TERM'] === 'dumb'
  }

  #edit(prompt: string, signal: AbortSignal, isAnswer: boolean): Promise<LineRead> {
    return new Promise((resolve) => {
      const { completions, env = {} } = this.#options
      const finish = (result: LineRead, rest: readonly Key[] = []): void => {
        this.#ahead.keep(rest)
        signal.removeEventListener('abort', onAbort)
        this.#take = undefined
        this.#lost = undefined
        this.#edited = undefined
        line.finish()
        this.#detach()
        if (result.kind === 'line' && !isAnswer) this.#history.add(result.text)
        resolve(result)
      }
      const line = new EditedLine({
        prompt,
        isAnswer,
        output: this.#output,
        past: () => this.#history.entries(),
        completions,
        dim: styleFor(this.#output, env).dim,
        onEnd: finish,
        onSuspend: (rest) => {
          this.#ahead.keep(rest)
          void this.#suspend()
        },
      })
      const onAbort = (): void => finish({ kind: 'aborted' })
      /** What was typed before it could be taken. */
      const ahead = (): void => {
        const typed = this.#ahead.take()
        if (typed.length > 0) line.take(typed)
      }
      this.#take = (keys) => line.take(keys)
      this.#lost = () => finish({ kind: 'end' })
      this.#edited = {
        erase: () => line.erase(),
        drawAnew: () => {
          line.drawAnew()
          ahead()
        },
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#attach()
      line.draw()
      ahead()
    })
  }

  #attach(): void {
    this.#offSuspend ??= this.#options.onSuspend?.({ suspended: () => this.#giveBack(), resumed: () => this.#takeAgain() })
    if (!this.#isSuspended) this.#enter()
    if (this.#input.listeners('data').includes(this.#onData)) return
    this.#input.setEncoding('utf8')
    this.#input.on('data', this.#onData)
    this.#input.on('end', this.#onEnd)
    this.#input.on('close', this.#onEnd)
    this.#input.resume()
  }

  #enter(): void {
    if (this.#modes.enter()) this.#mayBeCooked = true
  }

  #detach(): void {
    if (this.#take || this.#listener || this.#holder) return
    this.#input.off('data', this.#onData)
    this.#input.off('end', this.#onEnd)
    this.#input.off('close', this.#onEnd)
    this.#input.pause()
    this.#modes.leave()
    this.#offSuspend?.()
    this.#offSuspend = undefined
  }

  readonly #onEnd = (): void => {
    if (this.#isGone) return
    this.#isGone = true
    if (this.#lost) this.#lost()
    else (this.#listener ?? this.#holder)?.lost?.()
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const given = String(chunk)
    // A terminal that is not raw writes Enter as the end of a line, and marks no paste.
    const text = this.#mayBeCooked && !given.includes('\u001b') ? given.replaceAll('\n', '\r') : given
    this.#mayBeCooked = false
    const keys = this.#decoder.push(text)
    if (this.#isSuspended) return this.#ahead.keep(keys)
    if (this.#take) return this.#take(keys)
    const listener = this.#listener ?? this.#holder
    for (const key of keys) {
      if (key.name === 'ctrl-c') {
        this.forget()
        listener?.interrupt()
      } else if (key.name === 'ctrl-z') void this.#suspend()
      else this.#ahead.keep([key])
    }
  }

  /** Gives the terminal back, stops, and takes it again when the program goes on. */
  async #suspend(): Promise<void> {
    const { suspend } = this.#options
    if (!suspend || this.#isSuspended) return
    this.#giveBack()
    try {
      await suspend()
    } finally {
      // Who listens for that as well has done it already.
      if (this.#isSuspended) this.#takeAgain()
    }
  }

  #giveBack(): void {
    if (this.#isSuspended) return
    this.#isSuspended = true
    this.#edited?.erase()
    this.#modes.leave()
  }

  #takeAgain(): void {
    this.#isSuspended = false
    if (this.#take || this.#listener || this.#holder) {
      // Also where they were never left: a shell has changed them since.
      this.#modes.leave()
      this.#enter()
    }
    this.#edited?.drawAnew()
  }

  /** Throws away what was typed ahead, so that it does not answer a question nobody had read. True when Ctrl-C was among it. */
  async #drain(): Promise<boolean> {
    let interrupted = false
    this.#take = (keys) => {
      if (keys.some(({ name }) => name === 'ctrl-c')) interrupted = true
    }
    this.#attach()
    try {
      // What the terminal holds is read in the next turn of the event loop.
      for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve))
    } finally {
      this.#take = undefined
      this.#detach()
    }
    return interrupted
  }
}
