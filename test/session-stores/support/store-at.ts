import type { SessionStore } from 'lena-agent'
import { fileSessions, postgresSessions, sqliteSessions } from '../../../src/session-stores/index.ts'

/** A store by one text, so that another process can be told of it: `file:dir`, `sqlite:path` or `postgres:url`. */
export function storeAt(place: string): SessionStore & Partial<AsyncDisposable> {
  const [kind] = place.split(':', 1)
  const where = place.slice(kind!.length + 1)
  if (kind === 'file') return fileSessions({ dir: where })
  if (kind === 'sqlite') return sqliteSessions({ path: where })
  if (kind === 'postgres') return postgresSessions({ connectionString: where })
  throw new Error(`There is no store "${place}".`)
}
