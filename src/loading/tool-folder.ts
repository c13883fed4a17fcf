import { dirname } from 'node:path'
import { realpathSync } from 'node:fs'
import { foldToolName } from '../tools/fold-name.ts'
import type { Tool } from '../tools/tool.ts'
import { saidBy } from '../util/said-by.ts'
import type { FileLoad, FileLoader } from './load-file.ts'
import { tooLong } from './load-file.ts'
import type { ModuleGraph } from './module-graph.ts'
import { codeOf } from './native-import.ts'
import { pickTools } from './pick-tools.ts'
import { toolFiles, versionOf } from './tool-files.ts'

export type Problem = { readonly code: string; readonly message: string }

/** One file with tools. */
type Entry = {
  readonly tools: readonly Tool[]
  readonly problems: readonly Problem[]
  /** Its newest load failed, or gave something bad. */
  readonly isBroken: boolean
  /** It never came to its end. It is not tried for changes of others, which would all wait for it again. */
  readonly isHung?: boolean | undefined
  readonly seen: ReadonlyMap<string, string | undefined>
  /** Why nothing could be loaded, for those who want to throw it. */
  readonly error?: unknown
}

export type FolderOptions = {
  /** A folder, or one file. */
  readonly path: string
  readonly exportName: string | undefined
  readonly load: FileLoader
  readonly graph: ModuleGraph | undefined
}

/** The tools of a folder, or of one file, as they are now. */
export class ToolFolder {
  readonly #options: FolderOptions
  #entries: ReadonlyMap<string, Entry> = new Map()
  #tools: readonly Tool[] = []
  #problems: readonly Problem[] = []

  constructor(options: FolderOptions) {
    this.#options = options
  }

  get tools(): readonly Tool[] {
    return this.#tools
  }

  get problems(): readonly Problem[] {
    return this.#problems
  }

  /** Why the one file could not be loaded. */
  get error(): unknown {
    return [...this.#entries.values()].find(({ error }) => error !== undefined)?.error
  }

  get files(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** The folders in which a change may matter: those of all files that were read, and of what links point to. */
  get folders(): ReadonlySet<string> {
    const paths = [...this.#entries].flatMap(([file, { seen }]) => [file, ...seen.keys()])
    return new Set(paths.flatMap((path) => [dirname(path), dirname(realOf(path))]))
  }

  /**
   * Loads what is new, what changed, and what failed when anything changed. A file that cannot be loaded any more keeps its tools.
   * With `every`, what failed is tried in any case. True when a file changed while it was read: come again.
   */
  async update({ every = false } = {}): Promise<boolean> {
    const files = await toolFiles(this.#options.path)
    const gone = this.files.filter((file) => !files.includes(file))
    const changed = new Set([...this.#entries.values()].flatMap(({ seen }) => changedOf(seen)))
    const stale = this.#options.graph?.forget([...changed, ...gone]) ?? changed
    const isAnyNew = every || changed.size > 0 || gone.length > 0 || files.some((file) => !this.#entries.has(file))
    const entries = new Map<string, Entry>()
    let isAgain = false
    for (const file of files) {
      const old = this.#entries.get(file)
      const isDue = !old || stale.has(file) || changedOf(old.seen).length > 0 || (old.isBroken && !old.isHung && isAnyNew)
      if (!isDue) entries.set(file, old)
      else {
        const entry = this.#entryOf(file, old, await this.#options.load(file))
        const isHalf = (entry.isBroken || entry.tools.length === 0) && changedOf(entry.seen).length > 0
        isAgain ||= isHalf
        // It was being written: a file is empty at first. What it was before counts until it rests, and nothing is said.
        entries.set(file, isHalf && old ? { ...old, seen: new Map([...old.seen, ...entry.seen]), isBroken: true } : entry)
      }
    }
    this.#entries = entries
    this.#collect()
    return isAgain
  }

  #entryOf(file: string, old: Entry | undefined, { seen, settled, keep }: FileLoad): Entry {
    try {
      if (!settled.ok) throw settled.error
      const { tools, bad } = pickTools(settled.value, this.#options.exportName)
      if (bad.length > 0 && old && old.tools.length > 0) throw new Error(bad.join(' '))
      keep()
      const problems = bad.map((reason) => ({ code: 'tool_skipped', message: `${file}: ${reason}` }))
      if (tools.length === 0 && bad.length === 0) problems.push({ code: 'no_tools_in_file', message: noTools(file) })
      return { tools, problems, isBroken: bad.length > 0, seen: seen }
    } catch (error) {
      // A load that was kept is complete; here is what was seen until it failed, and what the old version is made of.
      const all = new Map([...(old?.seen ?? []), ...seen].map(([path, version]) => [path, seen.get(path) ?? version]))
      for (const path of all.keys()) if (!seen.has(path)) all.set(path, versionOf(path))
      return {
        tools: old?.tools ?? [],
        problems: [failure(file, error, old)],
        isBroken: true,
        isHung: codeOf(error) === tooLong,
        seen: all,
        error,
      }
    }
  }

  #collect(): void {
    const tools: Tool[] = []
    const problems = [...this.#entries.values()].flatMap((entry) => entry.problems)
    const holders = new Map<string, { readonly name: string; readonly file: string }>()
    for (const [file, entry] of this.#entries) {
      for (const tool of entry.tools) {
        const holder = holders.get(foldToolName(tool.name))
        if (!holder) {
          holders.set(foldToolName(tool.name), { name: tool.name, file })
          tools.push(tool)
        } else problems.push({ code: 'tool_skipped', message: double(tool.name, file, holder) })
      }
    }
    this.#tools = tools
    this.#problems = problems
  }
}

const changedOf = (seen: ReadonlyMap<string, string | undefined>): readonly string[] =>
  [...seen].flatMap(([path, version]) => (versionOf(path) === version ? [] : [path]))

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const noTools = (file: string): string =>
  `${file} exports no tool. Export what tool({ … }) makes; a file that is there for others has a name that begins with "_".`

const double = (name: string, file: string, first: { readonly name: string; readonly file: string }): string =>
  `The tool "${name}" of ${file} is left out: ${first.file} has a tool named "${first.name}". Rename one.`

function failure(file: string, error: unknown, old: Entry | undefined): Problem {
  const reason = error instanceof Error ? `${error.name}: ${saidBy(error)}` : saidBy(error)
  return old && old.tools.length > 0
    ? { code: 'tool_reload_failed', message: `${file} cannot be loaded again, its tools stay as they were. ${reason}` }
    : { code: 'tool_load_failed', message: `${file} cannot be loaded. ${reason}` }
}
