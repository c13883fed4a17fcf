import { expect, it } from 'vitest'
import { resultStoreConformance } from 'lena-agent/testing'
import { memoryResults } from '../../src/results/memory-results.ts'
import type { ResultStore } from '../../src/results/result-store.ts'

/** Names of the tests that a store fails, of all there are. */
async function failures(make: (good: ResultStore) => ResultStore): Promise<readonly string[]> {
  const tests: { name: string; fn: () => Promise<void> }[] = []
  resultStoreConformance({ test: (name, fn) => void tests.push({ name, fn }) }, async () => make(memoryResults()))
  const failed: string[] = []
  for (const { name, fn } of tests) await fn().catch(() => failed.push(name))
  return failed
}

const pages = 'pages go on where the one before ended, and never cut a surrogate pair'
const offsets = 'an offset inside a surrogate pair gives the whole character, one past the end gives nothing'
const paths = 'each result has a path of its own, also when all else is the same'
const strangers = 'the store knows its own paths, and refuses others'
const removal = 'a conversation is removed with all its results, and no other'
const plain = 'a text plain comes back whole'
const empty = 'a text empty comes back whole'
const million = 'a text of a million characters comes back whole'
const halves = 'half a surrogate pair may become U+FFFD, and nothing else changes'
const planes = 'a text of all planes comes back whole'
const mark = 'a text that begins with a byte-order mark comes back whole'

it.each<[name: string, make: (good: ResultStore) => ResultStore, failed: readonly string[]]>([
  ['nothing', (good) => good, []],
  [
    'surrogate pairs',
    (good) => ({
      ...good,
      read: async (path, { offset, limit, signal }) => {
        const { text, chars } = await good.read(path, { offset: 0, limit: Infinity, signal })
        return { text: text.slice(offset, offset + limit), offset, chars }
      },
    }),
    [pages, offsets],
  ],
  [
    'byte-order marks',
    (good) => ({ ...good, put: (result, options) => good.put({ ...result, text: result.text.replace(/^\ufeff/, '') }, options) }),
    [mark],
  ],
  [
    'NUL characters',
    (good) => ({ ...good, put: (result, options) => good.put({ ...result, text: result.text.replaceAll('\0', '') }, options) }),
    [planes],
  ],
  ['which paths are its own', (good) => ({ ...good, owns: async () => true }), [strangers, removal]],
  ['to remove', (good) => ({ ...good, remove: async () => {} }), [removal]],
  [
    'whose results are whose',
    (good) => ({ ...good, put: (result, options) => good.put({ ...result, conversationId: 'a/../b' }, options) }),
    [removal],
  ],
  ['to make new paths', sameForTheSame, [paths]],
  [
    'line ends',
    (good) => ({ ...good, put: (result, options) => good.put({ ...result, text: result.text.replaceAll('\r', '') }, options) }),
    [plain],
  ],
  [
    'that a text may be empty',
    (good) => ({ ...good, put: (result, options) => good.put({ ...result, text: result.text || ' ' }, options) }),
    [empty],
  ],
  [
    'what is long',
    (good) => ({ ...good, put: (result, options) => good.put({ ...result, text: result.text.slice(0, 500_000) }, options) }),
    [million],
  ],
  [
    'texts with half a pair in them',
    (good) => ({
      ...good,
      put: (result, options) => good.put({ ...result, text: /\p{Surrogate}/u.test(result.text) ? '' : result.text }, options),
    }),
    [halves],
  ],
  [
    'that nothing is at paths of others',
    (good) => ({
      ...good,
      read: (path, options) => good.read(path, options).catch(() => ({ text: '', offset: 0, chars: 0 })),
    }),
    [strangers, removal],
  ],
])('a store that forgets %s fails the tests that ask for it', async (_, make, failed) => {
  expect(await failures(make)).toEqual(failed)
})

function sameForTheSame(good: ResultStore): ResultStore {
  const known = new Map<string, Promise<{ readonly path: string }>>()
  return {
    ...good,
    put: (result, options) => {
      const same = known.get(result.text) ?? good.put(result, options)
      known.set(result.text, same)
      return same
    },
  }
}
