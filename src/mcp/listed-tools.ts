import type { Tool as McpTool } from '@modelcontextprotocol/client'
import { foreignNames } from '../tools/foreign-name.ts'
import { normaliseSpec } from '../tools/normalise-spec.ts'
import type { NormalisedSpec } from '../tools/normalise-spec.ts'
import type { McpClientSettings } from './options.ts'

/** One tool of a server: its description as it came, and as an agent uses it. */
export type ListedTool = { readonly definition: McpTool; readonly name: string; readonly spec: NormalisedSpec }

export type ListingOptions = Pick<McpClientSettings, 'allow' | 'deny' | 'prefix' | 'annotations'> & {
  readonly serverName: string
  readonly skip: (said: string) => void
}

/** The tools that are wanted, each with the name by which the model knows it. One that is no good is left out. */
export function listedTools(
  definitions: readonly McpTool[],
  { allow, deny, prefix = '', annotations = {}, serverName, skip }: ListingOptions,
): readonly ListedTool[] {
  const seen = new Set<string>()
  const good = definitions.flatMap((definition) => {
    const { name } = definition
    if ((allow && !matches(name, allow)) || (deny && matches(name, deny))) return []
    if (seen.has(name)) {
      skip(`The MCP server "${serverName}" has two tools named "${name}"; the second is left out.`)
      return []
    }
    seen.add(name)
    try {
      return [{ definition: annotated(definition, annotations), spec: normaliseSpec(definition, `the MCP server "${serverName}"`) }]
    } catch (error) {
      skip(`A tool is left out. ${error instanceof Error ? error.message : String(error)}`)
      return []
    }
  })
  const names = foreignNames(good.map(({ definition }) => prefix + definition.name))
  return good.map((tool, index) => ({ ...tool, name: names[index]!.name }))
}

/** What is known here of a tool goes before what its server says. */
function annotated(definition: McpTool, known: NonNullable<McpClientSettings['annotations']>): McpTool {
  const more = Object.hasOwn(known, definition.name) ? known[definition.name] : known['*']
  return more ? { ...definition, annotations: { ...definition.annotations, ...(more as McpTool['annotations']) } } : definition
}

/** `search` asks from the beginning, whatever flags a RegExp has. */
const matches = (name: string, patterns: readonly (string | RegExp)[]): boolean =>
  patterns.some((pattern) => (typeof pattern === 'string' ? pattern === name : name.search(pattern) !== -1))
