import { expect, it } from 'vitest'
import { retryAfterMs } from '../../../src/providers/wire/retry-after.ts'

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
])('%j is %s ms', (headers, ms) => expect(retryAfterMs(new Headers(headers), now)).toBe(ms))
