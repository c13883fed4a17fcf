import { statSync } from 'node:fs'
import { AgentError, InputError, toAgentError } from '../errors.ts'
import type { ToolConsumer, ToolProvider } from '../tools/provider.ts'
import type { Tool } from '../tools/tool.ts'
import { notNeeded, reasonOf, settleOrAbort } from '../util/abort.ts'
import { fileLoader } from './load-file.ts'
import { ModuleGraph } from './module-graph.ts'
import type { LoadOptions } from './options.ts'
import { findJiti, needChokidar } from './peers.ts'
import type { Problem } from './tool-folder.ts'
import { ToolFolder } from './tool-folder.ts'
import type { FolderWatch } from './watch-folders.ts'
import { watchFolders } from './watch-folders.ts'

export type PathSource = { readonly path: string; readonly exportName: string | undefined }
type LoadToolsOptions = Parameters<ToolProvider['loadTools']>[0]
type Watching = { readonly end: AbortController; readonly opened: Promise<FolderWatch | undefined> }

/** The tools of a folder or of one file. It is read once, and watched as long as somebody uses it. */
export class FolderProvider implements ToolProvider {
  readonly name: string
  readonly #source: PathSource
  readonly #options: LoadOptions
  readonly #consumers = new Set<ToolConsumer>()
  /** Consumers that have not been told of what is wrong. Each loads once when it comes. */
  #untold = 0
  #folder: ToolFolder | undefined
  /** One after another: two loads at once would each see half of what the other changes. */
  #queue: Promise<unknown> = Promise.resolve()
  #watching: Watching | undefined
  #hints = 0
  /** How many of the hints were followed. */
  #done = 0
  #isReloading = false

  constructor(name: string, source: PathSource, options: LoadOptions) {
    this.name = name
    this.#source = source
    this.#options = options
  }

  async loadTools(context: LoadToolsOptions): Promise<readonly Tool[]> {
    const { signal } = context
    const settled = await settleOrAbort(
      this.#inTurn(() => this.#load()),
      signal,
    )
    if (!settled) throw reasonOf(signal)
    if (!settled.ok) throw settled.error
    const { tools, problems } = settled.value
    if (this.#consumers.size === 0 || this.#untold > 0) for (const { code, message } of problems) context.warn(code, message)
    this.#untold = Math.max(0, this.#untold - 1)
    return tools
  }

  addConsumer(consumer: ToolConsumer): void {
    if (this.#consumers.has(consumer)) return
    this.#consumers.add(consumer)
    this.#untold++
    if (this.#options.watch && !this.#watching) this.#watch()
  }

  async removeConsumer(consumer: ToolConsumer): Promise<void> {
    if (!this.#consumers.delete(consumer)) return
    this.#untold = Math.min(this.#untold, this.#consumers.size)
    if (this.#consumers.size > 0 || !this.#watching) return
    const { end, opened } = this.#watching
    this.#watching = undefined
    end.abort(notNeeded)
    const watch = await opened
    await watch?.close()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work)
    this.#queue = turn.catch(() => {})
    return turn
  }

  async #load(): Promise<ToolFolder> {
    if (this.#folder) return this.#folder
    const { path, exportName } = this.#source
    const kind = statSync(path, { throwIfNoEntry: false })
    if (!kind) throw new AgentError(`There is no file or folder ${path} to load tools from.`, { code: 'tools_not_found' })
    if (kind.isDirectory() && exportName !== undefined)
      throw new InputError(
        `${path} is a folder and has no export \`${exportName}\`. Name a file: "${this.name.replace(/:[^:]*$/, '')}/….ts:${exportName}".`,
      )
    if (this.#options.watch) await needChokidar()
    const jiti = await findJiti()
    const graph = jiti && new ModuleGraph(jiti)
    const folder = new ToolFolder({ path, exportName, graph, load: fileLoader(graph, this.#options) })
    await folder.update({ every: true })
    // One file that was asked for by its name must be there. Of a folder the rest is of use.
    if (!kind.isDirectory() && folder.error !== undefined)
      throw toAgentError(folder.error, 'tool_load_failed', `The tools of ${path} cannot be loaded`)
    this.#folder = folder
    if (this.#watching) void this.#watching.opened.then((watch) => watch?.add(folder.folders))
    // What was heard meanwhile may be of a file that was read already.
    this.#catchUp()
    return folder
  }

  #watch(): void {
    const end = new AbortController()
    const open = async (): Promise<FolderWatch | undefined> => {
      // What is missing is said by loadTools.
      const chokidar = await needChokidar().catch(() => undefined)
      if (!chokidar || end.signal.aborted) return undefined
      const watch = watchFolders(chokidar, {
        root: this.#source.path,
        onChange: () => this.#hint(),
        onError: (error) => this.#tell([{ code: 'tool_watch_failed', message: `${this.name} is not watched well: ${String(error)}` }]),
      })
      if (this.#folder) watch.add(this.#folder.folders)
      return watch
    }
    this.#watching = { end, opened: open() }
  }

  #hint(): void {
    this.#hints++
    this.#catchUp()
  }

  #catchUp(): void {
    if (this.#isReloading || !this.#folder || !this.#watching || this.#done === this.#hints) return
    this.#isReloading = true
    void this.#reload(this.#watching.end.signal).finally(() => {
      this.#isReloading = false
      // Another watch may have begun meanwhile.
      this.#catchUp()
    })
  }

  async #reload(signal: AbortSignal): Promise<void> {
    const { clock, settleMs } = this.#options
    let seen = -1
    // Until it has been quiet for a while, but not for ever: one file may be written all the time.
    for (let rounds = 0; seen !== this.#hints && rounds < 20 && !signal.aborted; rounds++) {
      seen = this.#hints
      await clock.sleep(settleMs, signal)
    }
    if (signal.aborted) return
    this.#done = this.#hints
    await this.#inTurn(() => this.#update(signal))
  }

  async #update(signal: AbortSignal): Promise<void> {
    const folder = this.#folder
    if (!folder || signal.aborted) return
    const before = { tools: folder.tools, problems: folder.problems }
    try {
      if (await folder.update()) this.#hints++
    } catch (error) {
      return this.#tell([{ code: 'tool_reload_failed', message: `${this.name} cannot be read: ${String(error)}` }])
    }
    if (signal.aborted) return
    void this.#watching?.opened.then((watch) => watch?.add(folder.folders))
    this.#tell(folder.problems.filter(({ code, message }) => !before.problems.some((old) => old.code === code && old.message === message)))
    if (isSame(before.tools, folder.tools)) return
    for (const consumer of this.#consumers) consumer.toolsChanged()
  }

  #tell(problems: readonly Problem[]): void {
    for (const consumer of this.#consumers) for (const { code, message } of problems) consumer.warn(code, message)
  }
}

const isSame = (a: readonly Tool[], b: readonly Tool[]): boolean => a.length === b.length && a.every((tool, index) => tool === b[index])
