import { basename, dirname, join, resolve } from 'node:path'
import { isInside, resolveLinks } from '../files/paths.ts'
import type { Word } from './words.ts'

/** Where the paths of a script lead, as far as its words tell. */
export interface Places {
  /** From here on the script may be in that folder; `undefined` when it is not known which. */
  enter(folder: Word | undefined): void
  /** Where it may lead, links resolved; of a pattern the folder where it begins. Empty when that cannot be told. */
  leadsTo(target: Word): readonly string[]
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

/** Each `cd` doubles the places where the script may be; with more than this it counts as lost. */
const maxFolders = 32

export function placesOf({ cwd, workspace, home }: { readonly cwd: string; readonly workspace: string; readonly home: string }): Places {
  // All folders that the script may be in: a `cd` may fail, or be in a subshell.
  const folders = new Set([cwd])
  let isLost = false

  /** Every path that a word may stand for; `undefined` when that cannot be told. */
  const pathsOf = ({ text, isOpen }: Word): readonly string[] | undefined => {
    const known = text
      .replace(/^~(?=\/|$)/, () => home)
      .replace(/^\$(HOME\b|\{HOME\})/, () => home)
      .replace(/^\$(PWD\b|\{PWD\})/, '.')
    // What is left open must not decide where the path leads.
    if (/[$`]/.test(known) || (isOpen && known === text) || known.startsWith('~')) return undefined
    if (isLost && !known.startsWith('/')) return undefined
    return [...folders].map((folder) => resolve(folder, known))
  }
  const followed = new Map<string, string>()
  /** Links resolved; where they cannot be, or there are too many paths to look at, the root, which lies outside. */
  const follow = (path: string): string => {
    let end = followed.get(path)
    if (end === undefined) followed.set(path, (end = followed.size < maxPaths ? resolvedOrRoot(path) : '/'))
    return end
  }
  const isOutside = (target: Word): boolean => pathsOf(beforePattern(target))?.some((path) => !isInside(workspace, follow(path))) ?? false

  return {
    enter(folder) {
      const word = folder ?? { text: '', isOpen: true, isPattern: false, isQuoted: false }
      const paths = word.isPattern || word.text === '-' ? undefined : pathsOf(word)
      if (paths) for (const path of paths) folders.add(follow(path))
      if (!paths || folders.size > maxFolders) isLost = true
    },
    leadsTo: (target) => pathsOf(beforePattern(target))?.map(follow) ?? [],
    isOutside,
    isOverwrittenOutside: (target) => !nothingLost.test(target.text) && isOutside(target),
    isRemovedOutside(target) {
      const paths = pathsOf(beforePattern(target))
      if (!paths) return true
      const isAll = target.isPattern && /(^|\/)\.?\*$/.test(target.text)
      // A link is removed itself, not what it leads to; what a pattern finds stands in the folder.
      const isFollowed = target.isPattern || target.text.endsWith('/')
      return paths.some((path) => {
        const gone = isFollowed || dirname(path) === path ? follow(path) : join(follow(dirname(path)), basename(path))
        return !isInside(workspace, gone) || (isInside(gone, workspace) && (isAll || !target.isPattern))
      })
    },
  }
}

/** A path with a pattern in it as the folder where the pattern begins. */
function beforePattern(word: Word): Word {
  if (!word.isPattern) return word
  const parts = word.text.split('/')
  const first = parts.findIndex((part) => /[*?[]/.test(part))
  const folder = parts.slice(0, Math.max(first, 0)).join('/')
  return { ...word, text: folder === '' ? (word.text.startsWith('/') ? '/' : '.') : folder }
}

function resolvedOrRoot(path: string): string {
  try {
    return resolveLinks(path)
  } catch {
    return '/'
  }
}
