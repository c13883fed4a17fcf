import { expect, it } from 'vitest'
import { retryAfterMs, untilReset, waitInWords } from '../../../src/providers/wire/retry-after.ts'

const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT')

it.each<readonly [Record<string, string>, number | undefined]>([
  [{}, undefined],
  [{ 'retry-after': '3' }, 3000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:07 GMT' }, 7000],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT' }, 0],
  [{ 'retry-after-ms': '120' }, 120],
  [{ 'retry-after-ms': '120', 'retry-after': '3' }, 120],
  [{ 'retry-after-ms': 'x', 'retry-after': '3' }, 3000],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': '30s' }, 30_000],
  [{ 'retry-after': '1m30s' }, 90_000],
  [{ 'retry-after': '120, 120' }, 120_000],
  [{ 'retry-after': '2026-10-21T07:28:07Z' }, 7000],
])('%j is %s ms', (headers, ms) => expect(retryAfterMs(new Headers(headers), now)).toBe(ms))

it.each<readonly [Record<string, string>, number | undefined]>([
  [{}, undefined],
  [{ 'x-ratelimit-reset': String(now + 7000) }, 7000],
  [{ 'x-ratelimit-reset': String(now / 1000 + 7) }, 7000],
  [{ 'x-ratelimit-reset': String(now + 7000), 'x-ratelimit-remaining': '0' }, 7000],
  [{ 'x-ratelimit-reset': String(now + 7000), 'x-ratelimit-remaining': '12' }, undefined],
  [{ 'x-ratelimit-reset': String(now - 7000) }, undefined],
  [{ 'x-ratelimit-reset': '7' }, undefined],
  [{ 'x-ratelimit-reset': '7s' }, undefined],
  [{ 'x-ratelimit-reset': '' }, undefined],
  [{ 'x-ratelimit-reset': '-1' }, undefined],
])('a quota: %j is full again in %s ms', (headers, ms) => {
  const all = new Headers(headers)
  expect(untilReset((name) => all.get(name), now)).toBe(ms)
})

it.each<readonly [string, number | undefined]>([
  ['Rate limit reached. Please try again in 11.054s. Visit https://x.test', 11_054],
  ['Please try again in 6m0s.', 360_000],
  ['Please try again in 1h2m3.5s.', 3_723_500],
  ['Please try again in 20ms.', 20],
  ['You exceeded your current quota. Please retry in 34.4s.', 34_400],
  ['Please retry after 26 seconds.', 26_000],
  ['Please wait 2 minutes.', 120_000],
  ['Try again in 1 day', 86_400_000],
  ['Please try again later.', undefined],
  ['Gave up to retry after 3 attempts', undefined],
  ['try again in 3 constructor', undefined],
])('in words: %s', (message, ms) => expect(waitInWords(message)).toBe(ms))

it('in words without end', () => {
  expect(waitInWords(`retry ${' '.repeat(100_000)}x`)).toBe(undefined)
  expect(waitInWords(`retry in ${'1'.repeat(100_000)}`)).toBe(undefined)
})
