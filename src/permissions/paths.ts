import { basename, dirname, join, resolve } from 'node:path'
import type { Lookups } from '../host/file-system.ts'
import { codeOf } from '../host/paths.ts'

/** Where calls are judged: what the machine answers, its home folder, and the workspace, links resolved. */
export type Ground = { readonly look: Lookups; readonly home: string; readonly workspace: string }

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
export function locate({ look, home, workspace }: Ground, path: string): Located | undefined {
  if (path === '' || path.includes('\0')) return undefined
  const from = resolve(workspace, path === '~' || path.startsWith('~/') ? home + path.slice(1) : path)
  const names = [from]
  try {
    const end = follow(look, from, names, 0)
    const entry = dirname(from) === from ? from : join(follow(look, dirname(from), [], 0), basename(from))
    return { names: [...new Set([...names, end])], entry, end }
  } catch {
    return undefined
  }
}

function follow(look: Lookups, path: string, names: string[], hops: number): string {
  if (hops > maxHops) throw new Error('Too many links.')
  const parent = dirname(path)
  if (parent === path) return path
  const parents: string[] = []
  const here = join(follow(look, parent, parents, hops), basename(path))
  names.push(...parents.map((name) => join(name, basename(path))), here)
  const target = linkOf(look, here)
  if (target !== undefined) return follow(look, resolve(dirname(here), target), names, hops + 1)
  try {
    // As the file system spells it, where it takes any case.
    return look.realpath(here)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return here
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
