import { headOf } from '../util/text.ts'

/** How far before a cut the beginning of its character is looked for. */
const window = 256

/**
 * The beginning of a text: at most `max` UTF-16 units. What a reader takes for one character (a letter with its accents, an
 * emoji of several parts, a flag) is left out rather than cut, where the runtime can tell; code points always stay whole.
 *
 * The cost does not depend on the length of the text. A character of more than 256 units is cut between code points.
 */
export function previewOf(text: string, max: number): string {
  if (text.length <= max) return text
  const head = headOf(text, max)
  if (isPlain(text, head.length - 1) && isPlain(text, head.length)) return head
  return text.slice(0, clusterStart(text, head.length))
}

/** ASCII but for the line ends, which may be a pair: a cut beside it parts nothing. */
function isPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 0x80 && code !== 0x0a && code !== 0x0d
}

let segmenter: Intl.Segmenter | undefined

/** Where the character begins that reaches over `cut`; `cut` itself when it lies between two. */
function clusterStart(text: string, cut: number): number {
  if (typeof Intl === 'undefined' || typeof Intl.Segmenter !== 'function') return cut
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const from = windowStart(text, cut)
  // A little of what follows says whether it belongs to what is before.
  const found = segmenter.segment(text.slice(from, cut + 16)).containing(cut - from)
  const start = from + (found?.index ?? cut - from)
  return start === from && from > 0 && !isPlain(text, from) ? cut : start
}

/** Far enough before the cut, between code points. Only in a row of more than 60 flags it may be taken for another half. */
function windowStart(text: string, cut: number): number {
  const first = Math.max(0, cut - window)
  const code = text.charCodeAt(first)
  return first > 0 && code >= 0xdc00 && code <= 0xdfff ? first + 1 : first
}
