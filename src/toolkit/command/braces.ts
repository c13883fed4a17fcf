import { literal } from './words.ts'
import type { Word } from './words.ts'

/** A character, and whether a quote took its meaning away. */
type Unit = { readonly char: string; readonly isQuoted: boolean }

/** Words that one may become; with more it stays as it was written. */
const maxWords = 1000
const maxLength = 1000

/**
 * What bash makes of a word with braces: `a{b,c}` is `ab` and `ac`, `{1..3}` is `1`, `2` and `3`. `undefined` where that is not known
 * before it runs, for a variable in it, or too much.
 *
 * @param source the word as it is written.
 */
export function wordsOfBraces(source: string): readonly Word[] | undefined {
  const units = source.length <= maxLength ? unitsOf(source) : undefined
  const expanded = units && expand(units)
  return expanded?.filter((word) => word.length > 0).map(wordOf)
}

function wordOf(units: readonly Unit[]): Word {
  const word = literal(units.map(({ char }) => char).join(''))
  const isPattern = units.some(({ char, isQuoted }) => !isQuoted && /[*?[]/.test(char))
  return { ...word, isPattern, isQuoted: units.some(({ isQuoted }) => isQuoted) }
}

/** `undefined` for what is not known yet, and for what is written in another way than with plain quotes. */
function unitsOf(source: string): readonly Unit[] | undefined {
  const units: Unit[] = []
  let quote = ''
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!
    const next = source[at + 1]
    if ((char === '$' || char === '`') && quote !== "'") return undefined
    // In double quotes it counts before a few characters alone; and nothing is left of a line that goes on.
    if (char === '\\' && quote !== "'" && next === '\n') at++
    else if (char === '\\' && (quote === '' || (quote === '"' && next !== undefined && '"\\'.includes(next)))) {
      if (next === undefined) return undefined
      units.push({ char: next, isQuoted: true })
      at++
    } else if (char === quote) quote = ''
    else if (quote === '' && (char === '"' || char === "'")) {
      quote = char
      // An empty text in quotes is a word, too.
      units.push({ char: '', isQuoted: true })
    } else units.push({ char, isQuoted: quote !== '' })
  }
  // What only looks like a pattern of the extended kind is not told from one.
  return quote === '' && !/[@?!+*]\(/.test(source) ? units : undefined
}

const is = (unit: Unit | undefined, char: string): boolean => unit !== undefined && !unit.isQuoted && unit.char === char

function expand(units: readonly Unit[]): readonly (readonly Unit[])[] | undefined {
  for (let from = 0; from < units.length; from++) {
    if (!is(units[from], '{')) continue
    const found = partsFrom(units, from)
    if (!found) continue
    const { parts, end } = found
    const rest = expand(units.slice(end + 1))
    const middles = parts.length > 1 ? parts.map(expand) : [rangeOf(parts[0]!)]
    if (!rest || middles.includes(undefined)) return undefined
    const all = middles.flatMap((words) => words ?? [])
    if (all.length * rest.length > maxWords) return undefined
    const before = units.slice(0, from)
    return all.flatMap((middle) => rest.map((after) => [...before, ...middle, ...after]))
  }
  return [units]
}

/** What stands between braces, cut at the commas; `undefined` for a brace that means itself. */
function partsFrom(
  units: readonly Unit[],
  from: number,
): { readonly parts: readonly (readonly Unit[])[]; readonly end: number } | undefined {
  const parts: Unit[][] = [[]]
  let depth = 0
  for (let at = from + 1; at < units.length; at++) {
    const unit = units[at]!
    if (is(unit, '}') && depth === 0) return parts.length > 1 || isRange(parts[0]!) ? { parts, end: at } : undefined
    if (is(unit, '{')) depth++
    if (is(unit, '}')) depth--
    if (is(unit, ',') && depth === 0) parts.push([])
    else parts.at(-1)!.push(unit)
  }
  return undefined
}

const range = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([a-zA-Z])\.\.([a-zA-Z]))(?:\.\.(-?\d{1,9}))?$/

const textOf = (units: readonly Unit[]): string => units.map(({ char, isQuoted }) => (isQuoted ? '\0' : char)).join('')
const isRange = (units: readonly Unit[]): boolean => range.test(textOf(units))

function rangeOf(units: readonly Unit[]): readonly (readonly Unit[])[] | undefined {
  const [, first, last, begin, end, step = '1'] = range.exec(textOf(units)) ?? []
  const isNumber = first !== undefined && last !== undefined
  // Between capitals and small letters stand a backslash and a backtick.
  if (!isNumber && /[a-z]/.test(begin ?? '') !== /[a-z]/.test(end ?? '')) return undefined
  const from = isNumber ? Number(first) : (begin ?? '').charCodeAt(0)
  const to = isNumber ? Number(last) : (end ?? '').charCodeAt(0)
  const by = Math.abs(Number(step)) || 1
  const count = Math.floor(Math.abs(to - from) / by) + 1
  if (count > maxWords) return undefined
  // Numbers that begin with a zero are all as long as the longest.
  const isPadded = isNumber && [first, last].some((text) => /^-?0\d/.test(text))
  const width = isPadded ? Math.max(first.length, last.length) : 0
  const spell = (value: number): string =>
    isNumber ? (value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0')) : String.fromCharCode(value)
  return Array.from({ length: count }, (_, index) =>
    [...spell(from + (to < from ? -1 : 1) * by * index)].map((char) => ({ char, isQuoted: false })),
  )
}
