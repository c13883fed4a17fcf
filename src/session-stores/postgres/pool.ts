import { AgentError } from '../../errors.ts'

/** What is needed of a pool of connections. One of `pg` has it. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

export type OwnPool = PostgresPool & { readonly end: () => Promise<void> }

/** @throws {AgentError} when `pg` is not installed. */
export async function makePool(connectionString: string, timeoutMs: number): Promise<OwnPool> {
  const pg = await import('pg').catch(absent)
  const pool = new pg.default.Pool({
    connectionString,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    // A process that has nothing else to do may end.
    allowExitOnIdle: true,
  })
  // The server may close an idle connection, when it restarts. The pool makes another; unheard, the event would end the process.
  pool.on('error', () => {})
  return pool
}

function absent(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("'pg'"))
    throw new AgentError('PostgreSQL sessions need the package "pg": npm install pg', { code: 'missing_package', cause: error })
  throw error
}
