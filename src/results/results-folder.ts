import type { Stats } from 'node:fs'
import { lstat, mkdir, realpath } from 'node:fs/promises'
import { homedir, tmpdir, userInfo } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { AgentError } from '../errors.ts'
import { makePrivate, refuseShared } from './private-folder.ts'

/** The folder of a store while it is in use. */
export type Root = { readonly path: string; readonly dev: number; readonly ino: number }

/**
 * Where results go by themselves: into the user's folder for state, for a session may be taken up again after weeks, and what
 * is in a temporary folder is gone by then, and in a folder for caches it may be. Where there is no home that can be written
 * to, as in many containers: into a folder of the user's own in the temporary one.
 */
export const defaultFolders = (): readonly string[] => [
  ...stateFolders().map((folder) => join(folder, 'lena-agent', 'results')),
  join(tmpdir(), `lena-agent-results-${process.getuid?.() ?? userInfo().username}`),
]

/** None for a user of whom the system knows no home. */
function stateFolders(): readonly string[] {
  try {
    return [stateFolder()]
  } catch {
    return []
  }
}

function stateFolder(): string {
  const { LOCALAPPDATA, XDG_STATE_HOME } = process.env
  if (process.platform === 'win32') return LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support')
  return XDG_STATE_HOME !== undefined && isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), '.local', 'state')
}

/**
 * The first of the folders that can be made, or is there and private.
 *
 * @throws {AgentError} why the last of them cannot be used.
 */
export async function openRoot(folders: readonly string[]): Promise<Root> {
  let refusal: unknown
  for (const folder of folders) {
    try {
      const path = resolve(folder)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const { dev, ino } = await makePrivate(path)
      return { path: await realpath(path), dev, ino }
    } catch (error) {
      refusal = error
    }
  }
  throw refusal
}

/** @throws {AgentError} when another folder has taken the place of the one that was found private. */
export async function checkRoot({ path, dev, ino }: Root): Promise<void> {
  const stats: Stats = await lstat(path)
  refuseShared(stats, path)
  if (stats.dev !== dev || stats.ino !== ino)
    throw new AgentError(`The folder for results ${JSON.stringify(path)} was replaced by another one while it was in use.`, {
      code: 'result_folder_unsafe',
    })
}
