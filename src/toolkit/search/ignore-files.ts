import { lstat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { openRegular } from '../files/open-regular.ts'
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
  /** For a folder in it. */
  enter(name: string): Promise<Ignoring>
}

/**
 * Reads the ignore files of a folder and of all above it. Within a git repository a `.gitignore` holds up to the top of that
 * repository; elsewhere it holds for all below it, too, although git would not read it.
 *
 * @param folder with its links resolved.
 */
export async function ignoringIn(folder: string): Promise<Ignoring> {
  const chain = [await rulesOf(folder)]
  for (let above = dirname(folder), below = folder; above !== below; below = above, above = dirname(above)) chain.push(await rulesOf(above))
  return ignoring(
    folder,
    chain,
    chain.some(({ isRepository }) => isRepository),
  )
}

/** Is the folder in a git repository, or the top of one? */
export async function isInRepository(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (await exists(join(at, '.git'))) return true
    if (dirname(at) === at) return false
  }
}

/** @param chain from the folder itself upwards. */
function ignoring(folder: string, chain: readonly FolderRules[], stopsAtRepository: boolean): Ignoring {
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
    async enter(name) {
      const below = join(folder, name)
      return ignoring(below, [await rulesOf(below), ...chain], stopsAtRepository)
    },
  }
}

async function rulesOf(folder: string): Promise<FolderRules> {
  const [isRepository, ...rules] = await Promise.all([
    exists(join(folder, '.git')),
    ...fileNames.map((name) => readRules(join(folder, name))),
  ])
  return { folder, rules, isRepository }
}

async function readRules(path: string): Promise<IgnoreRules | undefined> {
  if (!(await exists(path))) return undefined
  try {
    // Opened as a regular file: a FIFO of that name must not hold the search.
    const { handle } = await openRegular(path, path)
    try {
      const bytes = Buffer.alloc(maxBytes)
      const { bytesRead } = await handle.read(bytes, 0, maxBytes, 0)
      return ignoreRules(bytes.toString('utf8', 0, bytesRead))
    } finally {
      await handle.close()
    }
  } catch {
    return undefined
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
