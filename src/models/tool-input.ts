import type { JsonObject } from '../util/json.ts'
import { freezeOwn, isObject } from '../util/json.ts'
import { headOf } from '../util/text.ts'

export type ParsedInput = { readonly input: JsonObject; readonly invalidInput?: { readonly text: string; readonly error: string } }

/** How much of an unparsable input is kept, in characters: the model gets it back, to see what it wrote. */
const keptOfInvalid = 400

/** Parses the joined text of a call's input, once. Nothing and `null` mean `{}`; what is no JSON object is kept as the error. */
export function parseToolInput(text: string): ParsedInput {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed === 'null') return { input: freezeOwn({}) }
  try {
    const value: unknown = JSON.parse(trimmed)
    // Part of a message soon, which is remembered as a whole.
    if (isObject(value)) return { input: freezeOwn(value, 'nothing') as JsonObject }
    return invalid(text, `expected a JSON object, got ${Array.isArray(value) ? 'an array' : `a ${typeof value}`}`)
  } catch (error) {
    return invalid(text, error instanceof Error ? error.message : String(error))
  }
}

const invalid = (text: string, error: string): ParsedInput => ({
  input: freezeOwn({}),
  invalidInput: { text: headOf(text, keptOfInvalid), error },
})
