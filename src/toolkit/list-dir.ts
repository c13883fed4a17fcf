import { join } from 'node:path'
import type { FileKind, FileSystem } from '../host/file-system.ts'
import { judging } from '../host/judging.ts'
import { resolveLinks } from '../host/paths.ts'
import { jsonSchema } from '../tools/schema.ts'
import { tool } from '../tools/tool.ts'
import { fileError } from './files/file-error.ts'
import { isFolder as leadsToFolder } from './files/is-folder.ts'
import { locate } from './files/paths.ts'
import { readableName } from './files/readable-name.ts'
import { groundOf } from './ground.ts'
import { checkToolkitOptions } from './options.ts'
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
  const ground = groundOf(options)
  const { files } = ground
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
      const path = locate(ground, given)
      try {
        if ((await files.stat(path)).kind !== 'folder')
          throw new Error(`${JSON.stringify(given)} is not a folder. Use read_file to see what is in a file.`)
        const real = await judging(files, (look) => resolveLinks(look, path))
        return await list(files, path, all ? undefined : await ignoringIn(files, real), signal)
      } catch (error) {
        throw signal.aborted ? error : await fileError(files, error, path, given)
      }
    },
  })
}

/** An entry before it is shown. A link to a folder stands with the folders. */
type Entry = { readonly name: string; readonly isFolder: boolean; readonly kind: FileKind }

async function list(files: FileSystem, folder: string, ignoring: Ignoring | undefined, signal: AbortSignal): Promise<string> {
  const { entries, total, ignored } = await entriesOf(files, folder, ignoring, signal)
  if (total === 0 && ignored.count === 0) return '[The folder is empty.]'
  entries.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || (a.name < b.name ? -1 : 1))
  const lines: string[] = []
  let chars = 0
  // In groups: a thousand look-ups at once would crowd out every other file access.
  for (let from = 0; from < Math.min(entries.length, maxShown) && chars <= maxChars; from += 32) {
    signal.throwIfAborted()
    const group = entries.slice(from, Math.min(from + 32, maxShown))
    for (const line of await Promise.all(group.map((entry) => lineOf(files, folder, entry)))) {
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
  files: FileSystem,
  folder: string,
  ignoring: Ignoring | undefined,
  signal: AbortSignal,
): Promise<{ readonly entries: Entry[]; readonly total: number; readonly ignored: Ignored }> {
  const entries: Entry[] = []
  const names: string[] = []
  let count = 0
  let total = 0
  for await (const { name, kind } of files.list(folder)) {
    signal.throwIfAborted()
    if (ignoring?.isIgnored(name, kind === 'folder')) {
      if (count++ < maxIgnoredShown) names.push(name + (kind === 'folder' ? '/' : ''))
      continue
    }
    if (++total > maxSorted) continue
    const isFolder = kind === 'folder' || (kind === 'link' && (await leadsToFolder(files, join(folder, name))))
    entries.push({ name, isFolder, kind })
  }
  return { entries, total, ignored: { names, count } }
}

async function lineOf(files: FileSystem, folder: string, { name, isFolder, kind }: Entry): Promise<string> {
  const shown = readableName(name) + (isFolder ? '/' : '')
  const path = join(folder, name)
  try {
    if (kind === 'link') return `${shown} -> ${readableName(await files.readlink(path))}`
    if (isFolder) return shown
    if (kind === 'file') return `${shown} (${sizeOf(Number((await files.lstat(path)).size))})`
    return `${shown} (${kind === 'fifo' ? 'named pipe' : kind === 'socket' ? 'socket' : 'device'})`
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
