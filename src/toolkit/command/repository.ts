import { dirname, join } from 'node:path'
import type { Lookups } from '../../host/file-system.ts'

/** Settings of a repository that run programs when it is only read. */
const runs =
  /fsmonitor|external|textconv|\[\s*(filter|include|includeif|alias|merge|extensions)|hookspath|pager|sshcommand|worktree|partialclone|promisor|command|program/i

const maxBytes = 100_000
/** Of the list of files of a repository; a larger one is not looked at. */
const maxIndexBytes = 64 * 1024 * 1024

/**
 * May git read this folder without running a program that the repository itself names? True where nothing in its settings could,
 * or where there is no repository. Submodules and linked trees have settings elsewhere: those are not looked at, which is false.
 */
export function isPlainRepository(look: Lookups, cwd: string): boolean {
  try {
    for (let folder = cwd; ; folder = dirname(folder)) {
      const git = join(folder, '.git')
      if (look.exists(git)) {
        if (look.stat(git).kind !== 'folder' || !isQuiet(look, git) || look.exists(join(folder, '.gitmodules'))) return false
        // One that git does not take for a repository does not keep it from those above.
        if (isWhole(look, git)) return true
      }
      // A folder that is laid out as a repository is one, with settings of its own; they may lie elsewhere, too.
      if (look.exists(join(folder, 'HEAD'))) return false
      if (dirname(folder) === folder) return true
    }
  } catch {
    return false
  }
}

/** Surely a repository to git, so that it looks no further. */
function isWhole(look: Lookups, git: string): boolean {
  const head = join(git, 'HEAD')
  return (
    look.exists(head) &&
    look.stat(head).size <= maxBytes &&
    /^(ref: refs\/[^\s]+|[0-9a-f]{40})\n$/.test(textIn(look, head)) &&
    ['objects', 'refs'].every((name) => look.exists(join(git, name)) && look.stat(join(git, name)).kind === 'folder')
  )
}

/** Its settings, its hooks and what its list of files holds run nothing when it is read. */
function isQuiet(look: Lookups, git: string): boolean {
  const names = look.list(git).map(({ name }) => name)
  // Settings elsewhere, and a list of files in two parts.
  if (names.some((name) => name === 'commondir' || name.startsWith('sharedindex.'))) return false
  // To bring its list of files up to date is all that reading changes, and this one is told of it.
  if (look.exists(join(git, 'hooks', 'post-index-change'))) return false
  const config = join(git, 'config')
  if (names.includes('config') && (look.stat(config).size > maxBytes || runs.test(textIn(look, config)))) return false
  const index = join(git, 'index')
  return !names.includes('index') || (look.stat(index).size <= maxIndexBytes && !holdsRepositories(look.read(index)))
}

/** Git asks repositories in the repository for their state, by their settings. Their mode in the list of files may be found by chance. */
const holdsRepositories = (index: Uint8Array): boolean => Buffer.from(index.buffer, index.byteOffset, index.length).includes(repositoryMode)
const repositoryMode = Buffer.from([0, 0, 0xe0, 0])

const textIn = (look: Lookups, path: string): string => Buffer.from(look.read(path)).toString('utf8')
