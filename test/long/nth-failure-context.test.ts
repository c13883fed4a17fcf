// A run whose history is summarised twice, before a turn and after an overflow: whatever of other people's code that comes to goes wrong.
import { describe, expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import type { AgentEvent } from '../../src/agent/events.ts'
import { summarising } from '../../src/context/summarising.ts'
import { ContextOverflowError } from '../../src/errors.ts'
import type { AgentError } from '../../src/errors.ts'
import { repair } from '../../src/messages/repair.ts'
import type { Model, ModelRequest } from '../../src/models/model.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import { autoClock } from '../support/auto-clock.ts'
import { assistant, call, result, user } from '../support/history.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { isNextPrompt, Points, turnHooks } from '../support/points.ts'
import type { Mishap } from '../support/points.ts'
import { settlesWithin } from '../support/settles.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const history = repair([
  user('find the bug'),
  ...Array.from({ length: 12 }, (_, at) => [assistant(call(`c${at}`)), user(result(`c${at}`, `line ${at} `.repeat(120)))]).flat(),
  assistant('I have found it.'),
])

type Door = 'silent' | 'reader'

function contextRun(door: Door, n: number, mishap: Mishap) {
  const requests: ModelRequest[] = []
  const events: AgentEvent[] = []
  let runs = 0
  let summaries = 0
  let overflows = 0
  const points = new Points(n, mishap, { cancel: () => agent.cancel('mishap') })
  const { point } = points
  const model: Model = {
    provider: 'instrumented',
    id: 'answers',
    contextWindow: 20_000,
    async *stream(request, { signal }) {
      signal.throwIfAborted()
      requests.push(request)
      await point('model begins')
      if (isNextPrompt(request)) return yield* eventsOf({ text: 'The next answer.' })
      const isAfterCall = request.messages.at(-1)!.content.some(({ type }) => type === 'tool_result')
      if (!isAfterCall) return yield* eventsOf({ text: 'Let me see.', calls: [{ name: 'look', input: { at: 1 } }] })
      if (overflows++ === 0) throw new ContextOverflowError('That is too much.', { provider: 'instrumented' })
      yield* eventsOf({ text: 'Done.' })
    },
  }
  const notes: Model = {
    provider: 'instrumented',
    id: 'notes',
    async *stream(_request, { signal }) {
      signal.throwIfAborted()
      summaries++
      for (const event of eventsOf({ text: 'The notes.' })) {
        await point(`summary ${event.type}`)
        yield event
      }
    },
  }
  const agent: Agent = new Agent({
    model,
    messages: history,
    clock: autoClock(),
    ids: countingIds(),
    retry: false,
    context: summarising({ model: notes, keep: 2, at: 0.1 }),
    tools: [look(({ at }) => (runs++, `seen ${at} `.repeat(2000)))],
  })
  for (const name of [...turnHooks, 'beforeCompaction'] as const) agent.on(name, () => point(`hook ${name}`))
  agent.use('context_model', async function* ({ request }, next) {
    await point('context middleware before')
    yield* next(request)
    await point('context middleware after')
  })
  const enter = async () =>
    door === 'silent' ? agent.invoke('go') : points.read(agent.stream('go', { onEvent: (event) => void events.push(event) }))
  const ending = enter().finally(() => (points.isArmed = false))
  ending.catch(() => {})
  return { agent, requests, events, points, ending, done: () => ({ runs, summaries, overflows }) }
}

/** Tries every point. Gives the kinds of points that were reached, and how many. */
async function tryEach(door: Door, mishap: Mishap): Promise<{ readonly kinds: ReadonlySet<string>; readonly tried: number }> {
  const whole = contextRun(door, Infinity, mishap)
  expect((await whole.ending).stopReason).toBe('end_turn')
  expect(whole.done()).toEqual({ runs: 1, summaries: 2, overflows: 2 })
  const kinds = new Set<string>()
  for (let n = 0; n < whole.points.count; n++) {
    const run = contextRun(door, n, mishap)
    const settled = await settlesWithin(run.ending, 400, `the run in which point ${n} ${mishap}`)
    const at = run.points.at!
    const what = `${door}: point ${n}, ${at}, ${mishap}`
    kinds.add(at)
    const ended = settled.status === 'fulfilled' ? settled.value.stopReason : (settled.reason as AgentError).code
    const faults = [
      ...(endings(at, mishap).includes(ended) ? [] : [`ended with ${ended}`]),
      ...(run.done().runs > 1 ? [`the tool ran ${run.done().runs} times`] : []),
      ...(door === 'reader' ? checkEvents(run.events) : []),
    ]
    await holdsInvariant(run.agent, { requests: run.requests })
    expect([what, ...faults]).toEqual([what])
  }
  return { kinds, tried: whole.points.count }
}

/** A summary that cannot be had ends nothing: the history stays, or a window does the work. */
function endings(at: string, mishap: Mishap): readonly string[] {
  if (mishap !== 'throws') return ['cancelled', 'end_turn']
  if (at.startsWith('hook')) return ['hook_failed']
  if (at.startsWith('reader')) return ['cancelled', 'end_turn']
  if (at.startsWith('model')) return ['model_error']
  return ['end_turn']
}

describe('a run that is summarised', () => {
  it.each<[Door, Mishap, points: number]>([
    ['silent', 'throws', 40],
    ['silent', 'hangs', 40],
    ['silent', 'cancels', 40],
    ['reader', 'throws', 74],
    ['reader', 'hangs', 74],
    ['reader', 'cancels', 74],
    ['reader', 'leaves', 74],
  ])('by the door %s: the n-th of all that it comes to %s, for every n', async (door, mishap, points) => {
    const { kinds, tried } = await tryEach(door, mishap)
    for (const kind of [
      'hook beforeCompaction',
      'context middleware before',
      'context middleware after',
      'summary block_delta',
      'model begins',
    ])
      expect(kinds).toContain(kind)
    expect(tried).toBe(points)
  })
})
