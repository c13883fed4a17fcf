import type { LineReader } from '../line-reader.ts'
import type { Output } from '../output.ts'
import { leastWidth, wrapText } from '../screen/wrap.ts'
import type { Paint, Style } from '../style.ts'

export type SittingOptions = {
  readonly reader: Pick<LineReader, 'read'>
  /** Where the question goes. */
  readonly to: Output
  /** What else writes to the terminal, and is held back while an answer is typed. */
  readonly held: readonly Output[]
  readonly style: Style
  /** What Ctrl-C does. */
  readonly interrupt: () => void
}

export type RowOptions = {
  /** Before the first row. */
  readonly first: string
  /** Before each other one, as wide. Default: the same. */
  readonly rest?: string | undefined
  readonly paint?: Paint | undefined
}

/** A person at the terminal, asked several things one after the other. */
export class Sitting {
  readonly style: Style
  readonly #options: SittingOptions
  readonly #signal: AbortSignal

  constructor(options: SittingOptions, signal: AbortSignal) {
    this.#options = options
    this.#signal = signal
    this.style = options.style
  }

  /**
   * A text in rows that fit, each behind something: none that wraps by itself could begin like one of Lena's own.
   *
   * @param text what can be shown as it is.
   */
  rows(text: string, { first, rest = first, paint = (plain) => plain }: RowOptions): string {
    const room = Math.max(leastWidth, this.#options.to.width - 1 - first.length)
    return wrapText(text, room)
      .map((row, index) => `${index === 0 ? first : rest}${paint(row)}\n`)
      .join('')
  }

  /** Shows a text of whole lines. */
  say(text: string): void {
    const { to, held } = this.#options
    for (const output of held) output.freshLine()
    to.freshLine()
    to.write(text)
  }

  /**
   * Shows a text of whole lines, and reads one line after it. `undefined`: nobody answers any more (Ctrl-C, Ctrl-D, or it is not wanted).
   */
  async ask(text: string, prompt: string): Promise<string | undefined> {
    const { reader, to, held, interrupt } = this.#options
    if (this.#signal.aborted) return undefined
    this.say(text)
    const releases = [...new Set([to, ...held])].map((output) => output.hold())
    try {
      const line = await reader.read({ prompt, signal: this.#signal, answer: true })
      if (line.kind === 'interrupt') interrupt()
      return line.kind === 'line' ? line.text.trim() : undefined
    } finally {
      for (const release of releases) release()
    }
  }
}
