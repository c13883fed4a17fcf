import type { FileHandle } from 'node:fs/promises'
import { appendFile, mkdtemp, open, readFile, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SessionRecord } from 'lena-agent'
import { fileSessions } from 'lena-agent/sessions'
import { countingIds, sessionStoreConformance } from 'lena-agent/testing'
import { recordsOf } from '../../src/sessions/entry.ts'

const { signal } = new AbortController()
let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'lena-sessions-'))))
afterAll(() => rm(root, { recursive: true, force: true }))

let count = 0
const newDir = (): string => join(root, `dir${++count}`)
const ids = countingIds()
const said = (text: string, after: string | null = null): readonly SessionRecord[] =>
  recordsOf([{ type: 'message', message: { id: ids.next('message'), role: 'user', content: [{ type: 'text', text }] } }], {
    after,
    time: 1000,
    ids,
  })

describe('sessions in files', { timeout: 60_000 }, () => {
  sessionStoreConformance({ test: it }, async () => fileSessions({ dir: newDir() }))
})

describe('a session file', () => {
  it('is for its user alone, and begins with whose it is', async () => {
    const dir = newDir()
    const [record] = said('hello')
    await fileSessions({ dir }).append('a', [record!], { signal })
    const file = join(dir, 'a.jsonl')
    expect([(await stat(dir)).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600])
    expect(await readFile(file, 'utf8')).toBe(`{"format":"lena-session","version":"1.0","session":"a"}\n${JSON.stringify(record)}\n`)
  })

  it('is not written through a link', async () => {
    const dir = newDir()
    const store = fileSessions({ dir })
    await store.append('b', said('b'), { signal })
    await writeFile(join(root, 'elsewhere'), 'mine')
    await symlink(join(root, 'elsewhere'), join(dir, 'a.jsonl'))
    await expect(store.append('a', said('a'), { signal })).rejects.toThrow(/ELOOP/)
    expect(await readFile(join(root, 'elsewhere'), 'utf8')).toBe('mine')
  })

  it('lies in the folder whatever the id is', async () => {
    const dir = newDir()
    const store = fileSessions({ dir })
    for (const id of ['../../x', '/etc/passwd', 'A', 'nul', '..']) await store.append(id, said(id), { signal })
    const names = await readdir(dir)
    expect(names.map((name) => name.replace(/~[0-9a-f]{32}\.jsonl$/, '')).sort()).toEqual(['-', '-etc-passwd', '-x', 'a', 'nul'])
  })
})

it('has its name on the disk, too, when what is durable is not the first that was written', async () => {
  const dir = newDir()
  const store = fileSessions({ dir })
  const handle = await open(root, 'r')
  const sync = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync')
  onTestFinished(() => sync.mockRestore())
  await handle.close()
  await store.append('a', said('one'), { signal })
  expect(sync).toHaveBeenCalledTimes(0)
  await store.append('a', said('two'), { durable: true, signal })
  expect(sync).toHaveBeenCalledTimes(1)
  await store.append('b', said('one'), { signal })
  await store.append('b', [], { durable: true, signal })
  expect(sync).toHaveBeenCalledTimes(2)
  await store.append('b', said('two'), { durable: true, signal })
  expect(sync).toHaveBeenCalledTimes(2)
  await store.remove('b', { signal })
  await store.append('b', said('three'), { durable: true, signal })
  expect(sync).toHaveBeenCalledTimes(3)
})

describe('a file that is not as it should be', () => {
  it('of a newer version is refused by its first line, and is not taken for an empty session', async () => {
    const dir = newDir()
    const store = fileSessions({ dir })
    await store.append('a', said('hello'), { signal })
    await writeFile(join(dir, 'a.jsonl'), '{"format":"lena-session","version":"2.0","session":"a"}\n{"say":"hello"}\n')
    await expect(store.load('a', { signal })).rejects.toMatchObject({
      name: 'SessionError',
      code: 'session_version',
      message: 'The session was written in version 2.0 of the format, and this lena-agent reads 1.0. Update lena-agent.',
    })
    await writeFile(join(dir, 'a.jsonl'), '{"format":"lena-session","version":"1.9","session":"a"}\n')
    expect((await store.load('a', { signal })).records).toEqual([])
  })
})

describe('a writing that was cut', { timeout: 60_000 }, () => {
  it('at any byte loses nothing but itself, and what comes after it is read', async () => {
    const dir = newDir()
    const store = fileSessions({ dir })
    const first = said('first')
    const cut = recordsOf(
      [
        { type: 'state', state: { nested: { version: '1.0', id: 'x' }, text: 'ü{"version":"' } },
        { type: 'pending', checkpoint: null },
      ],
      { after: first[0]!.id, time: 1000, ids },
    )
    const next = said('next', first[0]!.id)
    const file = join(dir, 'a.jsonl')
    await store.append('a', first, { signal })
    const { size } = await stat(file)
    await store.append('a', cut, { signal })
    const whole = await readFile(file)
    for (let length = size + 1; length < whole.length; length++) {
      await writeFile(file, whole.subarray(0, length))
      // All but the newline: it is there.
      const kept = length === whole.length - 1 ? cut : []
      const torn = await store.load('a', { signal })
      expect(torn.records).toEqual([...first, ...kept])
      expect(torn.warnings).toHaveLength(kept.length > 0 ? 0 : 1)
      await store.append('a', next, { signal })
      const after = await store.load('a', { after: torn.cursor, signal })
      expect(after.records).toEqual(next)
      expect((await store.load('a', { signal })).records).toEqual([...first, ...kept, ...next])
    }
  })

  it('at any byte of the first one leaves a session that is listed and can be gone on with', async () => {
    const dir = newDir()
    const store = fileSessions({ dir })
    const file = join(dir, 'a.jsonl')
    await store.append('a', said('lost'), { signal })
    const whole = await readFile(file)
    for (let length = 0; length < whole.length - 1; length++) {
      await writeFile(file, whole.subarray(0, length))
      const next = said('next')
      await store.append('a', next, { signal })
      expect((await store.load('a', { signal })).records).toEqual(next)
      expect((await store.list({ signal })).map(({ id }) => id)).toEqual(['a'])
    }
  })

  it('does not take with it what another process wrote onto the same line', async () => {
    const dir = newDir()
    const store = fileSessions({ dir })
    const first = said('first')
    const several = [...said('second'), ...said('third')]
    await store.append('a', first, { signal })
    const file = join(dir, 'a.jsonl')
    const { size } = await stat(file)
    await store.append('a', said('lost'), { signal })
    for (const records of [said('one'), several]) {
      await truncate(file, size + 40)
      await appendFile(file, `${JSON.stringify(records.length === 1 ? records[0] : records)}\n`)
      const log = await store.load('a', { signal })
      expect(log.records).toEqual([...first, ...records])
      expect(log.warnings).toEqual([`${file}: the line at byte ${size} is damaged; ${records.length} record(s) of it could be read`])
    }
  })
})

it('reads a line with more records than a function takes arguments: a fork is one', { timeout: 120_000 }, async () => {
  const store = fileSessions({ dir: newDir() })
  const claims = Array.from({ length: 150_000 }, (_, i) => ({ type: 'claim', idempotencyKey: `c${i}` }) as const)
  await store.append('a', recordsOf(claims, { after: null, time: 1, ids }), { signal })
  expect((await store.load('a', { signal })).records.length).toBe(150_000)
})

it('refuses options that it does not know', () => {
  expect(() => fileSessions({ dir: '' })).toThrow("fileSessions() needs a folder: { dir: '/path' }")
  expect(() => fileSessions({ dir: 'x', folder: 'y' } as never)).toThrow('There is no option "folder" of fileSessions()')
})
