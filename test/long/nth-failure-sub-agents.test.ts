import { describe, expect, it } from 'vitest'
import type { Mishap, Way } from '../support/points.ts'
import { tryEachPoint } from '../support/nth-failure-sub-agents.ts'
import type { Family } from '../support/sub-agent-run.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

// The rest of `nth-failure-sub-agents-by-answers.test.ts`: 2,529 runs.
describe('a run with an agent among its tools: the n-th of all that both call', () => {
  it.each<[Family, Way, Mishap, reads: boolean, points: number]>([
    ['alone', 'by answers', 'hangs', true, 137],
    ['side by side', 'by answers', 'throws', false, 107],
    ['side by side', 'by answers', 'hangs', false, 107],
    ['side by side', 'by answers', 'leaves', true, 214],
    ['side by side', 'by answers', 'hangs', true, 214],
    ['asks', 'by answers', 'throws', false, 134],
    ['asks', 'by answers', 'hangs', false, 134],
    ['asks', 'by answers', 'leaves', true, 270],
    ['asks', 'by answers', 'hangs', true, 270],
    ['asks', 'by state', 'throws', false, 134],
    ['asks', 'by state', 'hangs', false, 134],
    ['asks', 'by state', 'cancels', false, 134],
    ['asks', 'by state', 'leaves', true, 270],
    ['asks', 'by state', 'hangs', true, 270],
  ])('%s %s, %s, for every n (with a reader: %s)', async (family, way, mishap, reads, points) => {
    expect(await tryEachPoint(family, way, mishap, reads)).toBeGreaterThanOrEqual(points)
  })
})
