import type { Tool, ToolChoice as WireToolChoice } from '@aws-sdk/client-bedrock-runtime'
import type { CachePointBlock } from '../../messages/content.ts'
import type { ModelRequest, ToolChoice, ToolSpec } from '../../models/model.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import { withPlainKeys } from '../wire/plain-keys.ts'
import { wirePoint } from './cache-points.ts'
import type { Family } from './families.ts'

/** The API wants tools wherever the history holds calls. Where there are none, this one stands for them. */
const placeholderTool: Tool = {
  toolSpec: {
    name: 'no_tool',
    description: 'There are no tools now. Do not call this.',
    inputSchema: { json: { type: 'object', properties: {} } },
  },
}

export type ToolConfigOptions = {
  /** The history holds calls. */
  readonly holdsCalls: boolean
  readonly thinks: boolean
  /** What the user's own fields say of tools. */
  readonly theirs: JsonValue | undefined
  /** The cache point behind the tools. */
  readonly mark: CachePointBlock | undefined
}
export type MadeToolConfig = { readonly toolConfig: JsonObject | undefined; readonly isMarked: boolean }

/** Says which tools there are and which must be called. The list for the same tools is made once. */
export class ToolConfigs {
  readonly #family: Family
  readonly #tools = new WeakMap<readonly ToolSpec[], readonly Tool[]>()

  constructor(family: Family) {
    this.#family = family
  }

  of(
    { tools, toolChoice }: Pick<ModelRequest, 'tools' | 'toolChoice'>,
    { holdsCalls, thinks, theirs, mark }: ToolConfigOptions,
  ): MadeToolConfig {
    const { tools: more, ...fields } = isObject(theirs) ? theirs : {}
    // Tools that the server runs itself stand behind ours.
    const serverTools = Array.isArray(more) ? (more as unknown as readonly Tool[]) : []
    // There is no word for "none": what must not be called is not told of.
    const offered = toolChoice === 'none' ? [] : [...this.#toolsOf(tools), ...serverTools]
    if (offered.length === 0) return { toolConfig: holdsCalls ? asData({ tools: [placeholderTool] }) : undefined, isMarked: false }
    const choice = wireToolChoice(toolChoice, thinks ? 'nothing' : this.#family.forced)
    const isMarked = mark !== undefined && this.#family.caches === 'everywhere'
    return {
      toolConfig: asData({
        tools: isMarked ? [...offered, wirePoint(mark, this.#family)] : offered,
        ...(choice && { toolChoice: choice }),
        ...fields,
      }),
      isMarked,
    }
  }

  #toolsOf(specs: readonly ToolSpec[]): readonly Tool[] {
    let tools = this.#tools.get(specs)
    if (!tools) {
      // What a tool says beside these three is meant for the provider.
      tools = specs.map(({ name, description, inputSchema, ...rest }) => ({
        toolSpec: { name, ...(description && { description }), inputSchema: { json: withPlainKeys(inputSchema) }, ...rest },
      })) as unknown as readonly Tool[]
      this.#tools.set(specs, tools)
    }
    return tools
  }
}

/** No bytes in it, so it is plain data. */
const asData = (config: object): JsonObject => config as JsonObject

/** A model that thinks cannot be forced, and not every other one can. */
function wireToolChoice(choice: ToolChoice, forced: Family['forced']): WireToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || forced === 'nothing') return undefined
  return choice === 'required' || forced === 'any' ? { any: {} } : { tool: { name: choice.name } }
}
