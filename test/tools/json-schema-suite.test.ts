import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dialectOf } from '../../src/tools/json-schema/dialect.ts'
import { SchemaDocument } from '../../src/tools/json-schema/document.ts'
import { compileJsonSchema } from '../../src/tools/json-schema/validator.ts'
import type { JsonSchema } from '../../src/util/json-schema.ts'
import { noCorpora, readCorpus } from '../support/corpora.ts'

type Group = {
  readonly description: string
  readonly schema: JsonSchema
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

/** The schema of schemas is known by its address alone; it would have to be fetched. */
const gaps = (file: string): readonly string[] => [
  `${file}: validate definition against metaschema: valid definition schema`,
  `${file}: validate definition against metaschema: invalid definition schema`,
  'ref.json: remote ref, containing refs itself: remote ref valid',
  'ref.json: remote ref, containing refs itself: remote ref invalid',
]

function run(folder: string, $schema: string) {
  const failed: string[] = []
  let total = 0
  for (const file of readdirSync(`../shared/corpora/schemas/jsts/${folder}`).sort())
    for (const { description, schema, tests } of readCorpus<readonly Group[]>('schemas', 'jsts', folder, file))
      for (const test of tests) {
        total++
        const judged = judge(schema, $schema, test.data)
        if (judged !== test.valid) failed.push(`${file}: ${description}: ${test.description}`)
      }
  return { total, passed: total - failed.length, failed }
}

function judge(schema: JsonSchema, $schema: string, data: unknown): boolean | undefined {
  try {
    return compileJsonSchema(schema, new SchemaDocument(schema, dialectOf({ $schema })))(data).length === 0
  } catch {
    return undefined
  }
}

describe.skipIf(noCorpora)(`the JSON Schema test suite${noCorpora ? ` (skipped: ${noCorpora})` : ''}`, () => {
  it.each([
    ['draft4', 'http://json-schema.org/draft-04/schema#', 591, 595, gaps('definitions.json')],
    ['draft7', 'http://json-schema.org/draft-07/schema#', 894, 898, gaps('definitions.json')],
    ['draft2020-12', 'https://json-schema.org/draft/2020-12/schema', 1238, 1242, gaps('defs.json')],
  ])('%s: all but what is not in the schema', (folder, $schema, passed, total, failed) => {
    expect(run(folder, $schema)).toEqual({ total, passed, failed })
  })
})
