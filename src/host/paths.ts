import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Lookups } from './file-system.ts'

/** As many links as one path may lead through, as Linux has it. */
const maxHops = 40

/**
 * Where a path leads once all links are followed, also when the end of it does not exist yet: a link that leads nowhere is
 * followed to the place where a write through it would make the file.
 *
 * @throws {Error} when links lead in a circle, or a folder cannot be looked at.
 */
export function resolveLinks(look: Lookups, path: string, hops = 0): string {
  if (hops > maxHops) throw new Error(`Too many links on the way to ${JSON.stringify(path)}.`)
  try {
    return look.realpath(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  const parent = dirname(path)
  if (parent === path) return path
  const here = join(resolveLinks(look, parent, hops), basename(path))
  const target = linkTarget(look, here)
  return target === undefined ? here : resolveLinks(look, resolve(dirname(here), target), hops + 1)
}

function linkTarget(look: Lookups, path: string): string | undefined {
  try {
    return look.readlink(path)
  } catch {
    return undefined
  }
}

/** Is `path` the folder itself or something in it? Both must be resolved; compared by segments, so `/a/bc` is not in `/a/b`. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The name that the system has for a failure, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined => (error as { readonly code?: string | undefined } | undefined)?.code
