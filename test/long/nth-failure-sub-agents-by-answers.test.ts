import { describe, expect, it } from 'vitest'
import type { Mishap } from '../support/points.ts'
import { tryEachPoint } from '../support/nth-failure-sub-agents.ts'
import type { Family } from '../support/sub-agent-run.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

// The others are in test/long/nth-failure-sub-agents.test.ts. Here 585 runs, there 2,529. A point more is welcome; fewer would be a gap.
describe('a run with an agent among its tools: the n-th of all that both call', () => {
  it.each<[Family, Mishap, reads: boolean, points: number]>([
    ['alone', 'throws', false, 69],
    ['alone', 'hangs', false, 69],
    ['alone', 'cancels', false, 69],
    ['alone', 'leaves', true, 137],
    ['side by side', 'cancels', false, 107],
    ['asks', 'cancels', false, 134],
  ])('%s, %s, for every n (with a reader: %s)', { timeout: 120_000 }, async (family, mishap, reads, points) => {
    expect(await tryEachPoint(family, 'by answers', mishap, reads)).toBeGreaterThanOrEqual(points)
  })
})
