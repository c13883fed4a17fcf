import { isAbsolute, join } from 'node:path'
import type { Message, ResultStore, Session } from '../index.ts'
import { fileResults } from '../toolkit/index.ts'
import { stateFolder } from './folders.ts'
import type { Io } from './io.ts'

/** Where results go that are too long for the model: beside the sessions, and where nobody says where those are, in the SDK's own folder. */
export const resultStore = (io: Pick<Io, 'env' | 'platform'>): ResultStore =>
  isAbsolute(io.env['LENA_STATE_DIR'] ?? '') ? fileResults({ dir: join(stateFolder(io), 'results') }) : fileResults()

/** Does another session, a fork of this one, name a stored result of it? */
export async function isNamedBy(others: readonly Session[], session: Session): Promise<boolean> {
  const paths = await pathsOfResults(session)
  if (paths.size === 0) return false
  for (const other of others) if ([...(await pathsOfResults(other))].some((path) => paths.has(path))) return true
  return false
}

const pathsOfResults = async (session: Session): Promise<ReadonlySet<string>> => pathsNamedIn((await session.restore()).messages)

/** The paths of stored results that a history names. */
export function pathsNamedIn(messages: readonly Message[]): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const { content } of messages)
    for (const block of content) {
      if (block.type !== 'tool_result') continue
      for (const item of block.content)
        if (item.type === 'text') for (const [, path] of item.text.matchAll(/<persisted-output path="([^"\n]{1,1000})"/g)) paths.add(path!)
    }
  return paths
}
