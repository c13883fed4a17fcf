import { expect, it } from 'vitest'
import { duration } from '../../src/cli/duration.ts'

it.each([
  [0, '0 ms'],
  [12.4, '12 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [1449, '1.4 s'],
  [59_949, '59.9 s'],
  [59_950, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('%d ms → %s', (ms, shown) => expect(duration(ms)).toBe(shown))
