import { resolve } from 'node:path'
import type { Ground } from '../ground.ts'

/**
 * The absolute path that a model means: from the workspace unless it is absolute, `~` is the home folder.
 *
 * @throws {Error} for what cannot be a path.
 */
export function locate({ workspace, home }: Pick<Ground, 'workspace' | 'home'>, path: string): string {
  if (typeof path !== 'string' || path === '') throw new Error('The path is empty. Give a path, relative to the workspace or absolute.')
  if (path.includes('\0')) throw new Error('The path holds a NUL character, which no file name can have.')
  return resolve(workspace, path === '~' || path.startsWith('~/') ? home + path.slice(1) : path)
}

/** A path as one word for a POSIX shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
