import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { AsToolOptions } from '../../../src/agent/as-tool.ts'
import { InputError } from '../../../src/errors.ts'
import { answer } from '../../../src/interrupts/interrupt.ts'
import { countingIds } from '../../../src/testing/counting-ids.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../../src/testing/scripted-model.ts'
import type { Tool } from '../../../src/tools/tool.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const weather = { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] }
const gives = (input: Record<string, unknown>): ScriptStep => ({ calls: [{ name: 'final_answer', input: input as never }] })

function helperWith(output: AsToolOptions['output'], steps: readonly ScriptStep[], tools: readonly Tool[] = []): Tool {
  const helper = new Agent({ name: 'helper', model: scriptedModel(...steps), tools, ids: countingIds(), retry: false })
  return helper.asTool({ output })
}

/** The result of the one call of this tool that an agent makes. */
async function resultOf(tool: Tool, limits = {}) {
  const model = scriptedModel({ calls: [{ name: 'helper', input: { input: 'How warm is it?' } }] }, { text: 'Warm.' })
  const boss = new Agent({ model, tools: [tool], ids: countingIds() })
  await boss.invoke('go', limits)
  return boss.messages[2]?.content[0]
}

describe('an agent as a tool that gives an answer of a shape', () => {
  it('says which, and gives it as structured content', async () => {
    const tool = helperWith(weather, [gives({ degrees: 22 })])
    expect(tool.outputSchema).toEqual(weather)
    expect(await resultOf(tool)).toMatchObject({
      status: 'success',
      content: [{ type: 'text', text: '{"degrees":22}' }],
      structuredContent: { degrees: 22 },
    })
  })

  it('has its model asked again where the answer does not fit', async () => {
    expect(await resultOf(helperWith(weather, [gives({ degrees: 'many' }), gives({ degrees: 7 })]))).toMatchObject({
      status: 'success',
      structuredContent: { degrees: 7 },
    })
  })

  it('has one that is no object in an object', async () => {
    const tool = helperWith({ type: 'array', items: { type: 'number' } }, [gives({ value: [1, 2] })])
    expect(tool.outputSchema).toMatchObject({ type: 'object', properties: { value: { type: 'array' } }, required: ['value'] })
    expect(await resultOf(tool)).toMatchObject({ content: [{ text: '{"value":[1,2]}' }], structuredContent: { value: [1, 2] } })
  })

  it('has failed when there is none', async () => {
    const tool = helperWith({ schema: weather, attempts: 1 }, [gives({ degrees: 'many' })])
    expect(await resultOf(tool)).toMatchObject({ status: 'error', content: [{ text: expect.stringContaining('OutputError') as string }] })
  })

  it('gives it after a person was asked on the way', async () => {
    const ask: Tool = {
      name: 'ask',
      description: 'Asks.',
      inputSchema: { type: 'object', properties: {} },
      run: (_, { interrupt }) => String(interrupt({ name: 'where' })),
    }
    const tool = helperWith(weather, [{ calls: [{ name: 'ask', input: {} }] }, gives({ degrees: 5 })], [ask])
    const model = scriptedModel({ calls: [{ name: 'helper', input: { input: 'How warm?' } }] }, { text: 'Cold.' })
    const boss = new Agent({ model, tools: [tool], ids: countingIds() })
    const asked = await boss.invoke('go')
    expect(asked.stopReason).toBe('interrupt')
    await boss.invoke([answer(asked.interrupts[0]!, 'Oslo')])
    expect(boss.messages[2]?.content[0]).toMatchObject({ status: 'success', structuredContent: { degrees: 5 } })
  })

  it('refuses what is no schema where it is made', () => {
    expect(() => helperWith('weather' as never, [])).toThrow(InputError)
    expect(() => helperWith('weather' as never, [])).toThrow('`output` must be a schema')
  })
})
