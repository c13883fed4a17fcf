import { isObject } from '../../util/json.ts'
import type { JsonValue } from '../../util/json.ts'

export type Difference = { readonly path: string; readonly expected: JsonValue; readonly got: JsonValue }

/** The first place where two JSON values differ; `undefined` when there is none. What is not there is `null`. */
export function differenceOf(expected: unknown, got: unknown, path = ''): Difference | undefined {
  if (Array.isArray(expected) && Array.isArray(got)) {
    for (let i = 0; i < Math.max(expected.length, got.length); i++) {
      const found = differenceOf(expected[i], got[i], `${path}[${i}]`)
      if (found) return found
    }
    return undefined
  }
  if (isObject(expected) && isObject(got)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      const found = differenceOf(expected[key], got[key], path === '' ? key : `${path}.${key}`)
      if (found) return found
    }
    return undefined
  }
  if (JSON.stringify(expected) === JSON.stringify(got)) return undefined
  return { path, expected: (expected ?? null) as JsonValue, got: (got ?? null) as JsonValue }
}

/** Both sides for a message: long texts from shortly before the place where they part. */
export function shownDifference({ expected, got }: Difference): string {
  if (typeof expected !== 'string' || typeof got !== 'string') return `expected ${shown(expected)}, got ${shown(got)}`
  let same = 0
  while (same < expected.length && expected[same] === got[same]) same++
  const from = same > 40 ? same - 20 : 0
  const cut = (text: string): string => `${from > 0 ? '…' : ''}${shown(text.slice(from))}`
  return `expected ${cut(expected)}, got ${cut(got)}`
}

const shownChars = 200

function shown(value: JsonValue): string {
  if (value === null) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > shownChars ? `${text.slice(0, shownChars)}…` : text
}
