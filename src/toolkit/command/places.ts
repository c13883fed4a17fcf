import { basename, dirname, join, relative, resolve } from 'node:path'
import type { FileKind, Lookups } from '../../host/file-system.ts'
import { codeOf, isInside, resolveLinks } from '../../host/paths.ts'
import { foundBy, walked } from './found-paths.ts'
import { filesKept, repositoryAbove } from './kept-files.ts'
import type { Word } from './words.ts'

/** Where the paths of a script lead, as far as its words tell. */
export interface Places {
  /** From here on the script may be in that folder; `undefined` when it is not known which. */
  enter(folder: Word | undefined): void
  /** The script makes a link there, which leads to the target. */
  link(target: Word, name: Word | undefined): void
  /** The script sets a variable of this name, or may: where `~` and relative paths lead may change by it, and what patterns find. */
  sets(name: string): void
  /** Patterns may find names that begin with a dot, too. */
  loosen(): void
  /** Where it may lead, as it is called and with links resolved; of a pattern all that it finds. Empty when that cannot be told. */
  leadsTo(target: Word): readonly string[]
  /** Is it sure that there is something of this name, and what? */
  kindOf(target: Word): FileKind | undefined
  /** The roots of the repositories that a folder may lie in, by default the one where the script is; outside of one it is the folder. */
  repositoriesOf(folder?: Word): readonly string[]
  /** The files that git keeps in a repository, by their paths from its root. */
  keptIn(root: string): readonly string[] | 'any'
  /** Is it sure to lie outside the workspace? */
  isOutside(target: Word): boolean
  /** The same for what is written to: a terminal or `/dev/null` loses nothing. */
  isOverwrittenOutside(target: Word): boolean
  /** Does it lie outside, hold the workspace, or can it not be told? */
  isRemovedOutside(target: Word): boolean
}

export const nothingLost = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/

/** Paths of one script that are looked up. */
const maxPaths = 1000

/** Longer ones no system opens. */
const maxPathChars = 4096

/** Each `cd` doubles the places where the script may be; with more than this it counts as lost. */
const maxFolders = 32

type Start = { readonly look: Lookups; readonly cwd: string; readonly workspace: string; readonly home: string }

export function placesOf({ look, cwd, workspace, home }: Start): Places {
  // All folders that the script may be in: a `cd` may fail, or be in a subshell.
  const folders = new Set([cwd])
  let isLost = false
  let isLoose = false
  let isHomeless = false

  /** What a word says where the home folder and the working folder are put in; `undefined` when that cannot be told. */
  const knownOf = ({ text, isOpen }: Word): string | undefined => {
    if (text.length > maxPathChars) return undefined
    const known = text
      .replace(/^~(?=\/|$)/, () => home)
      .replace(/^\$(HOME\b|\{HOME\})/, () => home)
      .replace(/^\$(PWD\b|\{PWD\})/, '.')
    // What is left open must not decide where the path leads.
    if (/[$`]/.test(known) || (isOpen && known === text) || known.startsWith('~')) return undefined
    return isLost && !known.startsWith('/') ? undefined : known
  }
  const followed = new Map<string, string>()
  /** Links that the script makes itself. */
  const made: (readonly [name: string, target: string])[] = []
  /** Links resolved; where they cannot be, or there are too many paths to look at, the root, which lies outside. */
  const follow = (given: string): string => {
    let path = given
    for (const [name, target] of made) if (isInside(name, path)) path = join(target, relative(name, path))
    let end = followed.get(path)
    if (end === undefined) followed.set(path, (end = followed.size < maxPaths ? followAnew(path) : '/'))
    return end
  }
  const missing = new Map<string, boolean>()
  /** Is there surely nothing under the path, not even a link? Then there is nothing below it either. */
  const isMissing = (path: string): boolean => {
    let known = missing.get(path)
    if (known === undefined) missing.set(path, (known = dirname(path) !== path && (isMissing(dirname(path)) || isNothing(look, path))))
    return known
  }
  const followAnew = (path: string): string => {
    const folder = dirname(path)
    return isMissing(folder) ? join(follow(folder), basename(path)) : resolvedOrRoot(look, path)
  }
  /** Every path that a word may stand for, links not resolved; `undefined` when that cannot be told. */
  const pathsOf = (word: Word): readonly string[] | undefined => {
    const known = knownOf(word)
    if (known === undefined) return undefined
    if (!word.isPattern) return [...folders].flatMap((folder) => ofProcess(walked(folder, known, follow)))
    const found = [...folders].map((folder) => foundBy(look, folder, known, follow, isLoose))
    return found.includes(undefined) ? undefined : found.flatMap((paths) => paths ?? []).flatMap(ofProcess)
  }
  /** Where the system says what a process has open it is the script's, not this one's; of another one it cannot be told. */
  const ofProcess = (path: string): readonly string[] => {
    const [, who, what, rest = ''] = /^\/proc\/([^/]+)\/(cwd|root|fd|task|map_files|exe)(\/.*)?$/s.exec(path) ?? []
    if (who === undefined) return [path]
    if (!/^(thread-)?self$/.test(who) || !/^(cwd|root)$/.test(what ?? '')) return ['/']
    return what === 'root' ? [rest === '' ? '/' : rest] : [...folders].map((folder) => join(folder, rest))
  }
  const isOutside = (target: Word): boolean =>
    [beforePattern(target), target].some((word) => pathsOf(word)?.some((path) => !isInside(workspace, follow(path))) ?? false)

  return {
    enter(folder) {
      const word = folder ?? { text: '', isOpen: true, isPattern: false, isQuoted: false }
      const known = word.isPattern || word.text === '-' ? undefined : knownOf(word)
      // As bash goes, which takes a name off the path for each `..`, and as the system does.
      const paths = known === undefined ? undefined : [...folders].flatMap((from) => [resolve(from, known), walked(from, known, follow)])
      if (paths) for (const path of paths) folders.add(follow(path))
      if (!paths || folders.size > maxFolders) isLost = true
    },
    link(target, name) {
      const ends = pathsOf(target)
      const names = pathsOf(name ?? { ...target, text: basename(target.text) })
      if (!ends || !names || made.length + ends.length * names.length > maxFolders) isLost = true
      else for (const end of ends) for (const path of names) made.push([path, end], [join(path, basename(end)), end])
    },
    sets(name) {
      isLost ||= /^(CDPATH|PWD|OLDPWD|HOME)$/.test(name)
      isHomeless ||= name === 'HOME'
      isLoose ||= name === 'GLOBIGNORE'
    },
    loosen: () => void (isLoose = true),
    leadsTo(target) {
      const paths = pathsOf(target) ?? []
      // A file whose name is an option to the program that gets it.
      if (target.isPattern && !target.text.includes('/') && paths.some((path) => basename(path).startsWith('-'))) return []
      return [...new Set(paths.flatMap((path) => [path, follow(path)]))]
    },
    kindOf(target) {
      const paths = target.isPattern ? undefined : pathsOf(target)
      const kinds = new Set(paths?.map((path) => kindAt(look, path)))
      return kinds.size === 1 ? [...kinds][0] : undefined
    },
    repositoriesOf(folder) {
      const starts = folder ? pathsOf(folder) : isLost ? undefined : [...folders]
      return starts ? [...new Set(starts.map((path) => repositoryAbove(look, follow(path))))] : ['/']
    },
    keptIn: (root) => filesKept(look, root),
    isOutside,
    isOverwrittenOutside: (target) => !nothingLost.test(target.text) && isOutside(target),
    isRemovedOutside(target) {
      const begins = pathsOf(beforePattern(target))
      const found = target.isPattern ? pathsOf(target) : begins
      if (!begins || !found || (isHomeless && /^(~|\$\{?HOME)/.test(target.text))) return true
      const goneOf = (path: string, isFollowed: boolean): string =>
        isFollowed || dirname(path) === path ? follow(path) : join(follow(dirname(path)), basename(path))
      // A link is removed itself, not what it leads to; what a pattern finds stands in the folder.
      const gone = found.map((path) => goneOf(path, target.text.endsWith('/')))
      if (gone.some((path) => !isInside(workspace, path) || isInside(path, workspace))) return true
      return (
        target.isPattern &&
        begins.some((path) => !isInside(workspace, follow(path)) || (findsAll(target) && isInside(follow(path), workspace)))
      )
    },
  }
}

/** Its last part holds nothing but what stands for any name: `*`, `.*`, `?*`, `[!.]*`. */
const findsAll = ({ text }: Word): boolean => /(^|\/)[.*?]*\*[.*?]*$/.test(text.replace(/\[[^/]*\]/g, '?'))

/** A path with a pattern in it as the folder where the pattern begins. */
export function beforePattern(word: Word): Word {
  if (!word.isPattern) return word
  const parts = word.text.split('/')
  const first = parts.findIndex((part) => /[*?[]/.test(part))
  const folder = parts.slice(0, Math.max(first, 0)).join('/')
  return { ...word, text: folder === '' ? (word.text.startsWith('/') ? '/' : '.') : folder }
}

function kindAt(look: Lookups, path: string): FileKind | undefined {
  try {
    return look.stat(path).kind
  } catch {
    return undefined
  }
}

function isNothing(look: Lookups, path: string): boolean {
  if (look.exists(path)) return false
  try {
    look.readlink(path)
    return false
  } catch (error) {
    return codeOf(error) === 'ENOENT'
  }
}

function resolvedOrRoot(look: Lookups, path: string): string {
  try {
    return resolveLinks(look, path)
  } catch {
    return '/'
  }
}
