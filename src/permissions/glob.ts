/** How a text that is known only from its beginning fits a pattern. */
export type PrefixFit = 'always' | 'maybe' | 'never'

const any = 0
const star = 1
const globstar = 2
const folders = 3
type Token = string | typeof any | typeof star | typeof globstar | typeof folders

/**
 * A pattern for whole texts: `*` any characters, `?` one, `\` takes the next one as it is. For paths (`isPath`) `*` and `?` stop at
 * a slash, `**` does not, and `**` with a slash may stand for no folder at all.
 *
 * All places of the pattern are followed at once, so that the time is bounded by the product of both lengths.
 */
export class Glob {
  private readonly tokens: readonly Token[]
  private readonly isPath: boolean
  /** What every text that matches begins with, and ends with: most texts are told apart by these alone. */
  private readonly head: string
  private readonly tail: string

  constructor(pattern: string, { isPath = false }: { readonly isPath?: boolean | undefined } = {}) {
    this.tokens = tokensOf(pattern, isPath)
    this.isPath = isPath
    const isWild = (token: Token): boolean => typeof token !== 'string'
    const first = this.tokens.findIndex(isWild)
    this.head = (first < 0 ? this.tokens : this.tokens.slice(0, first)).join('')
    this.tail = this.tokens.slice(this.tokens.findLastIndex(isWild) + 1).join('')
  }

  matches(text: string): boolean {
    if (!text.startsWith(this.head) || !text.endsWith(this.tail)) return false
    return this.after(text).includes(this.tokens.length)
  }

  fitsBeginning(text: string): PrefixFit {
    if (!text.startsWith(this.head) && !this.head.startsWith(text)) return 'never'
    const places = this.after(text)
    const { tokens } = this
    if (places.some((at) => at === tokens.length - 1 && (tokens[at] === globstar || (tokens[at] === star && !this.isPath)))) return 'always'
    return places.length > 0 ? 'maybe' : 'never'
  }

  /** The places in the pattern where one may stand behind the text. */
  private after(text: string): readonly number[] {
    let places = this.enter([0])
    for (let index = 0; index < text.length && places.length > 0; index++) {
      const char = text[index]!
      const stays: number[] = []
      const enters: number[] = []
      for (const at of places) {
        const token = this.tokens[at]
        if (token === undefined) continue
        if (token === globstar || (token === star && !(this.isPath && char === '/'))) stays.push(at)
        else if (token === folders) {
          stays.push(at)
          if (char === '/') enters.push(at + 1)
        } else if (token === char || (token === any && !(this.isPath && char === '/'))) enters.push(at + 1)
      }
      places = this.enter(enters, stays)
    }
    return places
  }

  /** Those places, and those behind what may stand for nothing. */
  private enter(enters: readonly number[], stays: readonly number[] = []): readonly number[] {
    const places = new Set<number>()
    for (const from of stays) {
      places.add(from)
      if (this.tokens[from] !== folders) this.pass(from + 1, places)
    }
    for (const from of enters) this.pass(from, places)
    return [...places]
  }

  private pass(from: number, places: Set<number>): void {
    for (let at = from; !places.has(at) || at === from; at++) {
      places.add(at)
      const token = this.tokens[at]
      if (token !== star && token !== globstar && token !== folders) return
    }
  }
}

function tokensOf(pattern: string, isPath: boolean): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!
    if (char === '\\' && at + 1 < pattern.length) tokens.push(pattern[++at]!)
    else if (char === '?') tokens.push(any)
    else if (char !== '*') tokens.push(char)
    else if (isPath && pattern[at + 1] === '*') {
      while (pattern[at + 1] === '*') at++
      const isFolders = pattern[at + 1] === '/' && (tokens.length === 0 || tokens.at(-1) === '/')
      if (isFolders) at++
      tokens.push(isFolders ? folders : globstar)
    } else if (tokens.at(-1) !== star) tokens.push(star)
  }
  return tokens
}

/** A text as the pattern that matches it alone. */
export const escaped = (text: string): string => text.replace(/[\\*?]/g, (char) => `\\${char}`)
