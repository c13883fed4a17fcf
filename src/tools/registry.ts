import type { AgentHandle } from '../agent/handle.ts'
import { InputError, ToolDefinitionError } from '../errors.ts'
import type { ToolSpec } from '../models/model.ts'
import { describe } from '../util/describe.ts'
import { isBlank } from '../util/text.ts'
import { checkProvider, checkTool, isProvider } from './check-tool.ts'
import { foldToolName } from './fold-name.ts'
import { namedSource } from './named-source.ts'
import type { ToolProvider } from './provider.ts'
import { ToolSet } from './tool-set.ts'
import type { Tool } from './tool.ts'

/**
 * What `tools` of an agent takes: tools, providers of tools (such as an MCP client), other agents, names of sources (a file, a
 * package, `file:export`), and arrays of all these.
 */
export type ToolSource = Tool | ToolProvider | AgentHandle | string | readonly ToolSource[]

/**
 * The tools of one agent: the user's own and those of its providers. Changes count from the next turn.
 *
 * Own tools go before those of a provider, and of two providers the one that was added first: what is in the way of another is
 * left out, with a `tool_skipped` warning.
 */
export interface ToolRegistry {
  /**
   * Adds tools and sources of tools; all of them or, when one is refused, none. The tools of a provider or a named source are
   * loaded before the next turn. A tool with `supportsHotReload` takes the place of the one of exactly its name.
   *
   * @throws {ToolDefinitionError} for what is no tool, and for a name that is taken or nearly so.
   */
  add(source: ToolSource): void
  /** Puts a tool in the place of the one of its name, or adds it. Whatever a provider loads later, this one stays. */
  replace(tool: Tool): void
  /**
   * True when there was one. A provider's tool stays away when its provider loads again.
   *
   * @throws {InputError} for what is no name.
   */
  remove(name: string): boolean
  get(name: string): Tool | undefined
  readonly names: readonly string[]
  /** What the model is told, in a stable order; the same array until what the model is told changes. */
  readonly specs: readonly ToolSpec[]
}

/** Takes back one change of the registry. */
export type Undo = () => void

/** Who has a name: `provider` is left out for the user's own. */
type Holder = { readonly tool: Tool; readonly provider: ToolProvider | undefined }

export class Tools implements ToolRegistry {
  readonly #own = new Map<string, Tool>()
  readonly #provided = new Map<ToolProvider, readonly Tool[]>()
  /** Names that the user has decided about, by replace() or remove(): providers give no tool of that name any more. */
  readonly #decided = new Set<string>()
  #providers: readonly ToolProvider[] = []
  #current = new ToolSet([])
  /** Which tool has a name, as names are compared. */
  #holders: ReadonlyMap<string, Holder> = new Map()
  #clashes: readonly string[] = []

  add(source: ToolSource): Undo {
    const tools: Tool[] = []
    const providers: ToolProvider[] = []
    // All are checked before the first is added, so that a refusal changes nothing.
    const added = new Map<string, string>()
    for (const item of flatten(source)) {
      if (isProvider(item)) {
        checkProvider(item)
        if (this.#providers.includes(item) || providers.includes(item))
          throw new ToolDefinitionError(`The tool provider "${item.name}" is there twice. Give it once.`, { code: 'duplicate_tool' })
        providers.push(item)
        continue
      }
      const tool = toolOf(item)
      checkTool(tool)
      this.#refuseTaken(tool, added)
      added.set(foldToolName(tool.name), tool.name)
      tools.push(tool)
    }
    const undo = [...tools.map((tool) => this.#put(tool)), ...providers.map((provider) => this.#join(provider))]
    this.#rebuild()
    return this.#undoing(undo)
  }

  replace(tool: Tool): Undo {
    checkTool(tool)
    const other = this.#holders.get(foldToolName(tool.name))?.tool.name
    if (other !== undefined && other !== tool.name) throw mixedUp(other, tool.name)
    const undo = [this.#put(tool), this.#decide(tool.name)]
    this.#rebuild()
    return this.#undoing(undo)
  }

  remove(name: string): boolean {
    checkName('remove', name)
    return this.take(name) !== undefined
  }

  /** Removes a tool, if there is one. */
  take(name: string): Undo | undefined {
    const tool = this.#own.get(name)
    const isProvided = [...this.#provided.values()].some((provided) => provided.some((other) => other.name === name))
    if (!tool && !(isProvided && this.#current.get(name))) return undefined
    const undo: Undo[] = []
    if (tool) {
      this.#own.delete(name)
      undo.push(() => void this.#own.set(name, tool))
    }
    if (isProvided) undo.push(this.#decide(name))
    this.#rebuild()
    return this.#undoing(undo)
  }

  get(name: string): Tool | undefined {
    checkName('get', name)
    return this.#current.get(name)
  }

  get names(): readonly string[] {
    return this.#current.names
  }

  get specs(): readonly ToolSpec[] {
    return this.#current.specs
  }

  /** The tools as they are now, for a turn to hold on to. */
  get current(): ToolSet {
    return this.#current
  }

  /** In the order of adding; another array after each change. */
  get providers(): readonly ToolProvider[] {
    return this.#providers
  }

  /**
   * Puts what a provider loaded in the place of what it gave before. One bad tool is left out, and so is one whose name is taken.
   *
   * @returns what is new about tools that are left out, as sentences.
   * @throws {TypeError} when it is no array.
   */
  provide(provider: ToolProvider, loaded: unknown): readonly string[] {
    if (!Array.isArray(loaded)) throw new TypeError(`loadTools() must resolve to an array of tools, got ${typeof loaded}.`)
    const bad: string[] = []
    const tools = (loaded as readonly unknown[]).filter((tool): tool is Tool => {
      try {
        checkTool(tool)
        // A request with it could not be sent.
        JSON.stringify(tool.inputSchema)
        return true
      } catch (error) {
        bad.push(`A tool of "${provider.name}" is left out. ${error instanceof Error ? error.message : String(error)}`)
        return false
      }
    })
    const before = new Set(this.#clashes)
    this.#provided.set(provider, tools)
    this.#rebuild()
    return [...bad, ...this.#clashes.filter((clash) => !before.has(clash))]
  }

  /** Takes away what a provider gave. */
  withdraw(provider: ToolProvider): void {
    if (this.#provided.delete(provider)) this.#rebuild()
  }

  #refuseTaken(tool: Tool, added: ReadonlyMap<string, string>): void {
    const folded = foldToolName(tool.name)
    const holder = this.#holders.get(folded)
    const other = holder?.tool.name ?? added.get(folded)
    if (other === undefined || (other === tool.name && tool.supportsHotReload)) return
    if (other !== tool.name) throw mixedUp(other, tool.name)
    const said = holder?.provider
      ? `The tool provider "${holder.provider.name}" has a tool named "${tool.name}".`
      : `There are two tools named "${tool.name}".`
    throw new ToolDefinitionError(`${said} Rename one, or use agent.tools.replace() to put one in the other's place.`, {
      code: 'duplicate_tool',
    })
  }

  #put(tool: Tool): Undo {
    const { name } = tool
    const before = this.#own.get(name)
    this.#own.set(name, tool)
    return () => {
      if (this.#own.get(name) !== tool) return
      if (before) this.#own.set(name, before)
      else this.#own.delete(name)
    }
  }

  #join(provider: ToolProvider): Undo {
    this.#providers = [...this.#providers, provider]
    return () => {
      this.#providers = this.#providers.filter((other) => other !== provider)
      this.#provided.delete(provider)
    }
  }

  #decide(name: string): Undo {
    if (this.#decided.has(name)) return () => {}
    this.#decided.add(name)
    return () => void this.#decided.delete(name)
  }

  #undoing(undo: readonly Undo[]): Undo {
    return () => {
      for (const take of undo.toReversed()) take()
      this.#rebuild()
    }
  }

  #rebuild(): void {
    const holders = new Map<string, Holder>()
    const clashes: string[] = []
    for (const tool of this.#own.values()) holders.set(foldToolName(tool.name), { tool, provider: undefined })
    for (const provider of this.#providers) {
      for (const tool of this.#provided.get(provider) ?? []) {
        if (this.#decided.has(tool.name)) continue
        const holder = holders.get(foldToolName(tool.name))
        if (!holder) holders.set(foldToolName(tool.name), { tool, provider })
        else clashes.push(clashOf(tool, provider, holder))
      }
    }
    this.#holders = holders
    this.#clashes = clashes
    this.#current = new ToolSet(
      [...holders.values()].map(({ tool }) => tool),
      this.#current,
    )
  }
}

/** A tool, or a promise of a name, would be passed over in silence. */
function checkName(method: string, name: unknown): asserts name is string {
  if (typeof name !== 'string') throw new InputError(`tools.${method}() takes the name of a tool, a text, got ${describe(name)}.`)
}

function mixedUp(other: string, name: string): ToolDefinitionError {
  return new ToolDefinitionError(
    `The tools "${other}" and "${name}" have names that models mix up (they differ only in "-", "_" or case). Rename one.`,
    { code: 'duplicate_tool' },
  )
}

function clashOf(tool: Tool, provider: ToolProvider, holder: Holder): string {
  const owner =
    holder.provider === undefined ? 'your own' : holder.provider === provider ? 'another of its own' : `of "${holder.provider.name}"`
  const near = holder.tool.name === tool.name ? '' : `, named "${holder.tool.name}"`
  return `The tool "${tool.name}" of "${provider.name}" is left out: its name is taken by ${owner}${near}.`
}

type Item = Exclude<ToolSource, string | readonly ToolSource[]>

function flatten(source: ToolSource): readonly Item[] {
  if (Array.isArray(source)) return source.flatMap((item: ToolSource) => flatten(item))
  if (typeof source !== 'string') return [source as Item]
  if (isBlank(source)) throw new ToolDefinitionError('The name of a source of tools is blank. Give a file, a package, or `file:export`.')
  return [namedSource(source, openSource)]
}

/** One of the two places that import across the layers, and only when a name asks for it. */
async function openSource(name: string): Promise<ToolProvider> {
  return (await import('../loading/index.ts')).toolsFrom(name)
}

/** An agent among tools stands for the tool that hands it a task. */
function toolOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item
  const { asTool } = item as { readonly asTool?: unknown }
  if (typeof asTool === 'function') return asTool.call(item)
  return item
}
