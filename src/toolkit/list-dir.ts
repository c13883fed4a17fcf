import type { Dirent } from 'node:fs'
import { lstat, opendir, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonSchema } from '../tools/schema.ts'
import { tool } from '../tools/tool.ts'
import { fileError } from './files/file-error.ts'
import { locate, resolveLinks } from './files/paths.ts'
import { readableName } from './files/readable-name.ts'
import { checkToolkitOptions, workspaceOf } from './options.ts'
import type { ToolkitOptions } from './options.ts'
import { ignoringIn } from './search/ignore-files.ts'
import type { Ignoring } from './search/ignore-files.ts'

const maxShown = 1000
/** Leaves room for the last line within the default budget of a result. */
const maxChars = 28_000
/** A folder with more is counted, but only these are sorted: names of millions would fill the memory. */
const maxSorted = 100_000

/** Names of ignored entries that are told. */
const maxIgnoredShown = 10

/** The tool `list_dir`: what is in one folder, folders first, then by name; at most 1,000 entries. What ignore files name is only counted, unless `all`. */
export function listDir(options: ToolkitOptions = {}) {
  checkToolkitOptions('listDir', options)
  const workspace = workspaceOf(options)
  return tool({
    name: 'list_dir',
    description: `Lists one folder, hidden entries too: folders first, marked with "/" at the end, files with their size, links with "-> target". \
What ignore files (.gitignore) name is named in the last line alone.`,
    inputSchema: jsonSchema<{ readonly path?: string | undefined; readonly all?: boolean | undefined }>({
      type: 'object',
      properties: {
        path: {
          type: 'string',
          minLength: 1,
          description: 'The folder, relative to the workspace, or absolute. Default: ".", the workspace.',
        },
        all: { type: 'boolean', description: 'Ignored entries too. Default: false.' },
      },
    }),
    isReadOnly: true,
    isConcurrencySafe: true,
    execute: async ({ path: given = '.', all = false }, { signal }): Promise<string> => {
      const path = locate(workspace, given)
      try {
        if (!(await stat(path)).isDirectory())
          throw new Error(`${JSON.stringify(given)} is not a folder. Use read_file to see what is in a file.`)
        return await list(path, all ? undefined : await ignoringIn(resolveLinks(path)), signal)
      } catch (error) {
        throw signal.aborted ? error : await fileError(error, path, given)
      }
    },
  })
}

/** An entry before it is shown. A link to a folder stands with the folders. */
type Entry = { readonly name: string; readonly isFolder: boolean; readonly dirent: Dirent }

async function list(folder: string, ignoring: Ignoring | undefined, signal: AbortSignal): Promise<string> {
  const { entries, total, ignored } = await entriesOf(folder, ignoring, signal)
  if (total === 0 && ignored.count === 0) return '[The folder is empty.]'
  entries.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || (a.name < b.name ? -1 : 1))
  const lines: string[] = []
  let chars = 0
  // In groups: a thousand look-ups at once would crowd out every other file access.
  for (let from = 0; from < Math.min(entries.length, maxShown) && chars <= maxChars; from += 32) {
    signal.throwIfAborted()
    for (const line of await Promise.all(entries.slice(from, Math.min(from + 32, maxShown)).map((entry) => lineOf(folder, entry)))) {
      if ((chars += line.length + 1) > maxChars) break
      lines.push(line)
    }
  }
  const left = total - lines.length
  if (left > 0) lines.push(`[${left} more of ${total} entries are not shown. Narrow it down with shell, for example: ls | grep PATTERN]`)
  if (ignored.count > 0) lines.push(noteOn(ignored))
  return lines.join('\n')
}

type Ignored = { readonly names: readonly string[]; readonly count: number }

function noteOn({ names, count }: Ignored): string {
  const shown = [...names].sort().map(readableName).join(', ')
  const more = count > names.length ? ` and ${count - names.length} more` : ''
  return `[Ignored, not shown: ${shown}${more}. all=true shows what ignore files name.]`
}

async function entriesOf(
  folder: string,
  ignoring: Ignoring | undefined,
  signal: AbortSignal,
): Promise<{ readonly entries: Entry[]; readonly total: number; readonly ignored: Ignored }> {
  const entries: Entry[] = []
  const names: string[] = []
  let count = 0
  let total = 0
  for await (const dirent of await opendir(folder, { bufferSize: 256 })) {
    signal.throwIfAborted()
    if (ignoring?.isIgnored(dirent.name, dirent.isDirectory())) {
      if (count++ < maxIgnoredShown) names.push(dirent.name + (dirent.isDirectory() ? '/' : ''))
      continue
    }
    if (++total > maxSorted) continue
    const isFolder = dirent.isDirectory() || (dirent.isSymbolicLink() && (await leadsToFolder(join(folder, dirent.name))))
    entries.push({ name: dirent.name, isFolder, dirent })
  }
  return { entries, total, ignored: { names, count } }
}

const leadsToFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )

async function lineOf(folder: string, { name, isFolder, dirent }: Entry): Promise<string> {
  const shown = readableName(name) + (isFolder ? '/' : '')
  const path = join(folder, name)
  try {
    if (dirent.isSymbolicLink()) return `${shown} -> ${readableName(await readlink(path))}`
    if (isFolder) return shown
    if (dirent.isFile()) return `${shown} (${sizeOf((await lstat(path)).size)})`
    return `${shown} (${dirent.isFIFO() ? 'named pipe' : dirent.isSocket() ? 'socket' : 'device'})`
  } catch {
    // It went away while it was listed, or may not be looked at.
    return `${shown} (not readable)`
  }
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const power = Math.min(4, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(1)} ${['B', 'KB', 'MB', 'GB', 'TB'][power]}`
}
