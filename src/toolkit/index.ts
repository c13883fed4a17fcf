import type { Jobs } from '../host/host.ts'
import type { Tool } from '../tools/tool.ts'
import { systemClock } from '../util/clock.ts'
import { editFile } from './edit-file.ts'
import { fileLog } from './files/file-log.ts'
import type { FileLog } from './files/file-log.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import { noJobs } from './host-of.ts'
import { listDir } from './list-dir.ts'
import { checkToolkitOptions } from './options.ts'
import type { ToolkitOptions } from './options.ts'
import { jobList } from './process/jobs.ts'
import { readFile } from './read-file.ts'
import { shell } from './shell.ts'
import { task } from './task.ts'
import { todo } from './todo.ts'
import { memoryUndo } from './undo/memory-undo.ts'
import type { UndoLog } from './undo/undo-log.ts'
import { webFetch } from './web-fetch.ts'
import { webSearch } from './web-search.ts'
import { writeFile } from './write-file.ts'

export type { FileKind, FileStats, FileSystem, FolderEntry, Lookups, NewFile, OpenedFile } from '../host/file-system.ts'
export type { CommandEnd, CommandRequest, Host, Job, Jobs } from '../host/host.ts'
export { fileResults } from '../results/file-results.ts'
export { editFile } from './edit-file.ts'
export { fileLog } from './files/file-log.ts'
export type { FileLog, FileVersion, Knowledge } from './files/file-log.ts'
export { glob } from './glob.ts'
export { grep } from './grep.ts'
export { listDir } from './list-dir.ts'
export { localHost } from './local-host.ts'
export type { LocalHostOptions, ToolkitOptions, WebOptions } from './options.ts'
export { readFile } from './read-file.ts'
export type { SandboxOptions } from './sandbox/place.ts'
export { shell } from './shell.ts'
export type { ShellResult } from './shell.ts'
export { task } from './task.ts'
export type { TaskAgent, TaskOptions } from './task.ts'
export { todo } from './todo.ts'
export type { TodoItem, TodoResult } from './todo.ts'
export { fileUndo } from './undo/file-undo.ts'
export type { FileUndoOptions } from './undo/file-undo.ts'
export { memoryUndo } from './undo/memory-undo.ts'
export { undoLast } from './undo/undo-last.ts'
export type { Undone } from './undo/undo-last.ts'
export type { Change, NewChange, UndoBounds, UndoLog } from './undo/undo-log.ts'
export type { AllowedHosts, Resolve } from './web/guard.ts'
export { duckDuckGo } from './web/search/duck-duck-go.ts'
export type { DuckDuckGoOptions } from './web/search/duck-duck-go.ts'
export type { SearchProvider, SearchRequest, SearchResult } from './web/search/provider.ts'
export { brave, exa, tavily } from './web/search/with-key.ts'
export type { KeyedSearchOptions } from './web/search/with-key.ts'
export { webFetch } from './web-fetch.ts'
export { webSearch } from './web-search.ts'
export { writeFile } from './write-file.ts'

/**
 * Tools, where the old content of the files goes that they change (`undoLast(toolkit.undo)` takes back the last change), and what
 * commands have left running (`toolkit.jobs.end()` ends it with a session).
 */
export type Toolkit = readonly Tool[] & { readonly undo: UndoLog; readonly jobs: Jobs }

/**
 * The tools for work in a folder: `read_file`, `list_dir`, `write_file`, `shell`, `edit_file`, `glob`, `grep`, `todo`, `web_search`,
 * `web_fetch` and `task`. They share what the model has seen, and what can be undone. A sub-agent gets its own of those that keep
 * something of one conversation; what it changes can be undone with the rest.
 */
export function toolkit(options: ToolkitOptions = {}): Toolkit {
  checkToolkitOptions('toolkit', options)
  const undo = options.undo ?? memoryUndo()
  const { host } = options
  const ownJobs = host ? undefined : (options.jobs ?? jobList(options.clock ?? systemClock))
  const own = new WeakSet<Tool>()
  const toolsWith = (files: FileLog): readonly Tool[] => {
    const shared = { ...options, files, undo, jobs: ownJobs }
    const made = [readFile, listDir, writeFile, shell, editFile, glob, grep, todo, webSearch, webFetch].map((make) => make(shared) as Tool)
    for (const tool of made) own.add(tool)
    return made
  }
  const renew = (tools: readonly Tool[]): readonly Tool[] => {
    const fresh = new Map(toolsWith(fileLog()).map((tool) => [tool.name, tool]))
    // One of the user's own under the same name stays.
    return tools.map((tool) => (own.has(tool) ? (fresh.get(tool.name) ?? tool) : tool))
  }
  const tools = [...toolsWith(options.files ?? fileLog()), task({ agents: options.agents, renew })]
  return Object.assign(tools, { undo, jobs: ownJobs ?? host?.jobs ?? noJobs })
}
