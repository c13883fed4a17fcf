import { PatternError } from './pattern-error.ts'

/** As Unicode has it; `\w` of JavaScript knows ASCII alone. */
const wordSet = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`
const spaceSet = String.raw`[\p{White_Space}--[\r]]`
const word = `[${wordSet}]`
const wordStart = `(?:(?<!${word})(?=${word}))`
const wordEnd = `(?:(?<=${word})(?!${word}))`
const boundary = `(?:${wordStart}|${wordEnd})`

const posix: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  ascii: String.raw`\x00-\x7f`,
  blank: String.raw`\t\x20`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: String.raw`\x20-~`,
  punct: String.raw`!-\/:-@\[-\x60\{-~`,
  space: String.raw`\t\n\v\f\x20`,
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

const classes: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  D: String.raw`[^\p{Nd}\r]`,
  w: word,
  W: `[^${wordSet}\\r]`,
  s: spaceSet,
  S: String.raw`[^\p{White_Space}]`,
}

const controls: Readonly<Record<string, string>> = { t: '\\t', r: '\\r', f: '\\f', v: '\\v', a: '\\x07' }

/**
 * Makes a regular expression for one line of a pattern in the syntax of ripgrep, so that a search means the same with it and
 * without. Look-around and back-references, which ripgrep refuses, are refused; so is what JavaScript cannot express.
 *
 * @throws {Error} why the pattern cannot be used.
 */
export function lineRegExp(
  pattern: string,
  { isLiteral, ignoresCase }: { readonly isLiteral: boolean; readonly ignoresCase: boolean },
): RegExp {
  if (pattern.includes('\n')) throw new PatternError('the literal "\\n" is not allowed: lines are searched one by one')
  if (isLiteral) return new RegExp(Array.from(pattern, escaped).join(''), ignoresCase ? 'vi' : 'v')
  const parser = new Parser(pattern)
  const source = parser.all()
  try {
    return new RegExp(source, ignoresCase || parser.ignoresCase ? 'vi' : 'v')
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message : String(error))
  }
}

/** As a number: which characters must be escaped depends on where they stand. */
const escaped = (char: string): string =>
  /[a-zA-Z0-9_\u00a0-\u{10ffff}]/u.test(char) ? char : `\\x${char.codePointAt(0)!.toString(16).padStart(2, '0')}`

class Parser {
  readonly #chars: readonly string[]
  readonly #names = new Set<string>()
  #at = 0
  /** `(?i)` stands at the beginning. */
  ignoresCase = false

  constructor(pattern: string) {
    this.#chars = Array.from(pattern)
  }

  all(): string {
    this.#leadingFlags()
    const source = this.#alternation()
    if (this.#at < this.#chars.length) throw new PatternError('unopened group')
    return source
  }

  #leadingFlags(): void {
    const found = /^\(\?([ims]+)\)/.exec(this.#chars.slice(0, 8).join(''))
    if (!found) return
    this.ignoresCase = found[1]!.includes('i')
    this.#at = found[0].length
  }

  #alternation(): string {
    const parts: string[] = []
    let last: string | undefined
    const push = (atom: string): void => {
      if (last !== undefined) parts.push(last)
      last = atom
    }
    for (; this.#at < this.#chars.length;) {
      const char = this.#chars[this.#at]!
      if (char === ')') break
      this.#at++
      if (char === '|') push('|')
      else if ('*+?{'.includes(char)) {
        const times = this.#times(char)
        if (last === undefined || last === '|') throw new PatternError('repetition operator missing expression')
        // A repeated repetition is legal there.
        last = `(?:${last})${times}`
      } else push(this.#atom(char))
    }
    if (last !== undefined) parts.push(last)
    return parts.join('')
  }

  #times(char: string): string {
    let times = char
    if (char === '{') {
      const found = /^(\d+)(,\d*)?\}/.exec(this.#chars.slice(this.#at, this.#at + 24).join(''))
      if (!found) throw new PatternError('repetition quantifier expects a valid decimal')
      times += found[0]
      this.#at += found[0].length
    }
    if (this.#chars[this.#at] !== '?') return times
    this.#at++
    return `${times}?`
  }

  #atom(char: string): string {
    switch (char) {
      case '.':
        return String.raw`[^\n\r]`
      case '^':
        return String.raw`(?<![^\r])`
      case '$':
        return String.raw`(?![^\r])`
      case '(':
        return this.#group()
      case '[':
        return this.#set()
      case '\\':
        return this.#escape(false)
      default:
        return escaped(char)
    }
  }

  #group(): string {
    let open = '('
    if (this.#chars[this.#at] === '?') {
      const rest = this.#chars.slice(this.#at, this.#at + 80).join('')
      const name = /^\?P?<([A-Za-z_][A-Za-z0-9_]*)>/.exec(rest)
      if (name) {
        if (this.#names.has(name[1]!)) throw new PatternError('duplicate capture group name')
        this.#names.add(name[1]!)
        this.#at += name[0].length
      } else if (rest.startsWith('?:')) {
        open = '(?:'
        this.#at += 2
      } else if (/^\?<?[=!]/.test(rest)) throw new PatternError('look-around is not supported')
      else throw new PatternError('flags within a pattern need ripgrep, which is not installed')
    }
    const inner = this.#alternation()
    if (this.#chars[this.#at] !== ')') throw new PatternError('unclosed group')
    this.#at++
    return `${open}${inner})`
  }

  #escape(isInSet: boolean): string {
    const char = this.#chars[this.#at++]
    if (char === undefined) throw new PatternError('incomplete escape sequence')
    if (char === 'n') throw new PatternError('the literal "\\n" is not allowed: lines are searched one by one')
    if (/[0-9]/.test(char)) throw new PatternError('backreferences are not supported')
    if (classes[char] !== undefined) return classes[char]
    if (controls[char] !== undefined) return controls[char]
    if (char === 'x' || char === 'u' || char === 'U') return this.#codePoint(char)
    if (char === 'p' || char === 'P') return this.#property(char)
    if (!isInSet) {
      if (char === 'b') return boundary
      if (char === 'B') return `(?!${boundary})`
      if (char === '<') return wordStart
      if (char === '>') return wordEnd
      if (char === 'A') return '(?<![^])'
      if (char === 'z') return '(?![^])'
    }
    if (/[a-zA-Z]|[^ -~\t]/u.test(char)) throw new PatternError('unrecognized escape sequence')
    return escaped(char)
  }

  #codePoint(kind: string): string {
    const digits = { x: 2, u: 4, U: 8 }[kind]!
    const rest = this.#chars.slice(this.#at, this.#at + 12).join('')
    const found = /^\{([0-9a-fA-F]{1,8})\}/.exec(rest) ?? new RegExp(`^([0-9a-fA-F]{${digits}})`).exec(rest)
    if (!found) throw new PatternError('invalid hexadecimal digit')
    this.#at += found[0].length
    return `\\u{${found[1]}}`
  }

  #property(kind: string): string {
    const found = /^(?:\{([\w=:^]+)\}|([A-Z]))/.exec(this.#chars.slice(this.#at, this.#at + 60).join(''))
    if (!found) throw new PatternError('invalid Unicode character class')
    this.#at += found[0].length
    const name = found[1] ?? found[2]!
    // A script may stand there without saying that it is one.
    for (const written of [name, `Script=${name}`]) {
      try {
        void new RegExp(`\\p{${written}}`, 'v')
        return `\\${kind}{${written}}`
      } catch {
        // The next one.
      }
    }
    throw new PatternError(`Unicode property not found: ${name}`)
  }

  /** A set, sets within it and `&&` and `--` between two of them. */
  #set(): string {
    let isNegated = false
    if (this.#chars[this.#at] === '^') {
      isNegated = true
      this.#at++
    }
    let sides = ''
    let items = ''
    let isFirst = true
    for (; ; isFirst = false) {
      const char = this.#chars[this.#at++]
      if (char === undefined) throw new PatternError('unclosed character class')
      if (char === ']' && !isFirst) break
      const operator = char + (this.#chars[this.#at] ?? '')
      if (operator === '&&' || operator === '--') {
        this.#at++
        sides += `[${items}]${operator}`
        items = ''
      } else if (operator === '~~') throw new PatternError('"~~" in a set needs ripgrep, which is not installed')
      else if (char === '[') items += this.#posix() ?? this.#set()
      else items += this.#range(char)
    }
    if (sides === '') return isNegated ? `[^${items}\\r]` : `[${items}]`
    const inner = `[${sides}[${items}]]`
    return isNegated ? `[^${inner}\\r]` : inner
  }

  #posix(): string | undefined {
    const found = /^:(\^?)([a-z]+):\]/.exec(this.#chars.slice(this.#at, this.#at + 14).join(''))
    const ranges = found && posix[found[2]!]
    if (!ranges) return undefined
    this.#at += found[0].length
    return found[1] === '' ? `[${ranges}]` : `[^${ranges}]`
  }

  #range(char: string): string {
    const from = char === '\\' ? this.#escape(true) : escaped(char)
    const next = this.#chars[this.#at + 1]
    if (this.#chars[this.#at] !== '-' || next === undefined || next === ']' || next === '-') return from
    this.#at += 2
    return `${from}-${next === '\\' ? this.#escape(true) : escaped(next)}`
  }
}
