import { describe, expect, it } from 'vitest'
import type { AgentError } from '../../src/errors.ts'
import type { ToolResultBlock } from '../../src/messages/content.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { holdsInvariant } from './invariant.ts'
import type { Door, Ending } from './instrumented-run.ts'
import { instrumentedRun } from './instrumented-run.ts'
import type { Mishap } from './points.ts'
import { turnHooks } from './points.ts'
import { settlesWithin } from './settles.ts'

/** A run of which nothing is cut, to know how many points there are. */
async function countPoints(door: Door): Promise<number> {
  const whole = instrumentedRun(door, Infinity, 'throws')
  const result = await whole.result
  expect(result.stopReason).toBe('end_turn')
  expect([...whole.done.values()]).toEqual([1, 1, 1, 1, 1])
  await holdsInvariant(whole.agent, { requests: whole.requests, expected: 4, ...(door !== 'silent' && { events: whole.events }) })
  return whole.points
}

/** How the run must end: the stop reason or the code of the error. Some mishaps come when the answer is there already. */
function endings(at: string, mishap: Mishap): readonly string[] {
  if (mishap !== 'throws') return ['cancelled', 'end_turn']
  if (at.startsWith('hook') || at.startsWith('listener')) return ['hook_failed']
  if (at.startsWith('steps')) return ['steps_failed']
  if (at.startsWith('model')) return ['model_error', 'end_turn']
  if (at.startsWith('reader')) return ['cancelled', 'end_turn']
  return ['end_turn']
}

const mayBeDone = 'The call was cancelled while it ran. It may or may not have done its work.'

/** What the history says of the calls that is not so: each has one result, nothing is lost, nothing is done twice. */
function untruthsOf({ agent, begun, done, tooLate }: Ending, mishap: Mishap): readonly string[] {
  const untruths = tooLate.map((what) => `${what} was started although the run was over`)
  for (const [id, runs] of begun) if (runs > 1) untruths.push(`${id} was run ${runs} times`)
  for (const { content } of agent.messages) {
    for (const block of content) {
      if (block.type !== 'tool_result') continue
      const text = block.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      if (!isTrue(block, text, begun.has(block.toolUseId), done.has(block.toolUseId), mishap))
        untruths.push(
          `${block.toolUseId} (begun: ${begun.has(block.toolUseId)}, done: ${done.has(block.toolUseId)}): ${block.status} ${text}`,
        )
    }
  }
  return untruths
}

function isTrue({ status, code }: ToolResultBlock, text: string, wasBegun: boolean, wasDone: boolean, mishap: Mishap): boolean {
  if (status === 'success' || text.endsWith('its work is done.')) return wasDone
  // Only a call that hangs is left behind: it may still end after that.
  if (text === mayBeDone) return wasBegun && (!wasDone || mishap === 'hangs')
  return !wasDone && (code !== 'cancelled' || !wasBegun)
}

/** Tries every point. Gives the kinds of points that were reached, and how many. */
async function tryEach(door: Door, mishap: Mishap): Promise<{ readonly kinds: ReadonlySet<string>; readonly tried: number }> {
  const count = await countPoints(door)
  const kinds = new Set<string>()
  let tried = 0
  for (let n = 0; n < count; n++) {
    const run = instrumentedRun(door, n, mishap)
    const settled = await settlesWithin(run.result, 400, `the run by the door ${door} in which point ${n} ${mishap}`)
    const what = `${door}: point ${n}, ${run.at}, ${mishap}`
    kinds.add(run.at!)
    const ended = settled.status === 'fulfilled' ? settled.value.stopReason : (settled.reason as AgentError).code
    const heard = door !== 'silent' && !(run.at!.startsWith('listener') && (mishap === 'throws' || mishap === 'hangs'))
    const faults = [
      ...(endings(run.at!, mishap).includes(ended) ? [] : [`ended with ${ended}`]),
      ...untruthsOf(run, mishap),
      ...(heard ? checkEvents(run.events) : []),
      // Once the run is over nothing is asked of the model.
      ...(ended === 'cancelled' && mishap === 'cancels' && run.requests.length > run.requestsThen ? ['the model was asked again'] : []),
    ]
    await holdsInvariant(run.agent, { requests: run.requests })
    faults.push(...untruthsOf(run, mishap))
    expect([what, ...faults]).toEqual([what])
    tried++
  }
  expect(tried).toBe(count)
  return { kinds, tried }
}

const hooks = turnHooks.map((name) => `hook ${name}`)
const modelEvents = ['message_start', 'block_start', 'block_delta', 'block_stop', 'message_stop', 'metadata'].map((type) => `model ${type}`)
const around = ['model middleware', 'tool middleware', 'steps'].flatMap((what) =>
  what === 'steps'
    ? ['steps before model', 'steps after model', 'steps before tool', 'steps after tool']
    : [`${what} before`, `${what} after`],
)
const inTools = ['check of the input', 'flag', 'gate', 'tool begins', 'tool between progress', 'tool ends']
const told = [
  'invocation_start',
  'turn_start',
  'message_start',
  'text_start',
  'text_delta',
  'text_end',
  'reasoning_start',
  'reasoning_delta',
  'reasoning_end',
  'tool_input_start',
  'tool_input_delta',
  'tool_input_end',
  'message_end',
  'message_added',
  'tool_start',
  'tool_progress',
  'tool_end',
  'turn_end',
  'invocation_end',
]

/** One test for each mishap. */
export function nthFailureBy(door: Door): void {
  describe(`by the door ${door}, the n-th of all that a run calls`, () => mishapsAt(door))
}

function mishapsAt(door: Door): void {
  const mishaps: readonly Mishap[] = door === 'reader' ? ['throws', 'hangs', 'cancels', 'leaves'] : ['throws', 'hangs', 'cancels']
  const everyKind = [...hooks, ...modelEvents, ...around, ...inTools, ...(door === 'silent' ? [] : told.map((type) => `${door} ${type}`))]

  it.each(mishaps)('%s, for every n', { timeout: 60_000 }, async (mishap) => {
    const { kinds, tried } = await tryEach(door, mishap)
    expect([...kinds].sort()).toEqual([...everyKind].sort())
    // Two message stops, a dozen messages, five calls: there are more points than kinds of them.
    expect(tried).toBeGreaterThan(2 * kinds.size)
    // Over all ten of these tests 1,896 runs. A point more is welcome; fewer would be a gap.
    expect(tried).toBeGreaterThanOrEqual(door === 'silent' ? 142 : 210)
  })
}
