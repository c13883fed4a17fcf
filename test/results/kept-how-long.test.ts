import { chmod, readdir, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileResults } from 'lena-agent/toolkit'
import { memoryResults } from '../../src/results/memory-results.ts'
import { sweep } from '../../src/results/sweep.ts'
import { failureOf, named, newFolder, signal } from './support/folder.ts'

const day = 24 * 60 * 60 * 1000
const keptOf = async (store: ReturnType<typeof fileResults>, paths: readonly string[]): Promise<readonly boolean[]> =>
  Promise.all(paths.map((path) => store.owns(path)))

describe('files', () => {
  it('go 30 days after the last result of their conversation, at the first use of a store', async () => {
    const dir = join(await newFolder(), 'r')
    const { path } = await fileResults({ dir }).put(named('old'), { signal })
    const later = (days: number) => fileResults({ dir, clock: { now: () => Date.now() + days * day } })
    const { path: second } = await later(29.9).put(named('new', 'conv_2'), { signal })
    expect(await keptOf(later(0), [path, second])).toEqual([true, true])
    const { path: third } = await later(30.1).put(named('newer', 'conv_3'), { signal })
    expect(await keptOf(later(0), [path, second, third])).toEqual([false, false, true])
    expect(await readdir(dir)).toHaveLength(1)
  })

  it('stay, old ones too, while their conversation gets new ones', async () => {
    const dir = join(await newFolder(), 'r')
    const store = fileResults({ dir })
    const { path: old } = await store.put(named('old'), { signal })
    const monthAgo = new Date(Date.now() - 40 * day)
    await utimes(old, monthAgo, monthAgo)
    await fileResults({ dir }).put(named('b', 'conv_2'), { signal })
    expect(await store.owns(old)).toBe(true)
    await utimes(dirname(old), monthAgo, monthAgo)
    await fileResults({ dir }).put(named('c', 'conv_2'), { signal })
    expect(await store.owns(old)).toBe(false)
  })

  it('that come while their old folder is cleared stay, and so does the folder', async () => {
    const dir = join(await newFolder(), 'r')
    const store = fileResults({ dir })
    const [old, fresh] = [(await store.put(named('old'), { signal })).path, (await store.put(named('new'), { signal })).path]
    const monthAgo = new Date(Date.now() - 40 * day)
    // As another process sees it that looked at the folder a moment before the new one came.
    for (const path of [old, dirname(old)]) await utimes(path, monthAgo, monthAgo)
    await fileResults({ dir }).put(named('b', 'conv_2'), { signal })
    expect(await keptOf(store, [old, fresh])).toEqual([false, true])
  })

  it('are looked for in a bounded number of folders, for a bounded time, and not in a cancelled run', async () => {
    const dir = join(await newFolder(), 'r')
    const store = fileResults({ dir })
    for (const id of ['conv_1', 'conv_2', 'conv_3', 'conv_4']) await store.put(named('old', id), { signal })
    const bounds = { root: dir, clock: { now: () => Date.now() + 40 * day }, signal, maxMs: 60_000, maxFolders: 100 }
    const left = async (changes: Partial<typeof bounds>): Promise<number> => {
      await sweep({ ...bounds, ...changes })
      return (await readdir(dir)).length
    }
    expect(await left({ signal: AbortSignal.abort() })).toBe(4)
    let now = Date.now() + 40 * day
    expect(await left({ clock: { now: () => (now += 40) }, maxMs: 50 })).toBe(3)
    expect(await left({ maxFolders: 2 })).toBe(1)
    expect(await left({})).toBe(0)
  })

  it('of the conversation that is longest without a new one go first when there is no room', async () => {
    const store = fileResults({ dir: join(await newFolder(), 'r'), maxBytes: 100 })
    const paths: string[] = []
    for (const [at, id] of ['conv_1', 'conv_2', 'conv_3'].entries()) {
      const { path } = await store.put(named('x'.repeat(30), id), { signal })
      const time = new Date(Date.now() - (10 - at) * day)
      await utimes(dirname(path), time, time)
      paths.push(path)
    }
    const { path } = await store.put(named('x'.repeat(70), 'conv_2'), { signal })
    expect(await keptOf(store, [...paths, path])).toEqual([false, true, false, true])
  })

  it('of a conversation that cannot be removed are passed over when room is made', async () => {
    const dir = join(await newFolder(), 'r')
    const store = fileResults({ dir, maxBytes: 100 })
    const paths: string[] = []
    for (const [at, id] of ['conv_1', 'conv_2'].entries()) {
      const { path } = await store.put(named('x'.repeat(40), id), { signal })
      const time = new Date(Date.now() - (10 - at) * day)
      await utimes(dirname(path), time, time)
      paths.push(path)
    }
    await chmod(dirname(paths[0]!), 0o755)
    const { path } = await store.put(named('x'.repeat(50), 'conv_3'), { signal })
    await chmod(dirname(paths[0]!), 0o700)
    expect(await keptOf(store, [...paths, path])).toEqual([true, false, true])
  })

  it('that come at once take no more room together than there is', async () => {
    const store = fileResults({ dir: join(await newFolder(), 'r'), maxBytes: 100 })
    const put = (id: string) => store.put(named('x'.repeat(60), id), { signal })
    const both = await Promise.allSettled([put('conv_1'), put('conv_1')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await store.remove('conv_1')
    await put('conv_2')
  })

  it('that come at once, again and again, take no more room than there is', async () => {
    const root = await newFolder()
    for (let round = 0; round < 60; round++) {
      const store = fileResults({ dir: join(root, `r${round}`), maxBytes: 100 })
      const all = await Promise.allSettled(
        Array.from({ length: 8 }, (_, at) => store.put(named('x'.repeat(60 - at), 'conv_1'), { signal })),
      )
      expect(all.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    }
  })

  it('are refused where even that makes no room', async () => {
    const store = fileResults({ dir: join(await newFolder(), 'r'), maxBytes: 100 })
    expect(await failureOf(store.put(named('ä'.repeat(51)), { signal }))).toEqual({
      code: 'result_store_full',
      message: 'The result has 102 bytes and the result store has room for 100.',
    })
    const { path } = await store.put(named('x'.repeat(60)), { signal })
    expect(await failureOf(store.put(named('x'.repeat(60)), { signal }))).toEqual({
      code: 'result_store_full',
      message: 'The result has 60 bytes and the result store has room for 40 more of 100.',
    })
    expect(await store.owns(path)).toBe(true)
    await store.remove('conv_1')
    await store.put(named('x'.repeat(60), 'conv_2'), { signal })
  })
})

describe('results in memory', () => {
  it('go when there is no room, the oldest first, and say so when they are read', async () => {
    const store = memoryResults({ maxChars: 100 })
    const paths: string[] = []
    for (const size of [40, 40, 50]) paths.push((await store.put(named('x'.repeat(size)), { signal })).path)
    expect(await keptOf(store, paths)).toEqual([false, true, true])
    expect(await failureOf(store.read(paths[0]!, { offset: 0, limit: 1, signal }))).toEqual({
      code: 'result_not_found',
      message: `No result is kept at "${paths[0]}". Use a path exactly as a persisted-output reference gives it; results are removed with their conversation, and old ones for want of room. If it is gone, call the tool again.`,
    })
    await store.remove('conv_1')
    for (const size of [50, 50]) paths.push((await store.put(named('x'.repeat(size)), { signal })).path)
    expect(await keptOf(store, paths)).toEqual([false, false, false, true, true])
  })

  it('are refused when they are larger than the store', async () => {
    const store = memoryResults({ maxChars: 100 })
    const { path } = await store.put(named('a'), { signal })
    expect(await failureOf(store.put(named('x'.repeat(101)), { signal }))).toEqual({
      code: 'result_store_full',
      message: 'The result has 101 characters and the result store has room for 100.',
    })
    expect(await store.owns(path)).toBe(true)
    expect(() => memoryResults({ maxChars: 0 })).toThrow('memoryResults({ maxChars }): expected a number above 0, got 0.')
  })
})
