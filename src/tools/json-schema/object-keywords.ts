import { isObject } from '../../util/json.ts'
import { namesOf } from './equality.ts'
import { patternOf } from './pattern.ts'
import type { Keyword } from './run.ts'
import { counted, sizeOf } from './value-keywords.ts'

/** Keywords that look at objects. */
export const objectKeywords: Readonly<Record<string, Keyword>> = {
  required: (run, names: unknown, check) => {
    const { value } = check
    if (!isObject(value) || !Array.isArray(names)) return true
    const missing = names.filter((name) => typeof name === 'string' && !has(value, name)) as readonly string[]
    for (const name of missing) run.fault(check, () => 'required, but missing', name)
    return missing.length === 0
  },
  minProperties: (run, bound: unknown, check) =>
    !isObject(check.value) ||
    typeof bound !== 'number' ||
    sizeOf(check.value) >= bound ||
    run.fault(check, () => `expected at least ${counted(bound, 'key')}`),
  maxProperties: (run, bound: unknown, check) =>
    !isObject(check.value) ||
    typeof bound !== 'number' ||
    sizeOf(check.value) <= bound ||
    run.fault(check, () => `expected at most ${counted(bound, 'key')}`),
  propertyNames: (run, schema: unknown, check) => {
    if (!isObject(check.value)) return true
    return namesOf(check.value).reduce((fits, name) => {
      const named = run.apart(() => run.inner(schema, name, name, check))
      if (named.fits) return fits
      const why = named.issues.map(({ message }) => message).join(', ')
      return run.fault(check, () => `not allowed as a key (${why}; got ${JSON.stringify(name)})`, name)
    }, true)
  },

  properties: (run, schemas: unknown, check) => {
    const { value, seen } = check
    if (!isObject(value) || !isObject(schemas)) return true
    let fits = true
    for (const name of Object.keys(schemas)) {
      if (!has(value, name)) continue
      fits = run.inner(schemas[name], value[name], name, check) && fits
      seen?.addName(name)
    }
    return fits
  },
  patternProperties: (run, schemas: unknown, check) => {
    const { value, seen } = check
    if (!isObject(value) || !isObject(schemas)) return true
    let fits = true
    for (const [source, schema] of Object.entries(schemas)) {
      const pattern = patternOf(source)
      for (const name of namesOf(value)) {
        if (!pattern.test(name)) continue
        fits = run.inner(schema, value[name], name, check) && fits
        seen?.addName(name)
      }
    }
    return fits
  },
  additionalProperties: (run, schema: unknown, check) => {
    const { value, seen } = check
    if (!isObject(value)) return true
    const { properties, patternProperties } = check.schema
    const patterns = isObject(patternProperties) ? Object.keys(patternProperties).map(patternOf) : []
    const isKnown = (name: string): boolean =>
      (isObject(properties) && Object.hasOwn(properties, name)) || patterns.some((pattern) => pattern.test(name))
    let fits = true
    for (const name of namesOf(value)) if (!isKnown(name)) fits = run.inner(schema, value[name], name, check) && fits
    seen?.addAllNames()
    return fits
  },

  dependentRequired: (run, dependents: unknown, check) => dependencies(run, dependents, check),
  dependentSchemas: (run, dependents: unknown, check) => dependencies(run, dependents, check),
  /** Both of these in one, in older drafts. */
  dependencies: (run, dependents: unknown, check) => dependencies(run, dependents, check),
}

const dependencies: Keyword = (run, dependents: unknown, check) => {
  const { value } = check
  if (!isObject(value) || !isObject(dependents)) return true
  let fits = true
  for (const [name, needed] of Object.entries(dependents)) {
    if (!has(value, name)) continue
    if (Array.isArray(needed)) {
      for (const other of needed as readonly string[])
        if (!has(value, other)) fits = run.fault(check, () => `required beside ${JSON.stringify(name)}, but missing`, other)
    } else fits = run.beside(needed, check) && fits
  }
  return fits
}

const has = (value: Record<string, unknown>, name: string): boolean => Object.hasOwn(value, name) && value[name] !== undefined
