import { expect, it } from 'vitest'
import type { Message, SessionEntry, SessionRecord } from 'lena-agent'
import { memorySessions, Session } from 'lena-agent'
import { countingIds } from 'lena-agent/testing'
import { compactionEntry } from '../../src/sessions/compaction.ts'
import { recordsOf } from '../../src/sessions/entry.ts'
import { fc } from '../support/fast-check.ts'

const { signal } = new AbortController()

/** Messages, amendments and compactions, on branches that leave each other anywhere. `at` chooses the record that one follows. */
type Step = { readonly kind: 'message' | 'amend' | 'compaction'; readonly at: number; readonly drop: number }
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('message', 'message', 'message', 'amend', 'compaction'),
    at: fc.oneof({ weight: 4, arbitrary: fc.constant(-1) }, { weight: 1, arbitrary: fc.nat(50) }),
    drop: fc.nat(3),
  }),
  { minLength: 1, maxLength: 25 },
)

/** The records, and beside each the history that one has who stands there. */
function logOf(plan: readonly Step[]): { readonly records: readonly SessionRecord[]; readonly histories: readonly (readonly Message[])[] } {
  const ids = countingIds()
  const records: SessionRecord[] = []
  const histories: (readonly Message[])[] = []
  for (const { kind, at, drop } of plan) {
    const place = at < 0 || records.length === 0 ? records.length - 1 : at % records.length
    const before = histories[place] ?? []
    const message: Message = { id: ids.next('message'), role: 'user', content: [{ type: 'text', text: `${records.length}` }] }
    let entry: SessionEntry = { type: 'message', message }
    let after: readonly Message[] = [...before, message]
    if (kind === 'amend' && before.length > 0) {
      entry = { type: 'amend', message, replaces: before.at(-1)!.id }
      after = [...before.slice(0, -1), message]
    } else if (kind === 'compaction' && before.length > 0) {
      after = [message, ...before.slice(drop)]
      entry = compactionEntry(before, after)
    }
    records.push(...recordsOf([entry], { after: records[place]?.id ?? null, time: 1, ids }))
    histories.push(after)
  }
  return { records, histories }
}

it('forks at any record with the history that was there, and neither sees what the other goes on with', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const { records, histories } = logOf(plan)
      const store = memorySessions()
      const session = new Session({ id: 's', store })
      await store.append('s', records, { signal })
      for (const [place, record] of records.entries()) {
        const fork = await session.fork({ id: `f${place}`, at: record.id })
        expect((await fork.restore()).messages).toEqual(histories[place])
        await store.append(fork.id, recordsOf([{ type: 'pending', checkpoint: {} }], { after: record.id, time: 2, ids: countingIds() }), {
          signal,
        })
      }
      const { messages, pending, warnings } = await session.restore()
      expect([messages, pending, warnings]).toEqual([histories.at(-1), undefined, []])
    }),
  )
})

it('forks at any message, by the id of the message', async () => {
  const { records, histories } = logOf(Array.from({ length: 20 }, () => ({ kind: 'message', at: -1, drop: 0 })))
  const store = memorySessions()
  const session = new Session({ id: 's', store })
  await store.append('s', records, { signal })
  for (const [place, { id }] of histories.at(-1)!.entries()) {
    const fork = await session.fork({ id: `f${place}`, at: id })
    expect((await fork.restore()).messages).toEqual(histories.at(-1)!.slice(0, place + 1))
  }
})
