import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Pool } from 'pg'
import type { SessionRecord } from 'lena-agent'
import { Session } from 'lena-agent'
import { postgresSessions } from 'lena-agent/sessions'
import { countingIds, sessionStoreConformance } from 'lena-agent/testing'
import { recordsOf } from '../../src/sessions/entry.ts'
import { openSession } from '../../src/sessions/open-session.ts'
import type { Cluster } from '../session-stores/support/postgres.ts'
import { missing, startCluster } from '../session-stores/support/postgres.ts'
import { writersAt } from '../session-stores/support/writers-at.ts'

const { signal } = new AbortController()
const ids = countingIds()
const message = (id: string) => ({ type: 'message', message: { id, role: 'user', content: [{ type: 'text', text: id }] } }) as const
const said = (text: string): readonly SessionRecord[] => recordsOf([message(text)], { after: null, time: 1000, ids })

describe.skipIf(missing)(`sessions in PostgreSQL ${missing ?? ''}`, { timeout: 120_000 }, () => {
  let cluster: Cluster
  beforeAll(async () => void (cluster = await startCluster()), 300_000)
  afterAll(() => cluster?.stop(), 120_000)
  let count = 0
  const newTable = (): string => `Sessions_${++count}`
  const make = (table = newTable()) => postgresSessions({ connectionString: cluster.url, table })

  sessionStoreConformance({ test: it }, async () => make())

  it('lose none of what processes append at once, and make their tables at once', async () => {
    expect(await writersAt(`postgres:${cluster.url}`)).toBe(200)
  })

  it('are made by many stores at once', async () => {
    const table = newTable()
    const stores = Array.from({ length: 8 }, () => make(table))
    await Promise.all(stores.map((store, i) => store.append('a', said(`${i}`), { signal })))
    expect((await stores[0]!.load('a', { signal })).records).toHaveLength(8)
    await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
  })

  it('lose nothing when the server restarts in the middle', async () => {
    await using store = make()
    const open = await openSession(new Session({ id: 'a', store }), { signal })
    const wanted: string[] = []
    const failures: unknown[] = []
    let isRestarted = false
    const restarted = cluster.restart().finally(() => (isRestarted = true))
    for (let i = 0; !isRestarted; i++) {
      wanted.push(`m${i}`)
      await open.append([message(`m${i}`)]).catch((error: unknown) => failures.push(error))
    }
    await restarted
    // A connection that died unnoticed may cost one more attempt.
    await open.flush().catch((error: unknown) => failures.push(error))
    await open.flush()
    const { messages, warnings } = await new Session({ id: 'a', store }).restore()
    expect([messages.map(({ id }) => id), warnings]).toEqual([wanted, []])
    for (const failure of failures) expect(failure).toMatchObject({ name: 'SessionError' })
  })

  it('that are closed are an error, and a pool that is given stays open', async () => {
    const pool = new Pool({ connectionString: cluster.url, max: 2 })
    const store = postgresSessions({ pool, table: newTable() })
    const records = said('hello')
    await store.append('a', records, { durable: true, signal })
    await store.append('a', [], { durable: true, signal })
    expect((await store.load('a', { signal })).records).toEqual(records)
    await store[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
    await expect(store.load('a', { signal })).rejects.toMatchObject({ name: 'SessionError', code: 'session_closed' })
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await pool.end()
  })

  it('wait for the disk when they are asked to, whatever the database is told', async () => {
    const pool = new Pool({ connectionString: cluster.url, max: 1, options: '-c synchronous_commit=off' })
    const table = newTable()
    const store = postgresSessions({ pool, table })
    const lag = async (): Promise<unknown> => (await pool.query('SELECT pg_current_wal_flush_lsn() >= $1::pg_lsn AS flushed', [end])).rows
    await store.append('a', said('one'), { signal })
    await store.append('a', said('two'), { durable: true, signal })
    const [{ end }] = (await pool.query('SELECT pg_current_wal_insert_lsn()::text AS end')).rows as [{ end: string }]
    expect(await lag()).toEqual([{ flushed: true }])
    expect((await pool.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: 'off' }])
    await pool.end()
  })

  it('are read with one query, which gives each record once', async () => {
    const pool = new Pool({ connectionString: cluster.url, max: 2 })
    const sizes: number[] = []
    const counted = {
      query: async (text: string, values?: unknown[]) => {
        const result = await pool.query(text, values)
        sizes.push(result.rows?.length ?? 0)
        return result
      },
    }
    const store = postgresSessions({ pool: counted, table: newTable() })
    const records = Array.from({ length: 10_000 }, (_, i) => said(String(i))[0]!)
    await store.append('a', records, { signal })
    await store.append('b', said('other'), { signal })
    sizes.length = 0
    expect((await store.load('a', { signal })).records).toEqual(records)
    expect(sizes).toEqual([10_000])
    await pool.end()
  })

  it('never give a row number twice, and refuse a newer version', async () => {
    const pool = new Pool({ connectionString: cluster.url, max: 2 })
    const store = postgresSessions({ pool, table: 'versioned' })
    await store.append('a', said('old'), { signal })
    const { cursor } = await store.load('a', { signal })
    await store.remove('a', { signal })
    const records = said('new')
    await store.append('a', records, { signal })
    expect((await store.load('a', { after: cursor, signal })).records).toEqual(records)
    await pool.query('UPDATE versioned_meta SET version = 2')
    await expect(postgresSessions({ pool, table: 'versioned' }).load('a', { signal })).rejects.toMatchObject({ code: 'session_version' })
    await pool.end()
  })
})

it('takes no table name that could be more than a name, and tells no password', async () => {
  for (const table of ['', 'a"; DROP TABLE x; --', 'a.b', '1a', 'a'.repeat(41)])
    expect(() => postgresSessions({ connectionString: 'postgres://x', table })).toThrow('`table` is a name of 1 to 40 letters')
  expect(() => postgresSessions({})).toThrow('postgresSessions() needs one of')
  expect(() => postgresSessions({ connectionString: 'postgres://x', url: 'y' } as never)).toThrow('There is no option "url"')
  expect(() => postgresSessions({ connectionString: 'postgres://x', timeoutMs: 0 })).toThrow('`timeoutMs` is a whole number')
})
