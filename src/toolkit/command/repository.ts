import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

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
export function isPlainRepository(cwd: string): boolean {
  try {
    for (let folder = cwd; ; folder = dirname(folder)) {
      const git = join(folder, '.git')
      if (existsSync(git)) {
        if (!statSync(git).isDirectory() || !isQuiet(git) || existsSync(join(folder, '.gitmodules'))) return false
        // One that git does not take for a repository does not keep it from those above.
        if (isWhole(git)) return true
      }
      // A folder that is laid out as a repository is one, with settings of its own; they may lie elsewhere, too.
      if (existsSync(join(folder, 'HEAD'))) return false
      if (dirname(folder) === folder) return true
    }
  } catch {
    return false
  }
}

/** Surely a repository to git, so that it looks no further. */
function isWhole(git: string): boolean {
  const head = join(git, 'HEAD')
  return (
    existsSync(head) &&
    statSync(head).size <= maxBytes &&
    /^(ref: refs\/[^\s]+|[0-9a-f]{40})\n$/.test(readFileSync(head, 'utf8')) &&
    ['objects', 'refs'].every((name) => existsSync(join(git, name)) && statSync(join(git, name)).isDirectory())
  )
}

/** Its settings, its hooks and what its list of files holds run nothing when it is read. */
function isQuiet(git: string): boolean {
  const names = readdirSync(git)
  // Settings elsewhere, and a list of files in two parts.
  if (names.some((name) => name === 'commondir' || name.startsWith('sharedindex.'))) return false
  // To bring its list of files up to date is all that reading changes, and this one is told of it.
  if (existsSync(join(git, 'hooks', 'post-index-change'))) return false
  const config = join(git, 'config')
  if (names.includes('config') && (statSync(config).size > maxBytes || runs.test(readFileSync(config, 'utf8')))) return false
  const index = join(git, 'index')
  return !names.includes('index') || (statSync(index).size <= maxIndexBytes && !holdsRepositories(readFileSync(index)))
}

/** Git asks repositories in the repository for their state, by their settings. Their mode in the list of files may be found by chance. */
const holdsRepositories = (index: Buffer): boolean => index.includes(Buffer.from([0, 0, 0xe0, 0]))
