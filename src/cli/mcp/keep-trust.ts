import { createHash } from 'node:crypto'
import { realFolder } from '../folders.ts'
import type { Io } from '../io.ts'
import { trustStore } from '../trust/trust-store.ts'
import { projectFileName } from './config-files.ts'
import type { Edited } from './edit-file.ts'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * A project's file that the user has changed through Lena is trusted when it was before, or was not there: what is in it now, they
 * have said themselves. False when it is not.
 */
export async function keepTrust(io: Pick<Io, 'env' | 'platform'>, folder: string, { before, after }: Edited): Promise<boolean> {
  const store = trustStore(io)
  const file = { folder: realFolder(folder), file: projectFileName }
  if (before !== undefined && !(await store.isTrusted({ ...file, hash: hashOf(before) }))) return false
  await store.trust({ ...file, hash: hashOf(after) })
  return true
}
