import { describe, expect, it } from 'vitest'
import { ToolDefinitionError } from '../../src/errors.ts'
import { cleanSchema } from '../../src/tools/clean-schema.ts'
import { compileSchema } from '../../src/tools/schema.ts'
import { unknownKeys } from '../../src/tools/unknown-keys.ts'
import { validateJsonSchema } from '../../src/tools/validate-json-schema.ts'
import { pointerParts } from '../../src/util/json.ts'
import { noCorpora, readCorpus } from '../support/corpora.ts'
import type { SchemaCase, SchemaEntry } from '../support/corpora.ts'

const entries = noCorpora ? [] : readCorpus<readonly SchemaEntry[]>('schemas', 'index.json')
const cases = entries.map((entry) => ({ ...entry, ...readCorpus<SchemaCase>('schemas', entry.file) }))
const isOfObject = ({ features }: SchemaEntry): boolean => !features.includes('top-level-not-object')
/** A reference leads out of the schema: nothing is ever fetched. */
const leadsOut = ({ id }: SchemaEntry): boolean =>
  ['document--schemastore--eslintrc', 'openapi-tool--openapi-mcp-server--secret-scanning-update-alert'].includes(id)

const refsIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value && typeof value.$ref === 'string' && value.$ref.startsWith('#') ? [value.$ref] : []
  return [...own, ...Object.values(value).flatMap(refsIn)]
}
const leads = (root: unknown, ref: string): boolean =>
  pointerParts(ref).reduce<unknown>(
    (found, part) => (typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[part] : undefined),
    root,
  ) !== undefined

describe.skipIf(noCorpora)(`real tool schemas${noCorpora ? ` (skipped: ${noCorpora})` : ''}`, () => {
  it('are there', () => expect(cases.length).toBeGreaterThan(50))

  it.each(cases.filter((entry) => isOfObject(entry) && !leadsOut(entry)))('$id: can be shown, and stays as it was', ({ id, schema }) => {
    const before = JSON.stringify(schema)
    const { jsonSchema } = compileSchema(schema, id)
    expect(JSON.stringify(schema)).toBe(before)
    expect(jsonSchema['type']).toBe('object')
    expect(JSON.stringify(jsonSchema)).not.toContain('"$schema":"http')
  })

  it.each(cases.filter((entry) => !isOfObject(entry) || leadsOut(entry)))('$id: cannot be shown, which is said', ({ id, schema }) => {
    expect(() => compileSchema(schema, id)).toThrow(ToolDefinitionError)
  })

  it.each(cases)('$id: every reference that led somewhere still does', ({ schema }) => {
    const cleaned = cleanSchema(schema)
    expect(refsIn(cleaned).filter((ref) => leads(schema, ref) && !leads(cleaned, ref))).toEqual([])
  })

  it.each(cases.filter((entry) => isOfObject(entry) && !leadsOut(entry)))(
    '$id: each input is judged as it should be',
    async ({ schema, instances }) => {
      for (const { value, valid, why } of instances)
        expect({ why, valid: !(await validateJsonSchema(schema, value)).issues }).toEqual({ why, valid })
    },
  )

  it('with `strict`, the unknown key of an input is found, and no key that a schema names anywhere', () => {
    const found = cases
      .filter((entry) => isOfObject(entry) && !leadsOut(entry))
      .flatMap(({ id, schema, instances }) => {
        const { jsonSchema } = compileSchema(schema, id)
        return instances
          .filter(({ valid }) => valid)
          .map(({ value, why }) => ({ id, why, paths: unknownKeys(jsonSchema, value).map(({ path }) => path!.join('.')) }))
      })
    const isAdded = ({ why }: { readonly why: string }): boolean => why === 'unknown property added'
    const added = found.filter(isAdded)
    expect(added.length).toBeGreaterThan(30)
    // None where the schema itself takes any key.
    expect(new Set(added.map(({ paths }) => paths.join()))).toEqual(new Set(['zz_unknown', '']))
    expect(added.filter(({ paths }) => paths.length === 1).length).toBeGreaterThan(added.length / 2)
    // These have keys that their schemas do not know.
    expect(found.filter((one) => !isAdded(one) && one.paths.length > 0).map(({ id }) => id)).toEqual([
      'document--schemastore--function',
      'document--schemastore--minecraft-dimension',
      'document--schemastore--vim-addon-info',
    ])
  })
})
