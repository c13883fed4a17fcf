import { describe, expect, it } from 'vitest'
import type { Agent } from '../../src/agent/agent.ts'
import type { AgentEvent } from '../../src/agent/events.ts'
import type { AgentResult } from '../../src/agent/result.ts'
import type { AgentError } from '../../src/errors.ts'
import { answer } from '../../src/interrupts/interrupt.ts'
import { check } from '../../src/messages/check.ts'
import type { AgentInput } from '../../src/messages/from-input.ts'
import type { ModelRequest } from '../../src/models/model.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import type { ScriptedAnswer, ScriptStep } from '../../src/testing/scripted-model.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import { autoClock } from '../support/auto-clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { isNextPrompt, turnsIn } from '../support/points.ts'
import { settlesWithin } from '../support/settles.ts'
import { toolNamed, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const input = { input: 'Do it.' }
const at = (n: number) => ({ at: n })
const writes = (n: number) => ({ name: 'write', input: at(n) })
const asks = (n: number) => ({ name: 'asks', input: at(n) })

type Family = {
  readonly agent: Agent
  readonly requests: ModelRequest[]
  /** How often each effect was had, by its key. */
  readonly done: Map<string, number>
}

/** An agent whose agent has an agent, and each of them asks; the inner ones act, too, before they ask. */
function family(): Family {
  const requests: ModelRequest[] = []
  const done = new Map<string, number>()
  const count = (key: string): void => void done.set(key, (done.get(key) ?? 0) + 1)
  const tools = [
    write((_, { idempotencyKey }) => (count(idempotencyKey), 'written')),
    toolNamed(
      'asks',
      (_, { interrupt, idempotencyKey }) => {
        const said = interrupt({ name: 'sure?' })
        count(idempotencyKey)
        return said
      },
      { isConcurrencySafe: true },
    ),
  ]
  const made = (name: string, calls: ScriptedAnswer['calls'], below: readonly Agent[], asked: ModelRequest[] = []): Agent =>
    makeAgent([], {
      name,
      tools: [...tools, ...below],
      clock: autoClock(),
      model: {
        provider: 'p',
        id: name,
        async *stream(request) {
          asked.push(request)
          const whole: readonly ScriptStep[] = [{ calls }, { text: `${name} is done.` }]
          yield* eventsOf(isNextPrompt(request) ? { text: 'The next answer.' } : (whole[turnsIn(request)] as ScriptedAnswer))
        },
      },
    }).agent
  const innermost = made('innermost', [writes(1), asks(2)], [])
  const middle = made('middle', [writes(3), { name: 'innermost', input }, asks(4)], [innermost])
  return { agent: made('outermost', [{ name: 'middle', input }, asks(5)], [middle], requests), requests, done }
}

/** Answers one question after the other, to the end. */
async function toTheEnd(once: (input: AgentInput) => Promise<AgentResult>): Promise<string> {
  let given: AgentInput = 'go'
  for (let run = 0; run < 10; run++) {
    const { stopReason, interrupts } = await once(given)
    if (stopReason !== 'interrupt') return stopReason
    given = interrupts.slice(0, 1).map((interrupt) => answer(interrupt, true))
  }
  return 'it asks for ever'
}

type Mishap = 'cancels' | 'throws' | 'leaves'

/** What comes of it when the n-th of all events goes wrong. */
function mishapAt(n: number, mishap: Mishap): Family & { readonly ended: Promise<string>; readonly runs: AgentEvent[][] } {
  const made = family()
  const { agent } = made
  const runs: AgentEvent[][] = []
  let count = 0
  const once = async (given: AgentInput): Promise<AgentResult> => {
    const events: AgentEvent[] = []
    runs.push(events)
    const onEvent = (event: AgentEvent): void => {
      events.push(event)
      if (mishap === 'leaves' || count++ !== n) return
      if (mishap === 'throws') throw new Error('mishap')
      agent.cancel('mishap')
    }
    if (mishap !== 'leaves') return await agent.invoke(given, { onEvent })
    const stream = agent.stream(given, { onEvent })
    for await (const _ of stream) if (count++ === n) break
    return await stream.result
  }
  return { ...made, ended: toTheEnd(once), runs }
}

describe('three agents, one below the other, that all ask', () => {
  it('come to an end, and each does what it does once', async () => {
    const { agent, done, requests } = family()
    expect(await toTheEnd((given) => agent.invoke(given))).toBe('end_turn')
    expect([[...done.values()], requests.length]).toEqual([[1, 1, 1, 1, 1], 2])
  })

  it.each<[Mishap, readonly string[]]>([
    ['cancels', ['cancelled', 'end_turn']],
    ['throws', ['hook_failed']],
    ['leaves', ['cancelled', 'end_turn']],
  ])('whatever the one who listens does at any event (%s)', { timeout: 300_000 }, async (mishap, endings) => {
    const whole = mishapAt(Infinity, mishap)
    expect(await whole.ended).toBe('end_turn')
    const total = whole.runs.flat().length
    expect(total).toBeGreaterThan(130)
    for (let n = 0; n < total; n++) {
      const { agent, requests, done, runs, ended } = mishapAt(n, mishap)
      const settled = await settlesWithin(ended, 3000, `the run in which the listener ${mishap} at event ${n}`)
      const end = settled.status === 'fulfilled' ? settled.value : (settled.reason as AgentError).code
      const faults = [
        ...(endings.includes(end) ? [] : [`it ended with ${end}`]),
        ...check(agent.messages).map(({ message }) => message),
        ...[...done].flatMap(([key, times]) => (times > 1 ? [`${key} was done ${times} times`] : [])),
        ...(mishap === 'throws' ? [] : runs.flatMap((events) => checkEvents(events))),
      ]
      expect([`event ${n}`, ...faults]).toEqual([`event ${n}`])
      await holdsInvariant(agent, { requests })
    }
  })
})
