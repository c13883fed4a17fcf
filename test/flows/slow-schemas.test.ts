import { describe, expect, it } from 'vitest'
import type { OutputOptions } from '../../src/output/output-options.ts'
import { jsonSchema } from '../../src/tools/schema.ts'
import { tool } from '../../src/tools/tool.ts'
import type { StandardResult, StandardSchema } from '../../src/tools/standard-schema.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import { makeAgent } from '../support/make-agent.ts'
import { fakeClock } from '../../src/testing/fake-clock.ts'
import { autoClock } from '../support/auto-clock.ts'
import { quiet } from '../support/hand-model.ts'
import { deferred } from '../support/promises.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch } from '../support/sketch.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

/** A schema whose check asks somebody who never answers. */
function neverChecks() {
  const begun = deferred()
  const { '~standard': standard, ...rest } = jsonSchema<object>({ type: 'object' })
  const validate = (): Promise<StandardResult<object>> => (begun.resolve(), new Promise(() => {}))
  return { begun, schema: { ...rest, '~standard': { ...standard, validate } } }
}

describe('a schema that never comes to an end has the time of its tool', () => {
  const calls = { calls: [{ name: 'slow', input: {} }] }
  const tooSlow = 'The check of the input of slow took longer than 500 ms and was given up. Nothing was run.'
  const make = (execute: () => unknown, schema: StandardSchema<object>) =>
    tool({ name: 'slow', description: 'd', inputSchema: schema, timeoutMs: 500, isReadOnly: true, isConcurrencySafe: true, execute })

  it('the call was not run, and the model reads why', async () => {
    const { schema } = neverChecks()
    const ran: string[] = []
    const { agent } = makeAgent([calls, { text: 'Done.' }], { tools: [make(() => ran.push('slow'), schema)], clock: autoClock() })
    const settled = await settlesWithin(agent.invoke('go'), 50, 'the run')
    expect([settled.status, ran, sketch(agent.messages)[2]]).toEqual([
      'fulfilled',
      [],
      `user: call_1 error/timeout ${JSON.stringify(tooSlow)}`,
    ])
  })

  it('and no more than that where a middleware has changed the input', async () => {
    const { schema } = neverChecks()
    const { '~standard': standard } = schema
    let checks = 0
    const second = {
      ...schema,
      '~standard': { ...standard, validate: () => (checks++ === 0 ? { value: {} } : new Promise<never>(() => {})) },
    }
    const { agent } = makeAgent([calls, { text: 'Done.' }], { tools: [make(() => 'never', second)], clock: autoClock() })
    agent.use('tool', async function* (call, next) {
      return yield* next({ ...call, input: { other: true } })
    })
    await settlesWithin(agent.invoke('go'), 50, 'the run')
    expect(sketch(agent.messages)[2]).toBe(`user: call_1 error/timeout ${JSON.stringify(tooSlow)}`)
  })

  it('and the run has as much for itself', async () => {
    const clock = fakeClock(0)
    const { '~standard': standard, ...rest } = jsonSchema<object>({ type: 'object' })
    const { signal } = new AbortController()
    const validate = async () => (await clock.sleep(400, signal), { value: {} })
    const slow = make(async () => (await clock.sleep(400, signal), 'ran'), { ...rest, '~standard': { ...standard, validate } })
    const { agent } = makeAgent([calls, { text: 'Done.' }], { tools: [slow], clock })
    const running = agent.invoke('go')
    for (let n = 0; n < 4; n++) {
      await quiet()
      await clock.advance(300)
    }
    await running
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "ran"')
  })
})

async function cancelledIn(
  begun: Promise<void>,
  { agent }: ReturnType<typeof makeAgent>,
  running: Promise<{ readonly stopReason: string }>,
) {
  await begun
  agent.cancel('enough')
  const settled = await settlesWithin(running, 50, 'the run')
  return [settled.status === 'fulfilled' ? settled.value.stopReason : settled.reason, sketch(agent.messages).slice(1)]
}

const closing = 'assistant: "[The run was cancelled before the answer was complete: enough]"'

describe('a schema that never comes to an end keeps no run that is cancelled', () => {
  it('of a tool: the call was not run', async () => {
    const { begun, schema } = neverChecks()
    const slow = tool({ name: 'slow', description: 'd', inputSchema: schema, execute: () => 'never' })
    const made = makeAgent([{ calls: [{ name: 'slow', input: {} }] }], { tools: [slow], clock: autoClock() })
    expect(await cancelledIn(begun.promise, made, made.agent.invoke('go'))).toEqual([
      'cancelled',
      ['assistant: slow#call_1 {}', 'user: call_1 error/cancelled "The call was cancelled."', closing],
    ])
  })

  it.each<[NonNullable<OutputOptions['mode']>, ScriptStep, readonly string[]]>([
    // Checked while the model still speaks.
    ['tool', { calls: [{ name: 'final_answer', input: {} }] }, [closing]],
    ['native', { text: '{}' }, ['assistant: "{}"']],
  ])('of the answer, by %s', async (mode, step, history) => {
    const { begun, schema } = neverChecks()
    const made = makeAgent([step], { clock: autoClock() })
    const running = made.agent.invoke('go', { output: { schema, mode } })
    expect(await cancelledIn(begun.promise, made, running)).toEqual(['cancelled', history])
  })
})
