import { describe, expect, it } from 'vitest'
import type { Usage } from '../../src/messages/usage.ts'
import { addUsage, noUsage, replaceUsage } from '../../src/messages/usage.ts'

const some: Usage = { inputTokens: 10, outputTokens: 2, totalTokens: 12, cacheReadTokens: 4 }

describe('addUsage', () => {
  it.each<[Usage, Partial<Usage>, Usage]>([
    [noUsage, {}, { inputTokens: 0, outputTokens: 0, totalTokens: 0 }],
    [noUsage, some, some],
    [some, { outputTokens: 3 }, { inputTokens: 10, outputTokens: 5, totalTokens: 15, cacheReadTokens: 4 }],
    [
      some,
      { inputTokens: 1, cacheReadTokens: 1, cacheWriteTokens: 2, reasoningTokens: 3 },
      { inputTokens: 11, outputTokens: 2, totalTokens: 13, cacheReadTokens: 5, cacheWriteTokens: 2, reasoningTokens: 3 },
    ],
    [some, { totalTokens: 1000 }, some],
  ])('%j + %j', (a, b, sum) => expect(addUsage(a, b)).toStrictEqual(sum))
})

describe('replaceUsage', () => {
  it.each<[Usage, Partial<Usage>, Usage]>([
    [some, {}, some],
    [some, { outputTokens: 7 }, { inputTokens: 10, outputTokens: 7, totalTokens: 17, cacheReadTokens: 4 }],
    [
      some,
      { inputTokens: 0, cacheReadTokens: 0, reasoningTokens: 1 },
      { inputTokens: 0, outputTokens: 2, totalTokens: 2, cacheReadTokens: 0, reasoningTokens: 1 },
    ],
  ])('%j then %j', (a, b, merged) => expect(replaceUsage(a, b)).toStrictEqual(merged))
})

describe('both', () => {
  it.each([NaN, Infinity, -1, '12', null, {}])('take %s for what was not told', (wrong) => {
    const bad = { inputTokens: wrong, outputTokens: 3, cacheReadTokens: wrong, reasoningTokens: wrong } as Partial<Usage>
    expect(addUsage(some, bad)).toStrictEqual({ inputTokens: 10, outputTokens: 5, totalTokens: 15, cacheReadTokens: 4 })
    expect(replaceUsage(some, bad)).toStrictEqual({ inputTokens: 10, outputTokens: 3, totalTokens: 13, cacheReadTokens: 4 })
  })

  it('leave what they are given alone', () => {
    const given = structuredClone(some)
    addUsage(given, given)
    replaceUsage(given, { outputTokens: 1 })
    expect(given).toEqual(some)
    expect(Object.isFrozen(noUsage)).toBe(true)
  })
})
