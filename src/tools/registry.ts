import { NotYetError, ToolDefinitionError } from '../errors.ts'
import type { ToolSpec } from '../models/model.ts'
import { isObject } from '../util/json.ts'
import { checkToolName, checkTraits } from './tool.ts'
import type { Tool } from './tool.ts'

/** What `tools` of an agent takes: tools, and arrays of them, nested as you like. */
export type ToolSource = Tool | readonly ToolSource[]

/** The tools of one agent. Changes count from the next turn. */
export interface ToolRegistry {
  /** @throws {ToolDefinitionError} for what is no tool, and for a name that is taken or nearly so. */
  add(source: ToolSource): void
  /** Puts a tool in the place of the one of its name, or adds it. */
  replace(tool: Tool): void
  /** True when there was one. */
  remove(name: string): boolean
  get(name: string): Tool | undefined
  readonly names: readonly string[]
  /** What the model is told, in a stable order. */
  readonly specs: readonly ToolSpec[]
}

export class Tools implements ToolRegistry {
  readonly #tools = new Map<string, Tool>()
  /** Names as they are compared: models mix up `-`, `_` and case. */
  readonly #folded = new Map<string, string>()
  #specs: readonly ToolSpec[] | undefined

  add(source: ToolSource): void {
    const tools = flatten(source)
    // All are checked before the first is added, so that a refusal changes nothing.
    const added = new Map<string, string>()
    for (const tool of tools) {
      checkTool(tool)
      const folded = fold(tool.name)
      const other = this.#folded.get(folded) ?? added.get(folded)
      if (other === tool.name)
        throw new ToolDefinitionError(
          `There are two tools named "${tool.name}". Rename one, or use agent.tools.replace() to put one in the other's place.`,
          { code: 'duplicate_tool' },
        )
      if (other !== undefined)
        throw new ToolDefinitionError(
          `The tools "${other}" and "${tool.name}" have names that models mix up (they differ only in "-", "_" or case). Rename one.`,
          { code: 'duplicate_tool' },
        )
      added.set(folded, tool.name)
    }
    for (const tool of tools) this.#put(tool)
  }

  replace(tool: Tool): void {
    checkTool(tool)
    const other = this.#folded.get(fold(tool.name))
    if (other !== undefined && other !== tool.name)
      throw new ToolDefinitionError(
        `The tools "${other}" and "${tool.name}" have names that models mix up (they differ only in "-", "_" or case). Rename one.`,
        { code: 'duplicate_tool' },
      )
    this.#put(tool)
  }

  remove(name: string): boolean {
    if (!this.#tools.delete(name)) return false
    this.#specs = undefined
    this.#folded.delete(fold(name))
    return true
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name)
  }

  get names(): readonly string[] {
    return [...this.#tools.keys()]
  }

  /** Made once for each change of the registry, sorted by name: an order that never changes keeps the provider's prompt cache. */
  get specs(): readonly ToolSpec[] {
    return (this.#specs ??= Object.freeze(
      [...this.#tools.values()]
        .map(({ name, description, inputSchema }) => Object.freeze({ name, description, inputSchema }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    ))
  }

  #put(tool: Tool): void {
    this.#specs = undefined
    this.#tools.set(tool.name, tool)
    this.#folded.set(fold(tool.name), tool.name)
  }
}

const fold = (name: string): string => name.replaceAll('-', '_').toLowerCase()

function flatten(source: ToolSource): readonly Tool[] {
  return Array.isArray(source) ? source.flatMap((item: ToolSource) => flatten(item)) : [source as Tool]
}

/** @throws {ToolDefinitionError} that says what is missing for it to be a tool. */
function checkTool(tool: unknown): asserts tool is Tool {
  if (typeof tool === 'string') throw new NotYetError(`Loading a tool by name (${JSON.stringify(tool)})`)
  if ((typeof tool !== 'object' && typeof tool !== 'function') || tool === null)
    throw new ToolDefinitionError(`A tool is made by tool({ … }); got ${tool === null ? 'null' : typeof tool}.`)
  if (typeof (tool as { loadTools?: unknown }).loadTools === 'function') throw new NotYetError('A tool provider')
  const { name, description, inputSchema, run } = tool as Partial<Tool>
  if (typeof run !== 'function')
    throw new ToolDefinitionError(
      `This is not a tool: ${typeof tool === 'function' ? `the function "${tool.name}" has` : 'the object has'} no run(input, context). Make it with tool({ name, description, inputSchema, execute }).`,
    )
  checkToolName(name)
  if (typeof description !== 'string') throw new ToolDefinitionError(`The tool "${name}" needs a description, got ${typeof description}.`)
  if (!isObject(inputSchema))
    throw new ToolDefinitionError(`The tool "${name}" needs an inputSchema (a JSON Schema object), got ${typeof inputSchema}.`)
  checkTraits(tool, `The tool "${name}"`)
  if ((tool as Tool).needsApproval) throw new NotYetError('`needsApproval`')
}
