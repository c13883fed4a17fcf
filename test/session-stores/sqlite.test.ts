import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import Database from 'libsql'
import type { SessionEntry, SessionRecord } from 'lena-agent'
import { Session } from 'lena-agent'
import { sqliteSessions } from 'lena-agent/sessions'
import { countingIds, sessionStoreConformance } from 'lena-agent/testing'
import { recordsOf } from '../../src/sessions/entry.ts'
import { openSession } from '../../src/sessions/open-session.ts'

const { signal } = new AbortController()
let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'lena-sqlite-'))))
afterAll(() => rm(root, { recursive: true, force: true }))

let count = 0
const newPath = (): string => join(root, `dir${++count}`, 'sessions.db')
const ids = countingIds()
const said = (text: string): readonly SessionRecord[] =>
  recordsOf([{ type: 'message', message: { id: ids.next('message'), role: 'user', content: [{ type: 'text', text }] } }], {
    after: null,
    time: 1000,
    ids,
  })

describe('sessions in SQLite', { timeout: 60_000 }, () => {
  sessionStoreConformance({ test: it }, async () => sqliteSessions({ path: newPath() }))
})

describe('a database of SQLite', { timeout: 60_000 }, () => {
  it('is for its user alone, and others read on in it', async () => {
    const path = newPath()
    const [one, two] = [said('one'), said('two')]
    await using store = sqliteSessions({ path })
    await store.append('a', one, { durable: true, signal })
    await store.append('a', two, { signal })
    await store.append('a', [], { durable: true, signal })
    expect([(await stat(path)).mode & 0o777, (await stat(`${path}-wal`)).mode & 0o777]).toEqual([0o600, 0o600])
    await using other = sqliteSessions({ path })
    expect((await other.load('a', { signal })).records).toEqual([...one, ...two])
  })

  it('that is given stays open, and keeps its settings', async () => {
    const database = new Database(':memory:')
    database.exec('PRAGMA synchronous = NORMAL')
    const store = sqliteSessions({ database, table: 'mine' })
    const records = said('hello')
    await store.append('a', records, { durable: true, signal })
    await store[Symbol.asyncDispose]()
    expect(database.prepare('PRAGMA synchronous').all()).toEqual([{ synchronous: 1 }])
    expect(database.prepare('SELECT record FROM mine_records').all()).toEqual([{ record: JSON.stringify(records[0]) }])
    database.close()
  })

  it('that is closed is an error, and nothing else', async () => {
    const store = sqliteSessions({ path: newPath() })
    await store.append('a', said('hello'), { signal })
    await store[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
    await expect(store.load('a', { signal })).rejects.toMatchObject({ name: 'SessionError', code: 'session_closed' })
    const database = new Database(':memory:')
    const given = sqliteSessions({ database })
    await given.load('a', { signal })
    database.close()
    await expect(given.load('a', { signal })).rejects.toThrow()
    await expect(given.append('a', said('x'), { signal })).rejects.toThrow()
  })

  it('that could not be opened is opened at the next use, also when that first one was left', async () => {
    const path = newPath()
    await writeFile(join(root, `dir${count}`), 'no folder')
    await using store = sqliteSessions({ path })
    const controller = new AbortController()
    const left = store.load('a', { signal: controller.signal })
    controller.abort(new Error('left'))
    await expect(left).rejects.toThrow()
    await rm(join(root, `dir${count}`))
    expect((await store.load('a', { signal })).records).toEqual([])
  })

  it('that another holds loses nothing: what could not be written goes with the next, and readers wait for nobody', async () => {
    const path = newPath()
    await using store = sqliteSessions({ path, busyMs: 20 })
    const session = new Session({ id: 'a', store })
    const open = await openSession(session, { signal })
    const entries = (text: string): readonly SessionEntry[] => said(text).map(({ entry }) => entry)
    await open.append(entries('one'))
    for (const hold of ['BEGIN IMMEDIATE', 'BEGIN EXCLUSIVE']) {
      const other = new Database(path)
      other.exec(hold)
      other.exec('UPDATE lena_sessions SET syncs = syncs + 1')
      await expect(open.append(entries(hold), { durable: true })).rejects.toMatchObject({ code: 'session_failed' })
      await expect(open.claim(hold, { signal })).rejects.toMatchObject({ code: 'session_failed' })
      expect((await session.restore()).messages.map(({ content }) => content)).not.toContainEqual([{ type: 'text', text: hold }])
      other.exec(hold.endsWith('IMMEDIATE') ? 'ROLLBACK' : 'COMMIT')
      other.close()
      expect(await open.claim(hold, { signal })).toBe(true)
    }
    await open.append(entries('last'))
    const { messages, warnings } = await session.restore()
    const texts = messages.map(({ content: [block] }) => (block?.type === 'text' ? block.text : ''))
    expect([texts, warnings]).toEqual([['one', 'BEGIN IMMEDIATE', 'BEGIN EXCLUSIVE', 'last'], []])
  })

  it('of a newer version is refused', async () => {
    const database = new Database(':memory:')
    await sqliteSessions({ database }).load('a', { signal })
    database.exec('UPDATE lena_sessions_meta SET version = 2')
    await expect(sqliteSessions({ database }).load('a', { signal })).rejects.toMatchObject({ code: 'session_version' })
    database.close()
  })

  it('that holds something else in a row gives the rest', async () => {
    const database = new Database(':memory:')
    const store = sqliteSessions({ database })
    const [one, two] = [said('one'), said('two')]
    await store.append('a', one, { signal })
    database.exec(`INSERT INTO lena_sessions_records (session, record) VALUES ('a', '{"cut')`)
    await store.append('a', two, { signal })
    expect(await store.load('a', { signal })).toEqual({
      records: [...one, ...two],
      cursor: '3',
      warnings: ['row 2 holds no record; it is left out'],
    })
    database.close()
  })

  it('never gives a row number twice, so that a cursor passes no new record', async () => {
    await using store = sqliteSessions({ path: newPath() })
    await store.append('a', said('old'), { signal })
    const { cursor } = await store.load('a', { signal })
    await store.remove('a', { signal })
    const records = said('new')
    await store.append('a', records, { signal })
    expect((await store.load('a', { after: cursor, signal })).records).toEqual(records)
  })

  it('is read with one query, which gives each record once', async () => {
    const database = new Database(':memory:')
    const all: unknown[][] = []
    const counted = {
      exec: (sql: string) => database.exec(sql),
      close: () => database.close(),
      prepare: (sql: string) => {
        const statement = database.prepare(sql)
        return {
          run: (...values: unknown[]) => statement.run(...values),
          get: (...values: unknown[]) => statement.get(...values),
          all: (...values: unknown[]) => {
            const rows = statement.all(...values)
            all.push(rows)
            return rows
          },
        }
      },
    }
    const store = sqliteSessions({ database: counted })
    await store.append(
      'a',
      Array.from({ length: 10_000 }, (_, i) => said(String(i))[0]!),
      { signal },
    )
    await store.append('b', said('other'), { signal })
    expect((await store.load('a', { signal })).records).toHaveLength(10_000)
    expect(all.map(({ length }) => length)).toEqual([10_000])
    database.close()
  })
})

it('takes no table name that could be more than a name, and no options that it does not know', () => {
  for (const table of ['', 'a"; DROP TABLE x; --', 'a b', '1a', 'a'.repeat(41), 'ä', 7])
    expect(() => sqliteSessions({ path: 'x', table: table as string })).toThrow('`table` is a name of 1 to 40 letters')
  expect(() => sqliteSessions({})).toThrow('sqliteSessions() needs a file or an open database')
  expect(() => sqliteSessions({ path: 'x', file: 'y' } as never)).toThrow('There is no option "file" of sqliteSessions()')
  expect(() => sqliteSessions({ path: 'x', busyMs: -1 })).toThrow('`busyMs` is a whole number of milliseconds')
})
