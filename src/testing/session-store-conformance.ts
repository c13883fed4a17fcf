import { checkSuite } from './check-suite.ts'
import type { Message } from '../messages/message.ts'
import type { SessionEntry, SessionRecord } from '../sessions/entry.ts'
import { recordsOf } from '../sessions/entry.ts'
import { restore } from '../sessions/restore.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import { systemClock } from '../util/clock.ts'
import { randomIds } from '../util/ids.ts'
import type { TestRunner } from './result-store-conformance.ts'

const { signal } = new AbortController()
/** The times of files and databases may be no finer, in milliseconds. */
const coarseMs = 25
const message = (text: string): SessionEntry => ({
  type: 'message',
  message: { id: randomIds.next('message'), role: 'user', content: [{ type: 'text', text }] } satisfies Message,
})
const records = (entries: readonly SessionEntry[], after: string | null = null): readonly SessionRecord[] =>
  recordsOf(entries, { after, time: 1_700_000_000_000, ids: randomIds })

function same(got: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)]
  if (a !== b) throw new Error(`${what}: expected ${b?.slice(0, 500)}, got ${a?.slice(0, 500)}`)
}

/**
 * Tests a session store: `make` gives an empty one each time. A store that can be disposed of is, after its test.
 */
export function sessionStoreConformance(runner: TestRunner, make: () => Promise<SessionStore>): void {
  checkSuite('sessionStoreConformance', runner, make)
  const test = (name: string, run: (store: SessionStore) => Promise<void>): void =>
    runner.test(name, async () => {
      const store = await make()
      try {
        await run(store)
      } finally {
        await (store as Partial<AsyncDisposable>)[Symbol.asyncDispose]?.()
      }
    })
  const loaded = async (store: SessionStore, id = 'a'): Promise<readonly SessionRecord[]> => (await store.load(id, { signal })).records

  test('knows nothing of a session that is not there', async (store) => {
    const log = await store.load('a', { signal })
    same([log.records, log.warnings], [[], []], 'an empty log')
    await store.append('a', [], { durable: true, signal })
    same(await loaded(store), [], 'after an empty append')
  })

  test('gives back what was appended, in order, each session its own', async (store) => {
    const first = records([message('one'), message('two')])
    const second = records([message('three')], first.at(-1)!.id)
    const other = records([message('other')])
    await store.append('a', first, { signal })
    await store.append('b', other, { signal })
    await store.append('a', second, { durable: true, signal })
    same(await loaded(store), [...first, ...second], 'the log')
    same(await loaded(store, 'b'), other, 'the other log')
  })

  test('reads on from a cursor', async (store) => {
    const first = records([message('one')])
    await store.append('a', first, { signal })
    const { cursor } = await store.load('a', { signal })
    const second = records([message('two')], first[0]!.id)
    await store.append('a', second, { signal })
    const later = await store.load('a', { after: cursor, signal })
    same(later.records, second, 'what came behind the cursor')
    same((await store.load('a', { after: later.cursor, signal })).records, [], 'what came behind the end')
  })

  test('keeps whatever JSON can carry, in any language', async (store) => {
    const text = 'Grüße, 你好, שלום, 👩‍👩‍👧 \u0000 \u2028 \ud800 \\ " \n \r\n'
    const state = { text, [text]: [null, true, -1.5e-7, 2 ** 53, '', {}, []], __proto__x: { constructor: 1 } }
    const all = records([message(text), { type: 'state', state }, { type: 'pending', checkpoint: null }])
    await store.append('a', all, { signal })
    same(await loaded(store), all, 'the log')
  })

  test('takes any id, and mixes none up', async (store) => {
    const ids = [
      'a',
      'A',
      'ä',
      'a\u0308',
      '../a',
      '/etc/a',
      'a/b',
      'a\\b',
      'a.jsonl',
      '.',
      '..',
      'con',
      '你好',
      "a'; DROP TABLE x; --",
      '%',
      ' a',
      '~'.repeat(200),
    ]
    for (const id of ids) await store.append(id, records([message(id)]), { signal })
    const texts = await Promise.all(ids.map(async (id) => restore(await loaded(store, id)).messages.map(({ content }) => content)))
    same(
      texts,
      ids.map((text) => [[{ type: 'text', text }]]),
      'the logs',
    )
    if (store.list) same((await store.list({ signal })).map(({ id }) => id).sort(), [...ids].sort(), 'the list')
  })

  test('keeps large messages', async (store) => {
    const all = records([message('x'.repeat(1 << 20)), message('é'.repeat(1 << 20))])
    await store.append('a', all, { signal })
    same(await loaded(store), all, 'the log')
  })

  test('keeps ten thousand messages', async (store) => {
    const all = records(Array.from({ length: 10_000 }, (_, i) => message(`message ${i}`)))
    for (let i = 0; i < all.length; i += 500) await store.append('a', all.slice(i, i + 500), { signal })
    const log = await loaded(store)
    same(log.length, all.length, 'how many')
    same(log.at(-1), all.at(-1), 'the last')
    same(restore(log).messages.length, all.length, 'messages')
  })

  test('keeps the branches of writers that write at the same time', async (store) => {
    const root = records([message('root')])
    await store.append('a', root, { signal })
    const writers = Array.from({ length: 8 }, (_, w) =>
      records(
        Array.from({ length: 20 }, (_, i) => message(`${w}:${i}`)),
        root[0]!.id,
      ),
    )
    await Promise.all(
      writers.map(async (writer) => {
        for (const record of writer) await store.append('a', [record], { signal })
      }),
    )
    const log = await loaded(store)
    for (const writer of writers) {
      const ids = new Set(writer.map(({ id }) => id))
      same(
        log.filter(({ id }) => ids.has(id)),
        writer,
        'the records of one writer',
      )
    }
    const leaf = log.at(-1)!
    const followed = writers.find((writer) => writer.at(-1)!.id === leaf.id)
    same(
      restore(log).messages,
      [...root, ...(followed ?? [])].map(({ entry }) => (entry as SessionEntry & { type: 'message' }).message),
      'the newest branch',
    )
  })

  test('does not change what it is given, nor share what can be changed', async (store) => {
    const all = records([message('one')])
    const before = JSON.stringify(all)
    const mutable = JSON.parse(before) as { entry: { message: { content: { text: string }[] } } }[]
    await store.append('a', mutable as unknown as readonly SessionRecord[], { signal })
    same(mutable, all, 'what was given')
    mutable[0]!.entry.message.content[0]!.text = 'changed'
    same(await loaded(store), all, 'the log')
  })

  test('does nothing once the signal has fired', async (store) => {
    await store.append('a', records([message('one')]), { signal })
    const reason = new Error('stopped')
    const options = { signal: AbortSignal.abort(reason) }
    const attempts = await Promise.allSettled([
      store.load('a', options),
      store.append('a', records([message('two')]), options),
      store.list?.(options) ?? Promise.reject(reason),
      store.remove?.('a', options) ?? Promise.reject(reason),
    ])
    same(
      attempts.map((attempt) => attempt.status === 'rejected' && attempt.reason === reason),
      [true, true, true, true],
      'refused for the reason',
    )
    same((await loaded(store)).length, 1, 'the log')
  })

  test('appends all or nothing when the signal fires on the way', async (store) => {
    const all = records(Array.from({ length: 100 }, (_, i) => message(String(i))))
    const controller = new AbortController()
    const appended = store.append('a', all, { signal: controller.signal })
    controller.abort(new Error('stopped'))
    const [{ status }] = await Promise.allSettled([appended])
    const { length } = await loaded(store)
    if (length !== all.length && (length !== 0 || status === 'fulfilled'))
      throw new Error(`${length} of ${all.length} records are there, the append was ${status}.`)
  })

  test('lists the session first that was changed last', async (store) => {
    if (!store.list) return
    for (const id of ['a', 'b', 'a']) {
      await store.append(id, records([message(id)]), { signal })
      await systemClock.sleep(coarseMs, signal)
    }
    same(
      (await store.list({ signal })).map(({ id }) => id),
      ['a', 'b'],
      'the list',
    )
  })

  test('lists sessions, and forgets one', async (store) => {
    if (!store.list || !store.remove) return
    same(await store.list({ signal }), [], 'an empty list')
    for (const id of ['a', 'b']) await store.append(id, records([message(id)]), { signal })
    const list = await store.list({ signal })
    same(list.map(({ id }) => id).sort(), ['a', 'b'], 'the list')
    if (!list.every(({ updated }) => updated > 0)) throw new Error('each has the time of its last change')
    await store.remove('a', { signal })
    await store.remove('a', { signal })
    same([await loaded(store), (await store.list({ signal })).map(({ id }) => id)], [[], ['b']], 'what is left')
    const anew = records([message('anew')])
    await store.append('a', anew, { signal })
    same(await loaded(store), anew, 'a new session of the old id')
  })
}
