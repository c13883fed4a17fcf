import type { Phrase } from './phrase.ts'

const opening =
  /^\W*(?:give|tell|show|say|get|what(?:'s|’s| is))(?:\s+me)?\s+(?:the\s+)?(?=(?:total\s+)?(?:number|line|word|character|size|length|count))/i
const verb = /\b(?:count(?:\s+up)?|how\s+many(?:\s+(?=times\b))?|how(?=\s+often\b)|(?:total\s+)?number\s+of|wc(?:\s+-[lwcm]+)?)(?=\W|$)/i

/** Takes "count", "how many", "the number of"; of "line count" there is nothing to take, but it counts. */
export function takeCountVerb(phrase: Phrase): boolean {
  const opened = phrase.take(opening) !== undefined
  return phrase.take(verb) !== undefined || (opened && phrase.has(/\bcount\b/i)) || phrase.has(/\b(?:line|word|character)\s+count\b/i)
}
