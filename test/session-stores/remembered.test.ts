import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { restore } from '../../src/sessions/restore.ts'
import type { SessionEntry, SessionRecord } from '../../src/sessions/entry.ts'
import { recordsOf } from '../../src/sessions/entry.ts'
import { fileSessions, sqliteSessions } from '../../src/session-stores/index.ts'
import { countingIds } from '../support/ids.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lena-remembered-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))
afterEach(() => void vi.restoreAllMocks())

const turns = 200
/** A turn with many parts: each remembered one takes memory as long as the session is there, and time in each collection. */
function written(): readonly SessionRecord[] {
  const ids = countingIds()
  const text = { type: 'text', text: 'seen' } as const
  const entries = Array.from({ length: turns }, (_, n): readonly SessionEntry[] => {
    const result = { type: 'tool_result', toolUseId: `c${n}`, status: 'success', content: [text, text, text] } as const
    const input = { deep: { list: [1, { a: {} }] } }
    return [
      { type: 'message', message: { id: `u${n}`, role: 'user', content: [text] } },
      { type: 'message', message: { id: `a${n}`, role: 'assistant', content: [{ type: 'tool_use', id: `c${n}`, name: 'look', input }] } },
      { type: 'tool_result', idempotencyKey: `s:c${n}`, result },
      { type: 'message', message: { id: `r${n}`, role: 'user', content: [result] } },
      { type: 'message', message: { id: `b${n}`, role: 'assistant', content: [text] } },
      { type: 'state', state: { n, list: [{}, {}] } },
    ]
  }).flat()
  return recordsOf(entries, { after: null, time: 1, ids })
}

it.each([
  ['files', () => fileSessions({ dir })],
  ['SQLite', () => sqliteSessions({ path: ':memory:' })],
])('of what is read from %s one thing a record is remembered, not each of its parts', async (_name, make) => {
  const store = make()
  const records = written()
  await store.append('a', records)
  const sets = vi.spyOn(WeakMap.prototype, 'set')
  const log = await store.load('a')
  const restored = restore(log.records)
  const remembered = new Set(sets.mock.calls.map(([key]) => key)).size
  vi.restoreAllMocks()
  expect(restored.messages).toHaveLength(4 * turns)
  // And what is made on the way for each result.
  expect(remembered).toBeLessThanOrEqual(records.length + turns + 10)
  // It is shared, all the same, not copied.
  expect(restored.messages[3]).toBe((log.records[4]!.entry as SessionEntry & { type: 'message' }).message)
  expect(restored.results.get('s:c7')).toBe((log.records[44]!.entry as SessionEntry & { type: 'tool_result' }).result)
  expect(restored.state).toBe((log.records.at(-1)!.entry as SessionEntry & { type: 'state' }).state)
})
