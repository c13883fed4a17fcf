import type { JsonValue } from '../../util/json.ts'
import { base64Of } from './base64.ts'

/** What the SDK read, as it stood on the wire: there, bytes are base64. */
export function plainJson(value: unknown): JsonValue {
  if (value instanceof Uint8Array) return base64Of(value)
  if (Array.isArray(value)) return value.map(plainJson)
  if (typeof value !== 'object' || value === null) return value as JsonValue
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainJson(item)]))
}
