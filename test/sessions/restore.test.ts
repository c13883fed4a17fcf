import { describe, expect, it } from 'vitest'
import type { Message, SessionEntry, SessionRecord } from 'lena-agent'
import { SessionError } from 'lena-agent'
import { countingIds } from 'lena-agent/testing'
import { compactionEntry } from '../../src/sessions/compaction.ts'
import { recordsOf } from '../../src/sessions/entry.ts'
import { restore } from '../../src/sessions/restore.ts'

const said = (id: string, text = id): Message => ({ id, role: 'user', content: [{ type: 'text', text }] })
const added = (message: Message): SessionEntry => ({ type: 'message', message })
const [m1, m2, m3, m4] = ['m1', 'm2', 'm3', 'm4'].map((id) => said(id)) as [Message, Message, Message, Message]
const newIds = countingIds()
const records = (entries: readonly SessionEntry[], after: string | null = null, ids = newIds): readonly SessionRecord[] =>
  recordsOf(entries, { after, time: 1000, ids })
const result = { type: 'tool_result', toolUseId: 'c', status: 'success', content: [{ type: 'text', text: 'done' }] } as const

describe('a log', () => {
  it('comes to its messages, state and pending run', () => {
    const log = records([
      added(m1),
      { type: 'state', state: { n: 1 } },
      { type: 'amend', message: said('m1', 'both'), replaces: 'm1' },
      { type: 'pending', checkpoint: { position: 'interrupt' } },
      { type: 'claim', idempotencyKey: 's:c' },
      { type: 'tool_result', idempotencyKey: 's:c', result },
      { type: 'state', state: { n: 2 } },
    ])
    expect(restore(log)).toEqual({
      messages: [said('m1', 'both')],
      state: { n: 2 },
      pending: { position: 'interrupt' },
      results: new Map([['s:c', result]]),
      claims: new Map([['s:c', log[4]!.id]]),
      leaf: log[6]!.id,
      warnings: [],
    })
    expect(restore([...log, ...records([{ type: 'pending', checkpoint: null }], log[6]!.id)]).pending).toBeUndefined()
  })

  it('follows the newest leaf, and knows what was done on the others', () => {
    const [root] = records([added(m1)])
    const left = records([added(m2), { type: 'claim', idempotencyKey: 'k' }], root!.id)
    const right = records([added(m3), { type: 'claim', idempotencyKey: 'k' }], root!.id)
    const log = [root!, left[0]!, right[0]!, left[1]!, right[1]!]
    const restored = restore(log)
    expect([restored.messages, restored.leaf]).toEqual([[m1, m3], right[1]!.id])
    expect(restored.claims).toEqual(new Map([['k', left[1]!.id]]))
    expect(restore(log, { at: left[1]!.id }).messages).toEqual([m1, m2])
    expect(restore(log, { at: 'm2' }).messages).toEqual([m1, m2])
    expect(() => restore(log, { at: 'x' })).toThrow('no record and no message of the id "x"')
  })

  it('has each record once, however often it was written', () => {
    const log = records([added(m1), added(m2)])
    expect(restore([...log, ...log]).messages).toEqual([m1, m2])
  })
})

describe('a compaction', () => {
  it('names what stays and writes only what is new', () => {
    const entry = compactionEntry([m1, m2, m3], [m4, m2, m3])
    expect(entry).toEqual({ type: 'compaction', messages: [m4, { kept: ['m2', 'm3'] }] })
    expect(restore(records([added(m1), added(m2), added(m3), entry, added(m1)])).messages).toEqual([m4, m2, m3, m1])
  })

  it('writes all when ids do not tell messages apart', () => {
    const twin = said('m1', 'another')
    expect(compactionEntry([m1, twin], [twin])).toEqual({ type: 'compaction', messages: [twin] })
  })
})

describe('what cannot be read', () => {
  const [first, second, third] = records([added(m1), added(m2), added(m3)]) as [SessionRecord, SessionRecord, SessionRecord]

  it('is left out: a lost record, what is none, entries and blocks of a newer minor version', () => {
    const newer = { ...second, version: '1.7', entry: { type: 'hologram' } } as unknown as SessionRecord
    const partly = { ...second, entry: added({ ...m2, content: [...m2.content, { type: 'audio' }] } as never) }
    expect(restore([first, third])).toMatchObject({ messages: [m1, m3], warnings: [expect.stringContaining(`follows ${second.id}`)] })
    expect(restore([first, newer, third])).toMatchObject({ messages: [m1, m3], warnings: [expect.stringContaining('"hologram"')] })
    expect(restore([first, partly, third])).toMatchObject({ messages: [m1, m2, m3], warnings: [expect.stringContaining('audio')] })
    expect(restore([first, 7 as never, second])).toMatchObject({
      messages: [m1, m2],
      warnings: [expect.stringContaining('record 2 is not one')],
    })
  })

  it('is left out: a compaction that keeps in another way than this version knows', () => {
    for (const kept of [null, 7, 'm1', ['m1'], { from: 'm1' }]) {
      const entry = { type: 'compaction', messages: [m4, { kept }] } as unknown as SessionEntry
      expect(restore(records([added(m1), entry]))).toMatchObject({
        messages: [m4],
        warnings: [expect.stringContaining('keeps messages that are not there')],
      })
    }
  })

  it('is refused when a newer major version wrote it', () => {
    const attempt = (): unknown => restore([first, { ...second, version: '2.0' }])
    expect(attempt).toThrow(SessionError)
    expect(attempt).toThrow('written in version 2.0 of the format, and this lena-agent reads 1.0. Update lena-agent.')
  })
})

it('reads each record a fixed number of times, however long the log is', () => {
  const readsOf = (length: number): number => {
    let reads = 0
    const log = records(Array.from({ length }, (_, i) => added(said(`n${i}`)))).map((record) => ({
      ...record,
      get parent() {
        reads++
        return record.parent
      },
      get entry() {
        reads++
        return record.entry
      },
    }))
    expect(restore(log).messages).toHaveLength(length)
    return reads
  }
  expect((readsOf(10_000) - readsOf(1000)) / 9000).toBe((readsOf(1000) - readsOf(100)) / 900)
})
