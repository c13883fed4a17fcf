import type { Lexer } from 'marked'
import { painted } from '../span.ts'
import type { Part } from './parts.ts'
import { longestPart, Parts } from './parts.ts'
import { PartRenderer } from './render-part.ts'

/**
 * Markdown as it comes, as rows of a screen. A part that is complete is given once and never looked at again; what is still open is
 * made anew each time it is shown. So a long answer costs no more for each word than a short one.
 */
export class MarkdownStream {
  readonly #renderer: PartRenderer
  readonly #parts = new Parts()
  /** The line that has begun. */
  #begun = ''
  /** No row of it is finished. */
  isEmpty = true

  constructor(lexer: typeof Lexer) {
    this.#renderer = new PartRenderer(lexer)
  }

  /** Takes text in which nothing steers a terminal. Gives the rows that are complete with it, for good. */
  push(text: string, width: number): readonly string[] {
    const rows: string[] = []
    const lines = (this.#begun + text).split('\n')
    this.#begun = lines.pop()!
    for (const line of lines) for (const piece of pieces(line)) rows.push(...this.#shown(this.#parts.line(piece), width))
    const begun = pieces(this.#begun)
    this.#begun = begun.pop()!
    for (const piece of begun) rows.push(...this.#shown(this.#parts.line(piece), width))
    return rows
  }

  /** What is not complete yet, as it would look if it ended here. */
  open(width: number): readonly string[] {
    const parts = this.#parts.copy()
    const begun = this.#begun === '' ? [] : parts.line(closed(this.#begun))
    return this.#shown([...begun, ...parts.end()], width, false)
  }

  /** The text is over: the rest of the rows. */
  end(width: number): readonly string[] {
    const rest = this.#begun === '' ? [] : this.#parts.line(this.#begun)
    this.#begun = ''
    return this.#shown([...rest, ...this.#parts.end()], width)
  }

  /** @param keep these parts are finished. */
  #shown(parts: readonly Part[], width: number, keep = true): readonly string[] {
    const all: string[] = []
    let { isEmpty } = this
    for (const part of parts) {
      const rows = this.#renderer.rows(part, width, { keep }).map(painted)
      if (rows.length === 0) continue
      if (part.gap && !isEmpty) all.push('')
      all.push(...rows)
      isEmpty = false
    }
    if (keep) this.isEmpty = isEmpty
    return all
  }
}

/** A line that is longer than any paragraph is cut at a space, where that stands being a matter of the line alone. */
function pieces(line: string): string[] {
  const all: string[] = []
  let rest = line
  while (rest.length > longestPart) {
    const space = rest.lastIndexOf(' ', longestPart)
    const at = space > 0 ? space + 1 : /[\ud800-\udbff]/.test(rest[longestPart - 1]!) ? longestPart - 1 : longestPart
    all.push(rest.slice(0, at))
    rest = rest.slice(at)
  }
  return [...all, rest]
}

/** Ends what has begun on a line, so that its signs do not come and go while it is written. */
function closed(line: string): string {
  const ticks = line.split('`').length % 2 === 0 && !line.startsWith('```')
  if (ticks) return `${line}\``
  const stars = line.replaceAll(/`[^`]*`/g, '').split('**').length % 2 === 0
  return stars && /\*\*\S[^*]*$/.test(line) ? `${line.trimEnd()}**` : line
}
