import { basename, dirname, join, resolve } from 'node:path'
import type { Lookups } from '../host/file-system.ts'
import { codeOf } from '../host/paths.ts'

/** Where calls are judged: what the machine answers, its home folder, and the workspace, links resolved. */
export type Ground = {
  readonly look: Lookups
  readonly home: string
  readonly workspace: string
  /** Folders that were followed in this judgement: many paths share them. */
  readonly followed?: Map<string, Followed> | undefined
}

/** What a path is called on the way to where it leads. */
type Followed = {
  readonly names: readonly string[]
  readonly end: string
  /** There is nothing, and so there is nothing below it either. */
  readonly isMissing: boolean
}

/** A path as a tool is given it, and all that it is called on the way to the file. */
export type Located = {
  /** Absolute: as it was given, and after each link. */
  readonly names: readonly string[]
  /** The entry itself, in its real folder; a link is not followed. */
  readonly entry: string
  /** Where it leads, links resolved. */
  readonly end: string
}

const maxHops = 40
/** Longer ones no system opens. */
const maxChars = 8192

/**
 * Follows a path through its links, also when the end of it does not exist yet: then from the nearest folder that does. `undefined`
 * when it cannot be followed: links in a circle, a folder that may not be looked at, no path at all or one that is too long.
 */
export function locate(ground: Ground, path: string): Located | undefined {
  if (path === '' || path.includes('\0')) return undefined
  const { look, home, workspace, followed = new Map<string, Followed>() } = ground
  const from = resolve(workspace, path === '~' || path.startsWith('~/') ? home + path.slice(1) : path)
  if (from.length > maxChars) return undefined
  try {
    const { names, end } = follow(look, followed, from, 0)
    const entry = dirname(from) === from ? from : join(follow(look, followed, dirname(from), 0).end, basename(from))
    return { names: [...new Set([from, ...names, end])], entry, end }
  } catch {
    return undefined
  }
}

function follow(look: Lookups, followed: Map<string, Followed>, path: string, hops: number): Followed {
  if (hops > maxHops) throw new Error('Too many links.')
  const known = followed.get(path)
  if (known) return known
  const found = followAnew(look, followed, path, hops)
  followed.set(path, found)
  return found
}

function followAnew(look: Lookups, followed: Map<string, Followed>, path: string, hops: number): Followed {
  const folder = dirname(path)
  if (folder === path) return { names: [], end: path, isMissing: false }
  const name = basename(path)
  const parent = follow(look, followed, folder, hops)
  const here = join(parent.end, name)
  const names = new Set([...parent.names.map((above) => join(above, name)), here])
  if (parent.isMissing) return { names: [...names], end: here, isMissing: true }
  const target = linkOf(look, here)
  if (target !== undefined) {
    const behind = follow(look, followed, resolve(dirname(here), target), hops + 1)
    return { ...behind, names: [...new Set([...names, ...behind.names])] }
  }
  const spelled = spelledBy(look, here)
  return { names: [...names], end: spelled ?? here, isMissing: spelled === undefined }
}

/** As the file system spells it, where it takes any case; `undefined` for what is not there. */
function spelledBy(look: Lookups, path: string): string | undefined {
  try {
    return look.realpath(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function linkOf(look: Lookups, path: string): string | undefined {
  try {
    return look.readlink(path)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EINVAL' || code === 'ENOENT' || code === 'UNKNOWN') return undefined
    throw error
  }
}

/** Has the file a second name, by which a write to it changes something elsewhere? */
export function hasOtherNames(look: Lookups, path: string): boolean {
  try {
    const { kind, links } = look.stat(path)
    return kind === 'file' && links > 1
  } catch {
    return false
  }
}

/** As a path is compared where a slip must not let it through: some systems take upper and lower case for one. */
export const folded = (path: string): string => path.normalize('NFC').toLowerCase()
