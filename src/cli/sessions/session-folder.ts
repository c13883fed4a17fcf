import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OwnSessionStore, SessionInfo } from '../../index.ts'
import { fileSessions } from '../../session-stores/index.ts'
import { realFolder, stateFolder, workspaceState } from '../folders.ts'
import type { Io } from '../io.ts'
import { titleOfFile } from './title.ts'

/** A session as it is listed. */
export type SessionShown = {
  readonly id: string
  /** The first prompt. */
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly updated: number
  /** The folder it was about; empty when that is not known. */
  readonly workspace: string
}

/** The sessions of one workspace. */
export type SessionFolder = { readonly dir: string; readonly workspace: string; readonly store: OwnSessionStore }

export function sessionFolder(io: Io, workspace: string): SessionFolder {
  const dir = join(workspaceState(io, workspace), 'sessions')
  return { dir, workspace: realFolder(workspace), store: fileSessions({ dir }) }
}

/** Makes the folder, for its user alone, and notes what it is about. @throws what keeps it from being made. */
export async function prepareFolder(io: Io, workspace: string): Promise<void> {
  const folder = workspaceState(io, workspace)
  await mkdir(join(folder, 'sessions'), { recursive: true, mode: 0o700 })
  await writeFile(join(folder, 'folder.json'), `${JSON.stringify({ workspace: realFolder(workspace) })}\n`, {
    flag: 'wx',
    mode: 0o600,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** The sessions of a folder, the last used first. */
export async function sessionsIn(folder: SessionFolder, signal: AbortSignal): Promise<readonly SessionShown[]> {
  const infos = await folder.store.list({ signal })
  return await Promise.all(infos.map((info) => shownOf(folder, info)))
}

/** The one that was used last; of the others nothing is read but their names. */
export async function newestIn(folder: SessionFolder, signal: AbortSignal): Promise<SessionShown | undefined> {
  const [info] = await folder.store.list({ signal })
  return info && (await shownOf(folder, info))
}

const shownOf = async ({ dir, workspace }: SessionFolder, { id, updated }: SessionInfo): Promise<SessionShown> => ({
  id,
  title: await titleOfFile(join(dir, `${id}.jsonl`)),
  updated,
  workspace,
})

/** Those of all folders that anything was kept of. */
export async function sessionFolders(io: Io): Promise<readonly SessionFolder[]> {
  const root = join(stateFolder(io), 'folders')
  const names = await readdir(root).catch(() => [])
  return await Promise.all(
    names.map(async (name) => {
      const dir = join(root, name, 'sessions')
      return { dir, workspace: await workspaceNamedIn(join(root, name, 'folder.json')), store: fileSessions({ dir }) }
    }),
  )
}

async function workspaceNamedIn(path: string): Promise<string> {
  try {
    const { workspace } = JSON.parse(await readFile(path, 'utf8')) as { readonly workspace?: unknown }
    return typeof workspace === 'string' ? workspace : ''
  } catch {
    return ''
  }
}
