import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dialectOf } from '../../src/tools/json-schema/dialect.ts'
import { SchemaDocument } from '../../src/tools/json-schema/document.ts'
import { addMetaschemas, compileJsonSchema } from '../../src/tools/json-schema/validator.ts'
import type { JsonSchema } from '../../src/util/json-schema.ts'
import { noCorpora, readCorpus } from '../support/corpora.ts'

type Group = {
  readonly description: string
  readonly schema: JsonSchema
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

async function run(folder: string, $schema: string) {
  const failed: string[] = []
  let total = 0
  for (const file of readdirSync(`../shared/corpora/schemas/jsts/${folder}`).sort())
    for (const { description, schema, tests } of readCorpus<readonly Group[]>('schemas', 'jsts', folder, file)) {
      const document = new SchemaDocument(schema, dialectOf({ $schema }))
      await addMetaschemas(document)
      for (const test of tests) {
        total++
        if (judge(schema, document, test.data) !== test.valid) failed.push(`${file}: ${description}: ${test.description}`)
      }
    }
  return { total, passed: total - failed.length, failed }
}

function judge(schema: JsonSchema, document: SchemaDocument, data: unknown): boolean | undefined {
  try {
    return compileJsonSchema(schema, document)(data).length === 0
  } catch {
    return undefined
  }
}

describe.skipIf(noCorpora)(`the JSON Schema test suite${noCorpora ? ` (skipped: ${noCorpora})` : ''}`, () => {
  it.each([
    ['draft4', 'http://json-schema.org/draft-04/schema#', 595],
    ['draft7', 'http://json-schema.org/draft-07/schema#', 898],
    ['draft2020-12', 'https://json-schema.org/draft/2020-12/schema', 1242],
  ])('%s: all that needs no network', async (folder, $schema, total) => {
    expect(await run(folder, $schema)).toEqual({ total, passed: total, failed: [] })
  })
})
