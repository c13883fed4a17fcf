import type { JsonSchema } from '../../util/json-schema.ts'
import type { StandardIssue } from '../standard-schema.ts'
import { arrayKeywords } from './array-keywords.ts'
import { SchemaDocument } from './document.ts'
import { logicKeywords, referenceKeywords, unevaluatedKeywords } from './logic-keywords.ts'
import { objectKeywords } from './object-keywords.ts'
import { Run } from './run.ts'
import type { Keyword } from './run.ts'
import { valueKeywords } from './value-keywords.ts'

export { addMetaschemas } from './add-metaschemas.ts'

const keywords: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({
    ...referenceKeywords,
    ...valueKeywords,
    ...objectKeywords,
    ...arrayKeywords,
    ...logicKeywords,
    ...unevaluatedKeywords,
  }),
)

/**
 * A validator for the drafts 04, 06, 07, 2019-09 and 2020-12. `format` and the content keywords say something of a value, and
 * refuse none, as 2020-12 has it. Nothing is fetched, no code is made of a schema, and the work that a schema can ask for is bounded.
 *
 * @throws {ToolDefinitionError} (from the function that it gives) when a reference names nothing, or leads to itself.
 */
export function compileJsonSchema(schema: JsonSchema, document = new SchemaDocument(schema)): (value: unknown) => readonly StandardIssue[] {
  const prepared = new Map<JsonSchema, readonly (readonly [Keyword, unknown])[]>()
  return (value) => new Run(document, keywords, prepared).start(value)
}
