import type { JsonSchema } from '../../util/json-schema.ts'
import { dialectOf } from './dialect.ts'
import type { Place, SchemaDocument } from './document.ts'
import { isMetaschema } from './metaschema-address.ts'

/** Takes the schemas of schemas that the document refers to into it. They are loaded when the first document asks for one. */
export async function addMetaschemas(document: SchemaDocument): Promise<void> {
  const drafts = new Set(metaschemasIn(document).map(draftOf))
  if (drafts.size === 0) return
  const { metaschemas } = await import('./metaschemas.ts')
  for (const [uri, schema] of metaschemas)
    if (drafts.has(draftOf(uri)) && !document.resources.has(uri)) document.add(schema, uri, dialectOf({ $schema: uri }))
}

/** What refers to one part of a draft needs the others too. */
const draftOf = (uri: string): string => uri.replace(/\/(?:schema|meta\/[a-z-]+)$/, '')

/** The addresses of the schemas of schemas that it refers to. */
function metaschemasIn(document: SchemaDocument): readonly string[] {
  const found = new Set<string>()
  // What a reference finds behind a word that is no keyword joins the places while they are looked at.
  for (const [schema, { resource }] of document.places as ReadonlyMap<JsonSchema, Place>)
    for (const key of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = schema[key]
      if (typeof reference !== 'string' || document.resolve(reference, resource)) continue
      const uri = document.addressOf(reference, resource)
      if (uri !== undefined && isMetaschema(uri)) found.add(uri)
    }
  return [...found]
}
