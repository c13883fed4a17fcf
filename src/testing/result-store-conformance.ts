import { checkSuite } from './check-suite.ts'
import type { ResultStore } from '../results/result-store.ts'

/** What the suites need of a test framework: `{ test }` of node:test, vitest or Jest. */
export interface TestRunner {
  readonly test: (name: string, fn: () => Promise<void>) => void
}

const { signal } = new AbortController()
const astral = 'a😀b😀😀c'

/**
 * The tests that a store of results must pass. Each one makes a store of its own.
 *
 * @example resultStoreConformance({ test }, async () => myStore())
 */
export function resultStoreConformance(runner: TestRunner, make: () => Promise<ResultStore>): void {
  checkSuite('resultStoreConformance', runner, make)
  const { test } = runner
  const keep = async (store: ResultStore, text: string, conversationId = 'conv_1'): Promise<string> =>
    (await store.put({ text, callId: 'call_1', conversationId, toolName: 'look' }, { signal })).path
  const read = (store: ResultStore, path: string, offset = 0, limit = Infinity) => store.read(path, { offset, limit, signal })

  const texts: readonly (readonly [name: string, text: string])[] = [
    ['plain', 'one\ntwo\r\nthree'],
    ['empty', ''],
    ['of all planes', `${astral}äß漢\u0000\ufeffz`],
    ['that begins with a byte-order mark', '\ufeffstart'],
    ['of a million characters', 'zwölf 🥨 Boxkämpfer\n'.repeat(50_000)],
  ]
  for (const [name, text] of texts) {
    test(`a text ${name} comes back whole`, async () => {
      const store = await make()
      const path = await keep(store, text)
      expectSame(await read(store, path), { text, offset: 0, chars: text.length })
    })
  }

  test('half a surrogate pair may become U+FFFD, and nothing else changes', async () => {
    const store = await make()
    const { text, chars } = await read(store, await keep(store, 'a\ud83db'))
    expectTrue(text === 'a\ufffdb' || text === 'a\ud83db', `got ${JSON.stringify(text)}`)
    expectSame(chars, 3)
  })

  test('pages go on where the one before ended, and never cut a surrogate pair', async () => {
    const store = await make()
    const path = await keep(store, astral)
    for (let limit = 1; limit <= astral.length + 1; limit++) {
      let all = ''
      while (all.length < astral.length) {
        const page = await read(store, path, all.length, limit)
        expectTrue(page.text !== '', `an empty page at ${all.length}, limit ${limit}`)
        expectTrue(isWhole(page.text), `a pair is cut at ${all.length}, limit ${limit}: ${JSON.stringify(page.text)}`)
        expectTrue(page.text.length <= Math.max(2, limit), `${page.text.length} characters for a limit of ${limit}`)
        expectSame(page.offset, all.length)
        all += page.text
      }
      expectSame(all, astral)
    }
  })

  test('an offset inside a surrogate pair gives the whole character, one past the end gives nothing', async () => {
    const store = await make()
    const path = await keep(store, astral)
    expectSame(
      await read(store, path, 2, 2),
      { text: '😀b', offset: 1, chars: astral.length },
      { text: '😀', offset: 1, chars: astral.length },
    )
    for (const offset of [astral.length, astral.length + 100]) expectSame((await read(store, path, offset, 5)).text, '')
  })

  test('each result has a path of its own, also when all else is the same', async () => {
    const store = await make()
    const paths = await Promise.all(Array.from({ length: 20 }, () => keep(store, 'same')))
    expectSame(new Set(paths).size, 20)
  })

  test('the store knows its own paths, and refuses others', async () => {
    const store = await make()
    const path = await keep(store, 'mine')
    expectSame(await store.owns(path), true)
    const strangers = [
      '',
      '.',
      '/etc/passwd',
      '../../etc/passwd',
      `${path}/../../secret`,
      `${path}x`,
      `${path}\0`,
      'memory:1',
      'file:///etc/passwd',
    ]
    for (const stranger of strangers) {
      expectSame(await store.owns(stranger), false)
      await expectFailure(() => read(store, stranger))
    }
  })

  test('a conversation is removed with all its results, and no other', async () => {
    const store = await make()
    const gone = [await keep(store, 'one', 'a/../b'), await keep(store, 'two', 'a/../b')]
    const kept = await keep(store, 'three', 'a')
    await store.remove('a/../b')
    await store.remove('a/../b')
    await store.remove('never seen')
    for (const path of gone) {
      expectSame(await store.owns(path), false)
      await expectFailure(() => read(store, path))
    }
    expectSame((await read(store, kept)).text, 'three')
    expectSame((await read(store, await keep(store, 'again', 'a/../b'))).text, 'again')
  })
}

const isWhole = (text: string): boolean => !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)

function expectTrue(holds: boolean, said: string): void {
  if (!holds) throw new Error(said)
}

/** Plain data, compared as JSON with the keys in order; any of the wanted ones will do. */
function expectSame(got: unknown, ...wanted: readonly unknown[]): void {
  const written = sorted(got)
  if (wanted.some((one) => sorted(one) === written)) return
  throw new Error(`expected ${wanted.map((one) => head(sorted(one))).join(' or ')}, got ${head(written)}`)
}

const sorted = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value)

const head = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

async function expectFailure(read: () => Promise<unknown>): Promise<void> {
  let got: unknown
  try {
    got = await read()
  } catch {
    return
  }
  throw new Error(`expected a failure, got ${head(sorted(got))}`)
}
