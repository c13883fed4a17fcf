import { expect } from 'vitest'
import { check } from '../../src/messages/check.ts'
import type { Message } from '../../src/messages/message.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import type { Mishap, Way } from './points.ts'
import { breachesOf, holdsInvariant } from './invariant.ts'
import { settlesWithin } from './settles.ts'
import type { Family, FamilyEnding } from './sub-agent-run.ts'
import { subAgentRun } from './sub-agent-run.ts'
import type { Done } from './untruths.ts'
import { doneTwice, untruthsOfResult } from './untruths.ts'

/** What a history says of the calls of tools that is not so. What an agent had done before it failed is told by its own history. */
function untruthsOf(messages: readonly Message[], done: Done, mishap: Mishap): readonly string[] {
  const untruths: string[] = []
  const agents = new Set<string>()
  for (const { content } of messages)
    for (const block of content) {
      if (block.type === 'tool_use' && block.name === 'inner') agents.add(block.id)
      if (block.type === 'tool_result' && !agents.has(block.toolUseId)) untruths.push(...untruthsOfResult(block, done, mishap))
    }
  return untruths
}

function faultsOf({ outer, requests, done, tooLate, conversations }: FamilyEnding, mishap: Mishap): readonly string[] {
  const faults = [...tooLate.map((what) => `${what} was begun although the run was over`), ...doneTwice(done)]
  for (const asked of [requests.outer, requests.inner]) {
    if (new Set(asked.map(({ messages }) => JSON.stringify(messages))).size < asked.length) faults.push('a model was asked the same twice')
    for (const request of asked) faults.push(...breachesOf(request).map((breach) => `sent: ${breach}`))
  }
  faults.push(...check(outer.messages).map(({ message }) => `outer: ${message}`), ...untruthsOf(outer.messages, done, mishap))
  for (const [{ messages }, ended] of conversations) {
    // It waits, and whoever resumes it goes on from a copy.
    if (ended !== 'interrupt') faults.push(...check(messages).map(({ message }) => `inner: ${message}`))
    faults.push(...untruthsOf(messages, done, mishap).map((untruth) => `inner: ${untruth}`))
  }
  return faults
}

/** The stops of a run in which nothing goes wrong, its model calls, and its effects. */
const whole: {
  readonly [family in Family]: {
    readonly stops: readonly string[]
    readonly requests: readonly [outer: number, inner: number]
    readonly effects: number
  }
} = {
  alone: { stops: ['end_turn'], requests: [3, 2], effects: 3 },
  'side by side': { stops: ['end_turn'], requests: [3, 4], effects: 5 },
  asks: { stops: ['interrupt', 'interrupt', 'end_turn'], requests: [3, 4], effects: 5 },
}

/** Tries every point. Gives how many runs that were. */
export async function tryEachPoint(family: Family, way: Way, mishap: Mishap, reads: boolean): Promise<number> {
  const all = subAgentRun(family, way, reads, Infinity, mishap)
  const { stops, requests, effects } = whole[family]
  expect(await all.ended).toEqual(stops)
  expect([all.requests.outer.length, all.requests.inner.length, [...all.done.values()]]).toEqual([
    ...requests,
    Array.from({ length: effects }, () => 1),
  ])
  expect(faultsOf(all, mishap)).toEqual([])
  for (let n = 0; n < all.points; n++) {
    const run = subAgentRun(family, way, reads, n, mishap)
    const settled = await settlesWithin(run.ended, 3000, `the run in which point ${n} ${mishap}`)
    if (settled.status === 'rejected') throw settled.reason
    const what = `point ${n}, ${run.at}, ${mishap}: ${settled.value.join(', ')}`
    const faults = [
      ...faultsOf(run, mishap),
      ...(settled.value.at(-1) === 'interrupt' ? ['it stands still'] : []),
      ...run.events.flatMap((events) => checkEvents(events)),
    ]
    expect([what, ...faults]).toEqual([what])
    await holdsInvariant(run.outer, { requests: run.requests.outer })
    // What was left behind has had its time by now.
    expect([what, ...faultsOf(run, mishap)]).toEqual([what])
  }
  return all.points
}
