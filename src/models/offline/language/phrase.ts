import type { Quote } from './quotes.ts'
import { gap, quoteOf, quoteWord, unmask } from './quotes.ts'

/* Words that say nothing by themselves. All others must be understood, or are named as left out. */
const fillers = new Set(
  `a an the this that these those of in on at to for from by with into within is are was were be been being it its they them their there here
  me my mine our us your you we i and then too also as well so now please just all any both each every some
  file files folder folders directory directories content contents text
  what which who how much does do did has have had can could would will like want need give say tell show get let know
  called named about out up thing things following exactly current present currently right whole entire full complete something anything information info details`.split(
    /\s+/,
  ),
)

/* Leaving one of these out would turn the request around. */
const reversing =
  /\b(?:not|don't|dont|doesn't|isn't|aren't|won't|never|no|without|except|excluding|unless|if|only|instead|but|neither|nor|ignore|skip|until|than|largest|biggest|smallest|longest|shortest|newest|oldest|latest|recent|most|least|best|worst|modified|changed|created|unused|hidden|duplicate|similar|wrong|missing)\b/i

const harmless = (word: string): boolean =>
  fillers.has(word) || (/^[a-z]{3,}ly$/.test(word) && !['only', 'recursively', 'partly', 'partially', 'randomly'].includes(word))

/**
 * One request while it is being understood: what a rule has understood it takes out, and what is left in the end was not
 * understood. Quotes are single words in it.
 */
export class Phrase {
  #text: string
  readonly #whole: string
  readonly quotes: readonly Quote[]

  constructor(text: string, quotes: readonly Quote[]) {
    this.#text = text
    this.#whole = text
    this.quotes = quotes
  }

  /** What has not been taken yet. */
  get text(): string {
    return this.#text
  }

  /** What it was in the beginning. */
  get whole(): string {
    return this.#whole
  }

  /** A new one that can be taken apart without changing this one. */
  copy(): Phrase {
    return new Phrase(this.#text, this.quotes)
  }

  has(pattern: RegExp): boolean {
    return pattern.test(this.#text)
  }

  /** Takes the first match out. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.#text)
    if (!match || match[0] === '') return undefined
    this.#text = `${this.#text.slice(0, match.index)} ${gap} ${this.#text.slice(match.index + match[0].length)}`
    return match
  }

  /** Takes everything that is left. */
  takeAll(): string {
    const all = this.#text.replaceAll(gap, ' ').trim()
    this.#text = gap
    return all
  }

  quote(word: string): Quote | undefined {
    return quoteOf(word, this.quotes)
  }

  /** With the quotes' contents in their places. */
  plain(text: string): string {
    return unmask(text, this.quotes, 'inside')
  }

  /** As the user wrote it. */
  raw(text: string): string {
    return unmask(text, this.quotes, 'raw')
  }

  /** What was not understood, piece by piece, without the words that say nothing. */
  leftovers(): readonly string[] {
    const pieces: string[] = []
    for (const segment of this.#text.split(gap)) {
      const words = segment.split(/\s+/).filter((word) => word !== '')
      while (words.length > 0 && harmless(bare(words[0]!))) words.shift()
      while (words.length > 0 && harmless(bare(words.at(-1)!))) words.pop()
      if (words.length > 0) pieces.push(this.raw(words.join(' ')).replace(/^[,:\s-]+|[,:?.!\s]+$/g, ''))
    }
    return pieces.filter((piece) => piece !== '')
  }
}

/** Would leaving these words out turn the request around? */
export const reverses = (pieces: readonly string[]): boolean => pieces.some((piece) => reversing.test(piece))

const isQuote = new RegExp(quoteWord)

/** A word without the marks around it, in lower case. What is only marks is nothing. */
function bare(word: string): string {
  if (isQuote.test(word)) return word
  const plain = word
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .replace(/(?:'s|’s)$/, '')
  return plain === '' ? 'a' : plain
}
