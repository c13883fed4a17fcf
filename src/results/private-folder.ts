import type { Stats } from 'node:fs'
import { lstat, mkdir } from 'node:fs/promises'
import { AgentError } from '../errors.ts'

/** Windows has neither owners nor modes that Node could look at: what is in the user's profile is private there. */
const hasOwners = process.platform !== 'win32'

const unsafe = (path: string, why: string): AgentError =>
  new AgentError(`The folder for results ${JSON.stringify(path)} is not used: ${why}.`, { code: 'result_folder_unsafe' })

/**
 * Makes a folder that only its owner can look into, or takes the one that is there if it is such a one.
 *
 * @throws {AgentError} `result_folder_unsafe` for a link, for what is no folder, for one of another user's, for one that others can open.
 */
export async function makePrivate(path: string): Promise<Stats> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const stats = await lstat(path)
  refuseShared(stats, path)
  return stats
}

/** @param stats of the folder itself: links are not followed. */
export function refuseShared(stats: Stats, path: string): void {
  if (stats.isSymbolicLink()) throw unsafe(path, 'it is a link, and whoever made it chose where it leads')
  if (!stats.isDirectory()) throw unsafe(path, 'it is no folder')
  if (!hasOwners) return
  if (!isOurs(stats)) throw unsafe(path, `it belongs to another user (${stats.uid})`)
  const mode = stats.mode & 0o777
  if (mode & 0o077) throw unsafe(path, `others can open it (its mode is 0${mode.toString(8)}; make it private with: chmod 700)`)
}

export const isOurs = ({ uid }: Pick<Stats, 'uid'>): boolean => !hasOwners || uid === process.getuid?.()
