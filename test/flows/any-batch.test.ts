import { expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { answer } from '../../src/interrupts/interrupt.ts'
import { check } from '../../src/messages/check.ts'
import type { Message } from '../../src/messages/message.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { collect } from '../../src/testing/collect.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { fc } from '../support/fast-check.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

/** What one call of a batch is like. */
type Plan = {
  /** Beside others (`true`), alone (`false`), or one after the other with those of its key. */
  readonly safe: boolean | 'x' | 'y'
  readonly readOnly: boolean
  /** Turns of the event loop that it takes. */
  readonly turns: number
  readonly ends: 'well' | 'throws' | 'asks' | 'cancels the run'
  readonly needsApproval: boolean
  /** Turns until its flags are known, or not at all when they are known at once. */
  readonly knownAfter: number | undefined
}

const anyPlan: fc.Arbitrary<Plan> = fc.record({
  safe: fc.constantFrom<Plan['safe']>(true, true, false, 'x', 'y'),
  readOnly: fc.boolean(),
  turns: fc.nat(4),
  ends: fc.constantFrom<Plan['ends']>('well', 'well', 'well', 'well', 'well', 'throws', 'asks', 'cancels the run'),
  needsApproval: fc.constantFrom(false, false, false, false, true),
  knownAfter: fc.constantFrom(undefined, undefined, undefined, 0, 1, 3),
})
const anyBatch = fc.record({
  plans: fc.array(anyPlan, { minLength: 1, maxLength: 10 }),
  cap: fc.integer({ min: 1, max: 4 }),
  hasHook: fc.boolean(),
})

/** What happened, in order. */
type Moment = { readonly at: number; readonly what: 'start' | 'end' }

async function after<T>(turns: number, value: T): Promise<T> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
  return value
}

/** Runs one batch, answering what is asked, and gives what it saw. */
async function runBatch(plans: readonly Plan[], cap: number, hasHook: boolean) {
  const moments: Moment[] = []
  const begun = plans.map(() => 0)
  const done = plans.map(() => 0)
  let cancel = (): void => {}
  const known = <T>({ knownAfter }: Plan, flag: T): T | Promise<T> => (knownAfter === undefined ? flag : after(knownAfter, flag))
  const tool = {
    name: 'do',
    description: 'Does it.',
    inputSchema: { type: 'object', properties: { at: { type: 'number' } } },
    isReadOnly: ({ at }) => known(plans[at]!, plans[at]!.readOnly),
    isConcurrencySafe: ({ at }) => known<boolean | string>(plans[at]!, plans[at]!.safe),
    needsApproval: ({ at }) => known(plans[at]!, plans[at]!.needsApproval),
    async run({ at }, { interrupt, signal }) {
      const plan = plans[at]!
      begun[at]!++
      moments.push({ at, what: 'start' })
      try {
        for (let turn = 0; turn < plan.turns && !signal.aborted; turn++) await new Promise((resolve) => setImmediate(resolve))
        if (plan.ends === 'asks') interrupt({ name: 'may I' })
        if (plan.ends === 'throws') throw new Error('no')
        if (plan.ends === 'cancels the run') cancel()
        done[at]!++
        return `done ${at}`
      } finally {
        moments.push({ at, what: 'end' })
      }
    },
  } satisfies Tool<{ readonly at: number }>
  const model = scriptedModel({ calls: plans.map((_, at) => ({ name: 'do', input: { at } })) }, { text: 'Done.' })
  const agent = new Agent({ model, tools: [tool], maxConcurrency: cap, retry: false })
  if (hasHook) agent.on('beforeToolCall', () => new Promise((resolve) => setImmediate(resolve)))
  cancel = () => agent.cancel('enough')
  const ran: (readonly Moment[])[] = []
  let outcome = await collect(agent.stream('go'))
  ran.push(moments.splice(0))
  expect(checkEvents(outcome.events)).toEqual([])
  while (outcome.result?.stopReason === 'interrupt') {
    expect(check(agent.messages, { openCalls: 'allow' })).toEqual([])
    outcome = await collect(agent.stream(outcome.result.interrupts.map((interrupt) => answer(interrupt, true))))
    ran.push(moments.splice(0))
    expect(checkEvents(outcome.events)).toEqual([])
  }
  return { agent, ran, begun, done, outcome }
}

/** The calls that ran at the same time, at each start. */
function overlaps(moments: readonly Moment[], plans: readonly Plan[], cap: number): void {
  const running = new Set<number>()
  const ended = new Set<number>()
  for (const { at, what } of moments) {
    if (what === 'end') {
      running.delete(at)
      ended.add(at)
      continue
    }
    const plan = plans[at]!
    for (const other of running) {
      const beside = plans[other]!
      expect([plan.safe, beside.safe], `${at} beside ${other}`).not.toContain(false)
      if (typeof plan.safe === 'string') expect(beside.safe, `${at} beside ${other}, of one key`).not.toBe(plan.safe)
    }
    running.add(at)
    expect(running.size).toBeLessThanOrEqual(cap)
  }
}

/** Must the later one wait for the end of the other? */
function mustWait(later: Plan, before: Plan): boolean {
  const isReader = ({ safe, readOnly }: Plan): boolean => safe === true && readOnly
  const isKeyedWriter = ({ safe, readOnly }: Plan): boolean => typeof safe === 'string' && !readOnly
  if (before.safe === false || (typeof later.safe === 'string' && later.safe === before.safe)) return true
  return (isReader(later) && isKeyedWriter(before)) || (isKeyedWriter(later) && isReader(before))
}

/** No call begins before one in front of it that it must not overtake has come to its end, in this part of the run or before. */
function order(parts: readonly (readonly Moment[])[], plans: readonly Plan[]): void {
  const finished = new Set<number>()
  for (const moments of parts) {
    for (const { at, what } of moments) {
      if (what === 'end') finished.add(at)
      else
        for (let before = 0; before < at; before++)
          if (mustWait(plans[at]!, plans[before]!)) expect(finished.has(before), `${at} overtook ${before}`).toBe(true)
    }
  }
}

it('whatever the calls, their ends and the cap: none beside an unsafe one, none past it, none twice, results in order', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(anyBatch, async ({ plans, cap, hasHook }) => {
      count++
      const { agent, ran, begun, done, outcome } = await runBatch(plans, cap, hasHook)
      for (const moments of ran) overlaps(moments, plans, cap)
      order(ran, plans)
      expect(check(agent.messages)).toEqual([])
      // Once; and once more with the answer, for one that asks in its middle.
      plans.forEach((plan, at) => {
        expect(begun[at], `begun ${at}`).toBeLessThanOrEqual(plan.ends === 'asks' ? 2 : 1)
        expect(done[at], `done ${at}`).toBeLessThanOrEqual(1)
      })
      expect(['end_turn', 'cancelled']).toContain(outcome.result?.stopReason)
      resultsAgree(agent.messages, plans, done, outcome.result?.stopReason === 'cancelled')
    }),
    { numRuns: 300 },
  )
  expect(count).toBeGreaterThanOrEqual(300)
})

/** Each call has the result that it came to, in call order. Early reads of a message that was cancelled were dropped with it. */
function resultsAgree(messages: readonly Message[], plans: readonly Plan[], done: readonly number[], cancelled: boolean): void {
  const results = messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])))
  if (cancelled && results.length === 0) return
  expect(results.length).toBe(plans.length)
  results.forEach((result, at) => {
    const plan = plans[at]!
    if (done[at] === 1) expect(result.content, `result ${at}`).toEqual([{ type: 'text', text: `done ${at}` }])
    else if (plan.ends === 'throws' && !cancelled) expect(result).toMatchObject({ status: 'error' })
    else expect(result.code).toBe(plan.ends === 'throws' && result.code === undefined ? undefined : 'cancelled')
  })
}
