import { describe, expect, it } from 'vitest'
import type { Agent } from '../../src/agent/agent.ts'
import type { SendableMessage } from '../../src/messages/normalise.ts'
import type { ModelEvent } from '../../src/models/model-events.ts'
import type { Model, ModelRequest } from '../../src/models/model.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { look } from '../support/tools.ts'

const turns = 5000

const answer = eventsOf({ text: 'Done.' })
const call: readonly ModelEvent[] = [{ type: 'block_start', index: 0, block: { type: 'tool_use', name: 'look' } }]

/** Everything that walks over data: reading, copying, freezing or writing out a message needs one of these. */
const walkers: readonly [object, string][] = [
  [JSON, 'stringify'],
  [JSON, 'parse'],
  [globalThis, 'structuredClone'],
  [Object, 'freeze'],
  [Object, 'keys'],
  [Object, 'values'],
  [Object, 'entries'],
  [Object, 'assign'],
  [Array, 'from'],
  [Array.prototype, 'map'],
  [Array.prototype, 'filter'],
  [Array.prototype, 'flatMap'],
  [Array.prototype, 'forEach'],
  [Array.prototype, 'every'],
  [Array.prototype, 'some'],
  [Array.prototype, 'find'],
  [Array.prototype, 'reduce'],
]

/** Counts the calls of all of them. */
function countWalks(): { readonly count: () => number; readonly uncounted: <T>(fn: () => T) => T; readonly stop: () => void } {
  let calls = 0
  const undo = walkers.map(([owner, name]) => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name)!
    const original = descriptor.value as (...args: unknown[]) => unknown
    Object.defineProperty(owner, name, {
      ...descriptor,
      value(this: unknown, ...args: unknown[]) {
        calls++
        return Reflect.apply(original, this, args)
      },
    })
    return () => Object.defineProperty(owner, name, descriptor)
  })
  const uncounted = <T>(fn: () => T): T => {
    const before = calls
    const value = fn()
    calls = before
    return value
  }
  return { count: () => calls, uncounted, stop: () => undo.forEach((restore) => restore()) }
}

type Course = {
  readonly agent: Agent
  readonly requests: readonly ModelRequest[]
  readonly depths: readonly number[]
  readonly walks: readonly number[]
  readonly copied: number
}

/** A run of 5,000 turns with a tool in each, watched at each model call. */
async function longRun(): Promise<Course> {
  const depths: number[] = []
  const walks: number[] = []
  let copied = 0
  let before: readonly SendableMessage[] = []
  const watched = countWalks()
  const limit = Error.stackTraceLimit
  // The frames of awaiting functions are in the trace as well: a loop that calls itself would show.
  Error.stackTraceLimit = Infinity
  const requests: ModelRequest[] = []
  const model: Model = {
    provider: 'long',
    id: 'long',
    async *stream(request) {
      const { messages } = request
      walks.push(watched.count())
      for (let i = 0; i < before.length; i++) if (messages[i] !== before[i]) copied++
      before = messages
      // Only the newest is kept whole: all of them would be a list of 25 million.
      if (requests.length > 0) requests[requests.length - 1] = { ...requests.at(-1)!, messages: [] }
      requests.push(request)
      yield* walks.length > turns
        ? answer
        : [
            ...call,
            { type: 'block_delta', index: 0, delta: { type: 'tool_input', text: `{"at":${walks.length}}` } } as const,
            { type: 'message_stop', stopReason: 'tool_use' } as const,
          ]
    },
  }
  const { agent } = makeAgent([], {
    model,
    ids: countingIds(),
    tools: [
      look(async ({ at }) => {
        await Promise.resolve()
        if (at % 500 === 11) depths.push(watched.uncounted(() => new Error('where').stack!.split('\n').length))
        return `seen ${at}`
      }),
    ],
  })
  try {
    await agent.invoke('go')
  } finally {
    Error.stackTraceLimit = limit
    watched.stop()
  }
  return { agent, requests, depths, walks, copied }
}

describe('5,000 tool turns', { timeout: 60_000 }, () => {
  it('cost the same each, and leave a legal history', async () => {
    const { agent, requests, depths, walks, copied } = await longRun()
    expect([requests.length, agent.messages.length]).toEqual([turns + 1, 2 * turns + 2])

    // The stack of a late tool is the stack of an early one.
    expect(depths).toEqual(Array.from({ length: 10 }, () => depths[0]))

    // What a request holds of the history is what the request before it held: the very objects.
    expect(copied).toBe(0)
    expect(requests[turns]!.messages.length).toBe(2 * turns + 1)

    // Nothing walks over what came before: each turn needs as many calls as any other.
    const perTurn = walks.slice(1).map((count, turn) => count - walks[turn]!)
    expect(perTurn.length).toBe(turns)
    expect(perTurn[10]).toBeGreaterThan(0)
    expect(new Set(perTurn.slice(1))).toEqual(new Set([perTurn[10]]))
    await holdsInvariant(agent, { requests, expected: turns + 1 })
  })
})
