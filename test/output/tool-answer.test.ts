import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { Agent } from '../../src/agent/agent.ts'
import { OutputError } from '../../src/errors.ts'
import { check } from '../../src/messages/check.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { collect } from '../../src/testing/collect.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import { sketch } from '../support/sketch.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const city = z.object({ city: z.string(), degrees: z.number().default(20) })
const give = (input: unknown): ScriptStep => ({ calls: [{ name: 'final_answer', input: input as never }] })

function made(...steps: readonly ScriptStep[]) {
  const model = scriptedModel(...steps)
  return { model, agent: new Agent({ model, ids: countingIds(), retry: false, tools: [look()] }) }
}

describe('an answer of a shape, by the call of a tool', () => {
  it('is typed, validated, and has its defaults; the run ends with it', async () => {
    const { agent, model } = made({ calls: [{ name: 'look', input: { at: 1 } }] }, give({ city: 'Tokyo' }))
    const { events, result } = await collect(agent.stream('go', { output: city }))
    expect(result?.output).toEqual({ city: 'Tokyo', degrees: 20 })
    expect(result?.stopReason).toBe('end_turn')
    expect(String(result)).toBe('{"city":"Tokyo","degrees":20}')
    expect(model.requests.map(({ tools, toolChoice }) => [tools.map(({ name }) => name), toolChoice])).toEqual([
      [['final_answer', 'look'], 'auto'],
      [['final_answer', 'look'], 'auto'],
    ])
    expect(events.filter(({ type }) => type === 'output_delta').at(-1)).toMatchObject({ partial: { city: 'Tokyo' } })
    expect([check(agent.messages), checkEvents(events)]).toEqual([[], []])
    const direct = await made(give({ city: 'Bern', degrees: 3 })).agent.invoke('go', { output: city })
    expectTypeOf(direct.output).toEqualTypeOf<{ city: string; degrees: number }>()
  })

  it('wrong, then right: the faults go back to the model', async () => {
    const { agent } = made(give({ degrees: 'hot' }), give({ city: 'Tokyo', degrees: 30 }))
    expect((await agent.invoke('go', { output: city })).output).toEqual({ city: 'Tokyo', degrees: 30 })
    expect(sketch(agent.messages)[2]).toMatch(/^user: call_1 error\/invalid_input .*city.*degrees/s)
  })

  it('always wrong: given up after three', async () => {
    const { agent, model } = made(...Array.from({ length: 5 }, () => give({ degrees: 1 })))
    const error: unknown = await agent.invoke('go', { output: city }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OutputError)
    expect(error).toMatchObject({ code: 'no_output', lastAnswer: { degrees: 1 } })
    expect([model.requests.length, check(agent.messages)]).toEqual([3, []])
  })

  it('never: one turn that has nothing else on offer, then given up', async () => {
    const { agent, model } = made({ text: 'It is warm.' }, { text: 'Still warm.' })
    await expect(agent.invoke('go', { output: city })).rejects.toMatchObject({ code: 'no_output', lastAnswer: 'Still warm.' })
    expect(model.requests.map(({ tools, toolChoice }) => [tools.map(({ name }) => name), toolChoice])).toEqual([
      [['final_answer', 'look'], 'auto'],
      [['final_answer'], { name: 'final_answer' }],
    ])
  })

  it('with prose first: asked for, and given', async () => {
    const { agent, model } = made({ text: 'It is warm.' }, give({ city: 'Tokyo', degrees: 1 }))
    expect((await agent.invoke('go', { output: city })).output).toEqual({ city: 'Tokyo', degrees: 1 })
    expect(model.requests.at(-1)!.messages.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'Give your answer now, by calling the tool final_answer.' }],
    })
  })

  it('a limit before it is named when it is read', async () => {
    const { agent } = made({ calls: [{ name: 'look', input: { at: 1 } }] })
    const result = await agent.invoke('go', { output: city, limits: { turns: 1 } })
    expect(result.stopReason).toBe('limit_turns')
    expect(() => result.output).toThrow('the run ended with limit_turns')
  })

  it.each<[string, z.ZodType, unknown, unknown]>([
    ['an array', z.array(z.number()), { value: [1, 2] }, [1, 2]],
    ['a text', z.string(), { value: 'x' }, 'x'],
    ['nothing', z.null(), { value: null }, null],
    ['a union of objects', z.union([z.object({ a: z.number() }), z.object({ b: z.string() })]), { value: { b: 'x' } }, { b: 'x' }],
    ['an object that the model wraps', z.object({ a: z.number() }), { value: { a: 1 } }, { a: 1 }],
  ])('%s', async (_what, output, given, answer) => {
    expect((await made(give(given)).agent.invoke('go', { output })).output).toEqual(answer)
  })
})

describe('an answer of a shape, from a provider that holds the model to it', () => {
  const native = (...steps: readonly ScriptStep[]) => {
    const model = scriptedModel(...steps)
    return { model, agent: new Agent({ model: Object.assign(model, { abilities: { output: 'native' } }), retry: false, tools: [look()] }) }
  }

  it('is the text, and no tool for it is on offer', async () => {
    const { agent, model } = native({ text: '{"city":"Tokyo"}' })
    const { events, result } = await collect(agent.stream('go', { output: city }))
    expect(result?.output).toEqual({ city: 'Tokyo', degrees: 20 })
    expect(model.requests[0]).toMatchObject({ tools: [{ name: 'look' }], output: { name: 'final_answer' } })
    expect(events.filter(({ type }) => type === 'output_delta').at(-1)).toMatchObject({ partial: { city: 'Tokyo' } })
  })

  it('wrong, then right, with what is wrong as a message', async () => {
    const { agent, model } = native({ text: '{"city":7}' }, { text: 'no json' }, { text: '{"city":"Tokyo"}' })
    expect((await agent.invoke('go', { output: city })).output).toEqual({ city: 'Tokyo', degrees: 20 })
    expect(model.requests.length).toBe(3)
    expect(check(agent.messages)).toEqual([])
  })
})
