import type { JsonSchema } from '../../index.ts'
import { settingNames, settingTable } from './setting-table.ts'

/** The JSON Schema of a file of settings, for editors. `docs/config.schema.json` is this. */
export function configSchema(): JsonSchema {
  const properties: Record<string, unknown> = { $schema: { type: 'string' } }
  for (const name of settingNames) {
    const { help, schema, fallback } = settingTable[name]
    const leaf = { description: help, ...schema, ...(fallback !== undefined && { default: fallback }) }
    const [group, key] = name.split('.') as [string, string | undefined]
    if (key === undefined) properties[group] = leaf
    else {
      const object = (properties[group] ??= { type: 'object', additionalProperties: false, properties: {} }) as {
        readonly properties: Record<string, unknown>
      }
      object.properties[key] = leaf
    }
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of lena',
    type: 'object',
    additionalProperties: false,
    properties,
  }
}
