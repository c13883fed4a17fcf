import { dirname, join, relative, sep } from 'node:path'
import type { FileSystem } from '../../host/file-system.ts'
import { openRegular } from '../files/open-regular.ts'
import { readStart } from '../files/read-bytes.ts'
import { ignoreRules } from './ignore-rules.ts'
import type { IgnoreRules } from './ignore-rules.ts'

/** Which files say what is ignored, those first that count more. */
const fileNames = ['.rgignore', '.ignore', '.gitignore'] as const
/** Of longer ones only the beginning is read. */
const maxBytes = 1024 * 1024

/** What belongs to version control is never looked through, ignored or not. */
export const isVersionControl = (name: string): boolean => name === '.git' || name === '.hg' || name === '.svn' || name === '.jj'

type FolderRules = { readonly folder: string; readonly rules: readonly (IgnoreRules | undefined)[]; readonly isRepository: boolean }

/** The rules that hold in one folder: its own and those of the folders above it. */
export type Ignoring = {
  isIgnored(name: string, isFolder: boolean): boolean
  /** For a folder in it. @param names what is in that folder. */
  enter(name: string, names: ReadonlySet<string>): Promise<Ignoring>
}

/**
 * Reads the ignore files of a folder and of all above it. Within a git repository a `.gitignore` holds up to the top of that
 * repository; elsewhere it holds for all below it, too, although git would not read it.
 *
 * @param folder with its links resolved.
 */
export async function ignoringIn(files: FileSystem, folder: string): Promise<Ignoring> {
  const chain = [await rulesOf(files, folder)]
  for (let above = dirname(folder), below = folder; above !== below; below = above, above = dirname(above))
    chain.push(await rulesOf(files, above))
  return ignoring(
    files,
    folder,
    chain,
    chain.some(({ isRepository }) => isRepository),
  )
}

/** Is the folder in a git repository, or the top of one? */
export async function isInRepository(files: FileSystem, folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (await exists(files, join(at, '.git'))) return true
    if (dirname(at) === at) return false
  }
}

/** @param chain from the folder itself upwards. */
function ignoring(files: FileSystem, folder: string, chain: readonly FolderRules[], stopsAtRepository: boolean): Ignoring {
  const verdict = (kind: number, path: string, isFolder: boolean): 'ignored' | 'kept' | undefined => {
    for (const level of chain) {
      const rules = level.rules[kind]
      const said = rules?.(relative(level.folder, path).split(sep).join('/'), isFolder)
      if (said !== undefined) return said
      if (stopsAtRepository && level.isRepository && fileNames[kind] === '.gitignore') return undefined
    }
    return undefined
  }
  return {
    isIgnored(name, isFolder) {
      const path = join(folder, name)
      for (let kind = 0; kind < fileNames.length; kind++) {
        const said = verdict(kind, path, isFolder)
        if (said !== undefined) return said === 'ignored'
      }
      return false
    },
    async enter(name, names) {
      const below = join(folder, name)
      return ignoring(files, below, [await rulesOf(files, below, names), ...chain], stopsAtRepository)
    },
  }
}

/** @param names what is in the folder, where that is known: it is not looked for then. */
async function rulesOf(files: FileSystem, folder: string, names?: ReadonlySet<string>): Promise<FolderRules> {
  const isThere = (name: string): boolean | Promise<boolean> => names?.has(name) ?? exists(files, join(folder, name))
  const [isRepository, ...rules] = await Promise.all([
    isThere('.git'),
    ...fileNames.map(async (name) => ((await isThere(name)) ? await readRules(files, join(folder, name)) : undefined)),
  ])
  return { folder, rules, isRepository }
}

async function readRules(files: FileSystem, path: string): Promise<IgnoreRules | undefined> {
  try {
    // Opened as a regular file: a FIFO of that name must not hold the search.
    const { handle } = await openRegular(files, path, path)
    try {
      return ignoreRules((await readStart(handle, maxBytes)).toString('utf8'))
    } finally {
      await handle.close()
    }
  } catch {
    return undefined
  }
}

const exists = (files: FileSystem, path: string): Promise<boolean> =>
  files.lstat(path).then(
    () => true,
    () => false,
  )
