import type { ResultPage } from './result-store.ts'

/** A page of a text: no surrogate pair is cut, and there is always something on it before the end. */
export function pageOf(text: string, offset: number, limit: number): ResultPage {
  const start = Math.min(offset, text.length)
  const from = isInsidePair(text, start) ? start - 1 : start
  const to = Math.min(text.length, start + limit)
  const whole = isInsidePair(text, to) ? (to - 1 > from ? to - 1 : to + 1) : to
  return { text: text.slice(from, whole), offset: from, chars: text.length }
}

const isHighHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLowHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

const isInsidePair = (text: string, at: number): boolean =>
  at > 0 && at < text.length && isLowHalf(text.charCodeAt(at)) && isHighHalf(text.charCodeAt(at - 1))
