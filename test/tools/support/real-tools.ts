import type { ToolSpec } from '../../../src/models/model.ts'
import { foreignNames } from '../../../src/tools/foreign-name.ts'
import { normaliseSpec } from '../../../src/tools/normalise-spec.ts'
import { noCorpora, readCorpus } from '../../support/corpora.ts'
import type { SchemaCase, SchemaEntry } from '../../support/corpora.ts'

type RealTool = SchemaEntry & SchemaCase & { readonly description?: string }

/** Real tools, as their authors published them. */
const realTools: readonly RealTool[] = noCorpora
  ? []
  : readCorpus<readonly SchemaEntry[]>('schemas', 'index.json').map((entry) => ({
      ...entry,
      ...readCorpus<RealTool>('schemas', entry.file),
    }))

const attempts = realTools.map(({ id, name, description, schema }) => {
  try {
    return { id, name, spec: normaliseSpec({ name, description, inputSchema: schema }, 'the corpus') }
  } catch (error) {
    return { id, name, refused: String(error) }
  }
})

const shown = attempts.flatMap(({ name, spec }) => (spec ? [{ name, spec }] : []))
const names = foreignNames(shown.map(({ name }) => name))

/** The others, as a model is told of them. Names are unique but for tools whose authors gave them the same one. */
export const shownTools: readonly ToolSpec[] = shown.map(({ spec }, i) => ({
  name: names[i]!.name,
  description: spec.description,
  inputSchema: spec.inputSchema,
}))
