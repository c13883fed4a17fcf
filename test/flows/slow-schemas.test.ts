import { describe, expect, it } from 'vitest'
import type { OutputOptions } from '../../src/output/output-options.ts'
import { jsonSchema } from '../../src/tools/schema.ts'
import { tool } from '../../src/tools/tool.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import { makeAgent } from '../support/make-agent.ts'
import { autoClock } from '../support/auto-clock.ts'
import { deferred } from '../support/promises.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch } from '../support/sketch.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

/** A schema whose check asks somebody who never answers. */
function neverChecks() {
  const begun = deferred()
  const { '~standard': standard, ...rest } = jsonSchema<object>({ type: 'object' })
  const validate = (): Promise<never> => (begun.resolve(), new Promise(() => {}))
  return { begun, schema: { ...rest, '~standard': { ...standard, validate } } }
}

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
