import { stat, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Message, SessionEntry, SessionStore } from 'lena-agent'
import { memorySessions, Session } from 'lena-agent'
import { fileSessions } from 'lena-agent/sessions'
import { countingIds, fakeClock } from 'lena-agent/testing'
import { openSession } from '../../src/sessions/open-session.ts'

const { signal } = new AbortController()
const said = (text: string): SessionEntry => ({
  type: 'message',
  message: { id: `id of ${text}`, role: 'user', content: [{ type: 'text', text }] } satisfies Message,
})
const textsOf = (messages: readonly Message[]): unknown[] => messages.map(({ content }) => (content[0] as { text: string }).text)
const read = async (session: Session): Promise<unknown[]> => textsOf((await session.restore()).messages)

describe('an open session', () => {
  it('goes on where it was left', async () => {
    const session = new Session({ id: 's', store: memorySessions() })
    const first = await openSession(session, { signal })
    await first.append([said('one')])
    await first.append([said('two')])
    const second = await openSession(session, { signal })
    expect(textsOf(second.restored.messages)).toEqual(['one', 'two'])
    await second.append([said('three')])
    expect(await read(session)).toEqual(['one', 'two', 'three'])
  })

  it('keeps its own branch beside another writer', async () => {
    const session = new Session({ id: 's', store: memorySessions() })
    const a = await openSession(session, { signal })
    await a.append([said('root')])
    const b = await openSession(session, { signal })
    await a.append([said('a1')])
    await b.append([said('b1')])
    await a.append([said('a2')])
    expect(await read(session)).toEqual(['root', 'a1', 'a2'])
    const [newest, other] = await session.branches()
    expect([newest!.leaf, other!.leaf]).toEqual([a.leaf, b.leaf])
    expect(newest!.forkedAt).toBe(other!.forkedAt)
    expect(await read(new Session({ id: 's', store: session.store, at: other!.leaf }))).toEqual(['root', 'b1'])
    expect(await read(await session.fork({ id: 'fork', at: other!.leaf }))).toEqual(['root', 'b1'])
    await expect(session.fork({ id: 's' })).rejects.toMatchObject({ code: 'session_exists' })
  })

  it('writes what failed again with the next, and tells of it', async () => {
    const memory = memorySessions()
    let failures = 2
    const store: SessionStore = {
      ...memory,
      append: async (...args) => {
        if (failures-- > 0) throw new Error('disk full')
        await memory.append(...args)
      },
    }
    const session = new Session({ id: 's', store })
    const open = await openSession(session, { signal })
    void open.append([said('one')])
    await expect(open.flush()).rejects.toThrow('The session "s" could not be written: disk full')
    await expect(open.append([said('two')])).rejects.toMatchObject({ code: 'session_failed' })
    await open.flush()
    expect(await read(session)).toEqual(['one', 'two'])
  })

  it('does not wait for ever for a store that hangs', async () => {
    const clock = fakeClock()
    const store: SessionStore = { ...memorySessions(), append: () => new Promise(() => {}) }
    const open = await openSession(new Session({ id: 's', store }), { signal, clock })
    const appended = open.append([said('one')])
    await clock.advance(30_000)
    await expect(appended).rejects.toMatchObject({ code: 'session_timeout' })
    expect(clock.sleeping).toBe(0)
  })
})

describe('a claim', () => {
  it('is given to one alone, for as often as it asks', async () => {
    const session = new Session({ id: 's', store: memorySessions() })
    const writers = await Promise.all([1, 2, 3].map(() => openSession(session, { signal })))
    const got = await Promise.all(writers.map((writer) => writer.claim('s:call', { signal })))
    expect(got.filter(Boolean)).toEqual([true])
    expect(await Promise.all(writers.map((writer) => writer.claim('s:call', { signal })))).toEqual(got)
    const later = await openSession(session, { signal })
    expect(await later.claim('s:call', { signal })).toBe(false)
  })

  it('is not given once there is a result', async () => {
    const open = await openSession(new Session({ id: 's', store: memorySessions() }), { signal })
    const result = { type: 'tool_result', toolUseId: 'c', status: 'success', content: [] } as const
    await open.append([{ type: 'tool_result', idempotencyKey: 's:c', result }])
    expect([await open.claim('s:c', { signal }), open.results.get('s:c')]).toEqual([false, result])
  })
})

it('adds as many bytes at each turn as at the one before', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lena-bytes-'))
  try {
    const open = await openSession(new Session({ id: 's', store: fileSessions({ dir }) }), {
      signal,
      clock: fakeClock(1000),
      ids: {
        next: (
          (ids) => (kind) =>
            ids.next(kind).padEnd(12, '_')
        )(countingIds()),
      },
    })
    const sizes: number[] = []
    for (let turn = 0; turn < 300; turn++) {
      await open.append([said(String(turn).padStart(6, '0')), { type: 'state', state: { text: 'x' } }])
      sizes.push((await stat(join(dir, 's.jsonl'))).size)
    }
    const grown = sizes.slice(1).map((size, i) => size - sizes[i]!)
    // The first record has no parent to name.
    expect(new Set(grown).size).toBe(1)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})
