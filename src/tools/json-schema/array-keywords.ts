import { keyOf } from './equality.ts'
import { inBrief } from './in-words.ts'
import type { Keyword } from './run.ts'
import { counted } from './value-keywords.ts'

/** Keywords that look at lists. */
export const arrayKeywords: Readonly<Record<string, Keyword>> = {
  minItems: (run, bound: unknown, check) =>
    !Array.isArray(check.value) ||
    typeof bound !== 'number' ||
    check.value.length >= bound ||
    run.fault(check, () => `expected at least ${counted(bound, 'item')}`),
  maxItems: (run, bound: unknown, check) =>
    !Array.isArray(check.value) ||
    typeof bound !== 'number' ||
    check.value.length <= bound ||
    run.fault(check, () => `expected at most ${counted(bound, 'item')}`),
  uniqueItems: (run, isWanted: unknown, check) => {
    if (!Array.isArray(check.value) || isWanted !== true) return true
    const keys = new Set(check.value.map(keyOf))
    return keys.size === check.value.length || run.fault(check, () => 'expected no two equal items')
  },
  prefixItems: (run, schemas: unknown, check) => (Array.isArray(schemas) ? prefix(run, schemas, check) : true),
  items: (run, schema: unknown, check) => {
    // A list of schemas is what newer drafts call `prefixItems`.
    if (Array.isArray(schema)) return prefix(run, schema, check)
    const before: unknown = check.schema['prefixItems']
    return rest(run, schema, check, Array.isArray(before) ? before.length : 0)
  },
  additionalItems: (run, schema: unknown, check) => {
    const before: unknown = check.schema['items']
    return Array.isArray(before) ? rest(run, schema, check, before.length) : true
  },
  contains: (run, schema: unknown, check) => {
    const { value, seen } = check
    if (!Array.isArray(value)) return true
    const { minContains, maxContains } = check.schema
    const least = typeof minContains === 'number' ? minContains : 1
    const fitting = run.silently(() => {
      let count = 0
      for (const [index, item] of value.entries()) {
        if (!run.inner(schema, item, index, check)) continue
        count++
        if (check.scope.resource.dialect.containsEvaluates) seen?.addIndex(index)
      }
      return count
    })
    if (fitting < least)
      return run.fault(check, () => `expected at least ${counted(least, 'item')} that fits ${inBrief(schema, run, check)}`)
    if (typeof maxContains === 'number' && fitting > maxContains)
      return run.fault(check, () => `expected at most ${counted(maxContains, 'item')} that fits ${inBrief(schema, run, check)}`)
    return true
  },
}

const prefix = (run: Parameters<Keyword>[0], schemas: readonly unknown[], check: Parameters<Keyword>[2]): boolean => {
  const { value, seen } = check
  if (!Array.isArray(value)) return true
  let fits = true
  for (const [index, schema] of schemas.slice(0, value.length).entries()) {
    fits = run.inner(schema, value[index], index, check) && fits
    seen?.addIndex(index)
  }
  return fits
}

function rest(run: Parameters<Keyword>[0], schema: unknown, check: Parameters<Keyword>[2], from: number): boolean {
  const { value, seen } = check
  if (!Array.isArray(value)) return true
  let fits = true
  for (let index = from; index < value.length; index++) fits = run.inner(schema, value[index], index, check) && fits
  seen?.addAllItems()
  return fits
}
