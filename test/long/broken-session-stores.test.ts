// One flaw each: the suite names it.
import { expect, it, vi } from 'vitest'
import type { SessionRecord, SessionStore } from 'lena-agent'
import { memorySessions } from 'lena-agent'
import { sessionStoreConformance } from 'lena-agent/testing'

vi.setConfig({ testTimeout: 60_000 })

type Store = Required<SessionStore>
type Flaw = (good: Store) => SessionStore

/** Names of the tests that a store fails, of all there are. */
async function failures(flaw: Flaw): Promise<readonly string[]> {
  const tests: { name: string; fn: () => Promise<void> }[] = []
  sessionStoreConformance({ test: (name, fn) => void tests.push({ name, fn }) }, async () => flaw(memorySessions()))
  const failed: string[] = []
  for (const { name, fn } of tests) await fn().catch(() => failed.push(name))
  return failed
}

const absent = 'knows nothing of a session that is not there'
const order = 'gives back what was appended, in order, each session its own'
const cursors = 'reads on from a cursor'
const texts = 'keeps whatever JSON can carry, in any language'
const ids = 'takes any id, and mixes none up'
const large = 'keeps large messages'
const many = 'keeps ten thousand messages'
const branches = 'keeps the branches of writers that write at the same time'
const sharing = 'does not change what it is given, nor share what can be changed'
const fired = 'does nothing once the signal has fired'
const half = 'appends all or nothing when the signal fires on the way'
const newest = 'lists the session first that was changed last'
const lists = 'lists sessions, and forgets one'

const changed = (records: readonly SessionRecord[], change: (text: string) => string): readonly SessionRecord[] =>
  JSON.parse(change(JSON.stringify(records))) as readonly SessionRecord[]

/** Appends what this makes of the records. */
const appending =
  (change: (records: readonly SessionRecord[]) => readonly SessionRecord[]): Flaw =>
  (good) => ({ ...good, append: async (id, records, options) => await good.append(id, change(records), options) })

const naming =
  (change: (id: string) => string): Flaw =>
  (good) => ({
    ...good,
    load: (id, options) => good.load(change(id), options),
    append: (id, records, options) => good.append(change(id), records, options),
    remove: (id, options) => good.remove(change(id), options),
  })

it.each<[name: string, flaw: Flaw, failed: readonly string[]]>([
  ['does all', (good) => good, []],
  ['does no more than it must', ({ load, append }) => ({ load, append }), []],
  [
    'takes a session that is not there for a mistake',
    (good) => ({
      ...good,
      load: async (id, options) => {
        const log = await good.load(id, options)
        if (log.cursor === '0') throw new Error('no such session')
        return log
      },
    }),
    [absent, lists],
  ],
  [
    'makes a session of nothing',
    (good) => ({ ...good, load: async (id, options) => ({ ...(await good.load(id, options)), warnings: ['new'] }) }),
    [absent],
  ],
  ['turns round what was appended at once', appending((records) => [...records].reverse()), [order, texts, large, many]],
  ['keeps one log for all', naming(() => 'one'), [order, ids, newest, lists]],
  ['forgets its cursors', (good) => ({ ...good, load: (id, { signal }) => good.load(id, { signal }) }), [cursors]],
  ['drops NUL characters', appending((records) => changed(records, (text) => text.replaceAll('\\u0000', ''))), [texts]],
  ['has ids without case', naming((id) => id.toLowerCase()), [ids]],
  ['cuts long ids', naming((id) => id.slice(0, 1)), [ids]],
  ['bounds its records', appending((records) => records.filter((record) => JSON.stringify(record).length < 1 << 20)), [large]],
  ['bounds its logs', (good) => ({ ...good, load: async (id, options) => first(await good.load(id, options), 9000) }), [many]],
  ['keeps what was appended last', losing, [branches]],
  ['shares what it is given', sharesRecords, [sharing]],
  ['does not look at its signal', (good) => ({ ...good, append: (id, records) => good.append(id, records, { signal: never }) }), [fired]],
  ['appends one by one', oneByOne, [half]],
  ['cannot forget', (good) => ({ ...good, remove: async (_id, { signal }) => signal.throwIfAborted() }), [lists]],
  ['lists those that changed first', (good) => ({ ...good, list: async (options) => (await good.list(options)).toReversed() }), [newest]],
  [
    'knows no times',
    (good) => ({ ...good, list: async (options) => (await good.list(options)).map(({ id }) => ({ id, updated: 0 })) }),
    [lists],
  ],
])('a store that %s', async (_, flaw, failed) => {
  expect(await failures(flaw)).toEqual(failed)
})

const never = new AbortController().signal
const first = (log: Awaited<ReturnType<Store['load']>>, most: number): typeof log => ({ ...log, records: log.records.slice(0, most) })

/** Reads, waits, and writes: of two that do so at once one is lost. */
function losing(good: Store): SessionStore {
  const logs = new Map<string, readonly SessionRecord[]>()
  return {
    async load(id, { after, signal }) {
      signal.throwIfAborted()
      const log = logs.get(id) ?? []
      return { records: log.slice(Number(after ?? 0)), cursor: String(log.length), warnings: [] }
    },
    async append(id, records, { signal }) {
      signal.throwIfAborted()
      const before = logs.get(id) ?? []
      const copy = JSON.parse(JSON.stringify(records)) as readonly SessionRecord[]
      await Promise.resolve()
      if (copy.length > 0) logs.set(id, [...before, ...copy])
      await good.append(id, [], { signal: never })
    },
  }
}

function sharesRecords(): SessionStore {
  const logs = new Map<string, SessionRecord[]>()
  return {
    async load(id, { after, signal }) {
      signal.throwIfAborted()
      const log = logs.get(id) ?? []
      return { records: log.slice(Number(after ?? 0)), cursor: String(log.length), warnings: [] }
    },
    async append(id, records, { signal }) {
      signal.throwIfAborted()
      if (records.length > 0) logs.set(id, [...(logs.get(id) ?? []), ...records])
    },
  }
}

function oneByOne(good: Store): SessionStore {
  return {
    ...good,
    async append(id, records, { signal }) {
      signal.throwIfAborted()
      for (const record of records) {
        await good.append(id, [record], { signal })
        await Promise.resolve()
      }
    },
  }
}
