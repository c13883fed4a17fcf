import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { McpLoginStore } from '../../mcp/index.ts'
import { configFolder } from '../folders.ts'
import type { Io } from '../io.ts'
import { writePrivate } from '../trust/write-private.ts'
import { variablesOf } from './describe-server.ts'
import { isObject } from './servers-in.ts'

/**
 * Where the login to a server is kept, readable by the user alone. It belongs to the address, not to the name: a file that calls
 * another address by the same name has no use for it.
 */
function loginPath({ env, platform }: Pick<Io, 'env' | 'platform'>, url: string): string {
  const filled = variablesOf(url).map((name) => [name, env[name] ?? null])
  return join(
    configFolder({ env, platform }),
    'logins',
    `${createHash('sha256')
      .update(JSON.stringify([url, filled]))
      .digest('hex')
      .slice(0, 32)}.json`,
  )
}

export function loginStore(io: Pick<Io, 'env' | 'platform'>, url: string): McpLoginStore {
  const path = loginPath(io, url)
  return {
    async load() {
      try {
        const kept: unknown = JSON.parse(await readFile(path, 'utf8'))
        return isObject(kept) && isObject(kept['login']) ? kept['login'] : undefined
      } catch {
        // None, or one that cannot be used: one logs in again.
        return undefined
      }
    },
    save: (login) => writePrivate(path, `${JSON.stringify({ url, login })}\n`),
  }
}

/** False when there was none. */
export async function forgetLogin(io: Pick<Io, 'env' | 'platform'>, url: string): Promise<boolean> {
  try {
    await rm(loginPath(io, url))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
