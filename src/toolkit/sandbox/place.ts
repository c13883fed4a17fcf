import { lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { localLookups } from '../../host/local-files.ts'
import { isInside, resolveLinks } from '../../host/paths.ts'

export type SandboxOptions = {
  /**
   * May commands reach the network? `true`: all of it. A list: these hosts alone, as `'packages.example'`, `'*.example.org'` or
   * `'example.com:443'`, by what speaks HTTP or asks a proxy; it needs the optional package `@anthropic-ai/sandbox-runtime`. Default: no.
   */
  readonly network?: boolean | readonly string[] | undefined
  /** Folders beside the workspace that commands may write in: caches, a second project; from the workspace, absolute, or from `~`. They must exist. */
  readonly writable?: readonly string[] | undefined
  /** Files and folders that commands do not see, beside those where keys usually lie; named as those. */
  readonly hidden?: readonly string[] | undefined
}

/** What one command may see and do. All paths are absolute, with their links resolved. */
export type SandboxPlace = {
  readonly workspace: string
  readonly cwd: string
  /** Written by the command's wrapper, and read when it has ended. */
  readonly recordFolder: string | undefined
  readonly writable: readonly string[]
  /** In what may be written, but not to be: what others run when the command is over. */
  readonly fixed: readonly string[]
  readonly hidden: readonly { readonly path: string; readonly isFolder: boolean }[]
  /** All of it. */
  readonly network: boolean
}

/** Where keys, tokens and passwords usually lie, from the home folder. */
const secrets = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.config/gcloud',
  '.config/gh',
  '.config/op',
  '.password-store',
  '.local/share/keyrings',
  'Library/Keychains',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.config/git/credentials',
  '.cargo/credentials.toml',
  '.local/state/lena',
]

/** Of the workspace. What does not exist is not made. */
const fixedParts = ['.git/hooks', '.lena']

export function placeFor(
  { network = false, writable = [], hidden = [] }: SandboxOptions,
  {
    workspace,
    cwd,
    home,
    recordFolder,
  }: { readonly workspace: string; readonly cwd: string; readonly home: string; readonly recordFolder: string | undefined },
): SandboxPlace {
  const at = (path: string): string => (path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(workspace, path))
  const all = [...secrets.map((name) => join(home, name)), ...hidden.map(at)]
  const kinds = all.map((path) => resolveLinks(localLookups, path)).map((path) => ({ path, kind: kindOf(path) }))
  const fixed = fixedParts.map((part) => join(workspace, part)).filter((path) => kindOf(path) !== undefined)
  return {
    workspace,
    cwd,
    recordFolder,
    writable: writable.map((path) => resolveLinks(localLookups, at(path))),
    fixed,
    // A workspace that lies in one of these would be hidden, too.
    hidden: kinds.flatMap(({ path, kind }) => (kind && !isInside(path, workspace) ? [{ path, isFolder: kind === 'folder' }] : [])),
    // A list, an empty one too, lets through what stands in it, and never all.
    network: network === true,
  }
}

/** Folders that may be written in, but must stay where they are: something in them is fixed. */
export const keptOf = ({ workspace, fixed }: Pick<SandboxPlace, 'workspace' | 'fixed'>): readonly string[] =>
  [...new Set(fixed.map((path) => dirname(path)))].filter((path) => path !== workspace)

function kindOf(path: string): 'folder' | 'file' | undefined {
  try {
    return lstatSync(path).isDirectory() ? 'folder' : 'file'
  } catch {
    return undefined
  }
}
