import { describe, expect, it } from 'vitest'
import { check } from '../../src/messages/check.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { askingRun } from '../support/asking-run.ts'
import type { Mishap, Way } from '../support/points.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { settlesWithin } from '../support/settles.ts'
import { doneTwice, untruthsOfResult } from '../support/untruths.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const stops = ['interrupt', 'checkpoint']
const interrupts = Array.from({ length: 8 }, () => 'interrupt')

/** What the history says of the calls that is not so, and what was done twice. */
function untruthsOf({ agent, done, tooLate }: ReturnType<typeof askingRun>, mishap: Mishap): readonly string[] {
  return [
    ...tooLate.map((what) => `${what} was begun although the run was over`),
    ...doneTwice(done),
    ...agent.messages.flatMap(({ content }) => content.flatMap((block) => untruthsOfResult(block, done, mishap))),
  ]
}

async function tryEach(way: Way, checkpointing: boolean, reads: boolean, mishap: Mishap): Promise<number> {
  const whole = askingRun(way, checkpointing, reads, Infinity, mishap)
  const ended = await whole.ended
  expect(ended.filter((stop) => stop !== 'checkpoint')).toEqual([...interrupts, 'end_turn'])
  expect(ended.includes('checkpoint')).toBe(checkpointing)
  expect([whole.requests.length, [...whole.done.values()]]).toEqual([3, [1, 1, 1, 1, 1]])
  await holdsInvariant(whole.agent, { requests: whole.requests, expected: 3 })
  for (let n = 0; n < whole.points; n++) {
    const run = askingRun(way, checkpointing, reads, n, mishap)
    const settled = await settlesWithin(run.ended, 3000, `the run in which point ${n} ${mishap}`)
    if (settled.status === 'rejected') throw settled.reason
    const what = `point ${n}, ${run.at}, ${mishap}: ${settled.value.join(', ')}`
    const faults = [
      ...untruthsOf(run, mishap),
      ...(stops.includes(settled.value.at(-1)!) ? ['it stands still'] : []),
      ...(run.requests.length > 3 + (run.at === 'model' ? 1 : 0) ? ['the model was paid twice'] : []),
      ...check(run.agent.messages).map(({ message }) => message),
      ...run.events.flatMap((events) => checkEvents(events)),
    ]
    expect([what, ...faults]).toEqual([what])
    await holdsInvariant(run.agent, { requests: run.requests })
    expect([what, ...untruthsOf(run, mishap)]).toEqual([what])
  }
  return whole.points
}

describe.each<Way>(['by answers', 'by state'])('a run that asks and goes on %s: the n-th of all that it calls', (way) => {
  it.each<[Mishap, boolean, boolean]>([
    ['throws', false, false],
    ['hangs', false, false],
    ['cancels', false, false],
    ['throws', true, false],
    ['hangs', true, false],
    ['cancels', true, false],
    ['leaves', false, true],
    ['hangs', false, true],
  ])('%s, for every n (checkpoints: %s, with a reader: %s)', { timeout: 120_000 }, async (mishap, checkpointing, reads) => {
    const points = await tryEach(way, checkpointing, reads, mishap)
    // Over all 16 of these tests 2,318 runs. A point more is welcome; fewer would be a gap.
    expect(points).toBeGreaterThanOrEqual(reads ? 217 : checkpointing ? 126 : 114)
  })
})
