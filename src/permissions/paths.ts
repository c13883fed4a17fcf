import { readlinkSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

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

/**
 * Follows a path through its links, also when the end of it does not exist yet: then from the nearest folder that does. `undefined`
 * when it cannot be followed: links in a circle, a folder that may not be looked at, no path at all.
 */
export function locate(workspace: string, path: string): Located | undefined {
  if (path === '' || path.includes('\0')) return undefined
  const from = resolve(workspace, path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : path)
  const names = [from]
  try {
    const end = follow(from, names, 0)
    const entry = dirname(from) === from ? from : join(follow(dirname(from), [], 0), basename(from))
    return { names: [...new Set([...names, end])], entry, end }
  } catch {
    return undefined
  }
}

function follow(path: string, names: string[], hops: number): string {
  if (hops > maxHops) throw new Error('Too many links.')
  const parent = dirname(path)
  if (parent === path) return path
  const parents: string[] = []
  const here = join(follow(parent, parents, hops), basename(path))
  names.push(...parents.map((name) => join(name, basename(path))), here)
  const target = linkOf(here)
  if (target !== undefined) return follow(resolve(dirname(here), target), names, hops + 1)
  try {
    // As the file system spells it, where it takes any case.
    return realpathSync.native(here)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return here
    throw error
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EINVAL' || code === 'ENOENT' || code === 'UNKNOWN') return undefined
    throw error
  }
}

/** Compared by segments: `/a/bc` is not in `/a/b`. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Has the file a second name, by which a write to it changes something elsewhere? */
export function hasOtherNames(path: string): boolean {
  try {
    const stats = statSync(path)
    return stats.isFile() && stats.nlink > 1
  } catch {
    return false
  }
}

/** As a path is compared where a slip must not let it through: some systems take upper and lower case for one. */
export const folded = (path: string): string => path.normalize('NFC').toLowerCase()
