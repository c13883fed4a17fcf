import { isObject } from '../../util/json.ts'
import type { Check, Run } from './run.ts'

export const listed = (values: readonly unknown[], between: string): string => values.map((value) => JSON.stringify(value)).join(between)

export const typesOf = (type: unknown): string => (Array.isArray(type) ? type.join(' or ') : String(type ?? 'another type'))

/** What a schema asks for, in a few words. */
export function inBrief(schema: unknown, run: Run, check: Check): string {
  const meant =
    isObject(schema) && typeof schema['$ref'] === 'string' ? run.document.resolve(schema['$ref'], check.scope.resource)?.schema : schema
  if (!isObject(meant)) return 'another shape'
  if ('const' in meant) return JSON.stringify(meant['const'])
  if (Array.isArray(meant['enum'])) return listed(meant['enum'], ' or ')
  if (isObject(meant['properties'])) return `an object { ${Object.keys(meant['properties']).join(', ')} }`
  if (Array.isArray(meant['required'])) return `an object with ${listed(meant['required'], ' and ')}`
  return meant['type'] === undefined ? 'another shape' : typesOf(meant['type'])
}

/** Alternatives that their names tell all about: types without parts, values. */
export function isPlainChoice(options: readonly unknown[]): boolean {
  return options.every(
    (option) =>
      isObject(option) &&
      ('const' in option || 'enum' in option || ['string', 'number', 'integer', 'boolean', 'null'].includes(String(option['type']))),
  )
}
