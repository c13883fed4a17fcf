import type { JsonObject, JsonValue } from '../../../util/json.ts'
import { isObject } from '../../../util/json.ts'
import { code, listedUpTo, plural, shortened } from '../language/english.ts'

export type ParsedJson = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly error: string }

/** Parses JSON; comments and trailing commas, as configuration files have them, are passed over. */
export function parseJson(text: string): ParsedJson {
  const strict = tryParse(text)
  if (strict.ok) return strict
  const lenient = tryParse(withoutComments(text))
  return lenient.ok ? lenient : strict
}

function tryParse(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  }
}

/** Strings are matched first, so that what looks like a comment in one stays. */
const withoutComments = (text: string): string =>
  text
    .replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string: string | undefined) => string ?? '')
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? '')

export const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? (value as JsonObject) : undefined)

/** A value in a few words. */
export function inShort(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value))
    return value.length > 0 && value.every((item) => typeof item !== 'object')
      ? listedUpTo(
          value.map((item) => code(String(item))),
          6,
        )
      : plural(value.length, 'item')
  if (isObject(value)) {
    const keys = Object.keys(value)
    return keys.length === 0 ? 'an empty object' : `${plural(keys.length, 'key')} (${listedUpTo(keys.map(code), 6)})`
  }
  return typeof value === 'string' ? code(shortened(value, 120)) : String(value)
}

/** The keys of a JSON file and what they hold. */
export function describeJson(path: string, text: string): string {
  const parsed = parseJson(text)
  if (!parsed.ok) return `${code(path)} should be JSON, but it cannot be parsed: ${parsed.error}`
  const object = asObject(parsed.value)
  if (!object) return `${code(path)} is JSON: ${inShort(parsed.value)}.`
  const entries = Object.entries(object)
  if (entries.length === 0) return `${code(path)} is an empty JSON object.`
  const shown = entries.slice(0, 20).map(([key, value]) => `- ${code(key)}: ${inShort(value)}`)
  if (entries.length > shown.length) shown.push(`- and ${plural(entries.length - shown.length, 'more key')}`)
  return `${code(path)} is a JSON object with ${plural(entries.length, 'key')}:\n\n${shown.join('\n')}`
}
