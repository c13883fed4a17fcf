import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Settings of a repository that run programs when it is only read. */
const runs =
  /fsmonitor|external|textconv|\[\s*(filter|include|includeif|alias|merge|extensions)|hookspath|pager|sshcommand|worktree|partialclone|promisor|command/i

const maxBytes = 100_000

/**
 * May git read this folder without running a program that the repository itself names? True where nothing in its settings could,
 * or where there is no repository. Submodules and linked trees have settings elsewhere: those are not looked at, which is false.
 */
export function isPlainRepository(cwd: string): boolean {
  try {
    for (let folder = cwd; ; folder = dirname(folder)) {
      const git = join(folder, '.git')
      if (existsSync(git)) return statSync(git).isDirectory() && isQuiet(join(git, 'config')) && !existsSync(join(folder, '.gitmodules'))
      // A folder that is laid out as a repository is one, with settings of its own.
      if (existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects'))) return false
      if (dirname(folder) === folder) return true
    }
  } catch {
    return false
  }
}

function isQuiet(config: string): boolean {
  if (!existsSync(config)) return true
  return statSync(config).size <= maxBytes && !runs.test(readFileSync(config, 'utf8'))
}
