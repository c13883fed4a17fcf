import { isObject } from '../../util/json.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Metadata } from './spec.ts'

/** A later word on top of an earlier one, provider by provider: what it does not mention still holds. */
export function mergedMetadata(before: Metadata | undefined, said: Metadata | undefined): Metadata | undefined {
  if (!said) return before
  if (!before) return said
  const merged: Record<string, JsonObject> = { ...before }
  for (const [provider, data] of Object.entries(said)) merged[provider] = { ...merged[provider], ...data }
  return merged
}

/** What a block keeps of it: `metadata`, when there is any. */
export function keptMetadata(metadata: Metadata | undefined): { readonly metadata?: JsonObject } {
  const said = Object.entries(metadata ?? {}).filter(([, data]) => isObject(data) && Object.keys(data).length > 0)
  return said.length > 0 ? { metadata: plain(Object.fromEntries(said)) as JsonObject } : {}
}

/** As JSON carries it: providers put dates, bytes and `undefined` into what they say. */
export function plain(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? null : (JSON.parse(text) as unknown)
}
