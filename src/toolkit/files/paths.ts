import { readlinkSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/**
 * The absolute path that a model means: from the workspace unless it is absolute, `~` is the home folder.
 *
 * @throws {Error} for what cannot be a path.
 */
export function locate(workspace: string, path: string): string {
  if (typeof path !== 'string' || path === '') throw new Error('The path is empty. Give a path, relative to the workspace or absolute.')
  if (path.includes('\0')) throw new Error('The path holds a NUL character, which no file name can have.')
  return resolve(workspace, path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : path)
}

/** As many links as one path may lead through, as Linux has it. */
const maxHops = 40

/**
 * Where a path leads once all links are followed, also when the end of it does not exist yet: a link that leads nowhere is
 * followed to the place where a write through it would make the file. Synchronous, because flags are.
 *
 * @throws {Error} when links lead in a circle, or a folder cannot be looked at.
 */
export function resolveLinks(path: string, hops = 0): string {
  if (hops > maxHops) throw new Error(`Too many links on the way to ${JSON.stringify(path)}.`)
  try {
    return realpathSync.native(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const parent = dirname(path)
  if (parent === path) return path
  const here = join(resolveLinks(parent, hops), basename(path))
  const target = linkTarget(here)
  return target === undefined ? here : resolveLinks(resolve(dirname(here), target), hops + 1)
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Is `path` the folder itself or something in it? Both must be resolved; compared by segments, so `/a/bc` is not in `/a/b`. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** A path as one word for a POSIX shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
