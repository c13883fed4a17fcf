import { numberOf, numberWord } from './english.ts'
import type { Phrase } from './phrase.ts'

/** Some lines of a file. */
export type LinePart =
  | { readonly type: 'first' | 'last'; readonly count: number }
  | { readonly type: 'lines'; readonly from: number; readonly to: number }

const fromTo = new RegExp(`\\blines?\\s+(\\d{1,7})\\s*(?:to|through|until|till|up to|-|–)\\s*(\\d{1,7})\\b(?:\\s+(?:of|in|from))?`, 'i')
const atEnd = new RegExp(`\\b(?:the\\s+)?(first|last|top|bottom)\\s+(?:(${numberWord})\\s+)?lines?\\b(?:\\s+(?:of|in|from))?`, 'i')

/** How many lines "the beginning" has. */
const some = 10

/** Takes "the first 5 lines of", "line 3 of", "its last line", "lines 10 to 20". `verb`: `head` and `tail` say it themselves. */
export function takeLinePart(phrase: Phrase, verb?: string): LinePart | undefined {
  const range = phrase.take(fromTo)
  if (range) {
    const [from, to] = [Number(range[1]), Number(range[2])].sort((a, b) => a - b) as [number, number]
    return { type: 'lines', from: Math.max(1, from), to: Math.max(1, to) }
  }
  const single = phrase.take(/\blines?\s+(?:number\s+|no\.?\s+)?(\d{1,7})\b(?:\s+(?:of|in|from))?/i)
  if (single) return { type: 'lines', from: Math.max(1, Number(single[1])), to: Math.max(1, Number(single[1])) }
  const nth = phrase.take(/\b(?:the\s+)?(second|third|fourth|fifth|2nd|3rd|4th|5th)\s+line\b(?:\s+(?:of|in|from))?/i)
  if (nth) {
    const line = ['second', '2nd', 'third', '3rd', 'fourth', '4th', 'fifth', '5th'].indexOf(nth[1]!.toLowerCase()) / 2 + 2
    return { type: 'lines', from: Math.floor(line), to: Math.floor(line) }
  }
  const end = phrase.take(atEnd)
  if (end) {
    const isSingle = /\bline\b/i.test(end[0])
    return { type: isFirst(end[1]!) ? 'first' : 'last', count: Math.max(1, numberOf(end[2]) ?? (isSingle ? 1 : some)) }
  }
  const vague = phrase.take(/\b(?:the\s+)?(beginning|start|top|end|bottom|head|tail)\s+of\b/i)
  if (vague) return { type: /^(?:beginning|start|top|head)$/i.test(vague[1]!) ? 'first' : 'last', count: some }
  if (verb === 'head' || verb === 'tail') {
    const count = phrase.take(/(?:^|\s)-(?:n\s*)?(\d{1,6})\b/)
    return { type: verb === 'head' ? 'first' : 'last', count: Math.max(1, count ? Number(count[1]) : some) }
  }
  return undefined
}

const isFirst = (word: string): boolean => /^(?:first|top)$/i.test(word)

export function linePartSaid(part: LinePart): string {
  if (part.type === 'lines') return part.from === part.to ? `line ${part.from}` : `lines ${part.from} to ${part.to}`
  return part.count === 1 ? `the ${part.type} line` : `the ${part.type} ${part.count} lines`
}
