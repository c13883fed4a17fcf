import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Agent } from '../../src/agent/agent.ts'
import type { ModelEvent } from '../../src/models/model-events.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { collect } from '../../src/testing/collect.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import type { Schema } from '../../src/tools/standard-schema.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

/** An answer that comes in these pieces. */
const inPieces = (mode: 'tool' | 'native', pieces: readonly string[]): readonly ModelEvent[] => [
  { type: 'message_start' },
  { type: 'block_start', index: 0, block: mode === 'tool' ? { type: 'tool_use', name: 'final_answer' } : { type: 'text' } },
  ...pieces.map((text): ModelEvent => ({
    type: 'block_delta',
    index: 0,
    delta: mode === 'tool' ? { type: 'tool_input', text } : { type: 'text', text },
  })),
  { type: 'block_stop', index: 0 },
  { type: 'message_stop', stopReason: mode === 'tool' ? 'tool_use' : 'end_turn' },
]

async function partialsOf(schema: Schema, mode: 'tool' | 'native', ...answers: readonly (readonly string[])[]) {
  const looks = { calls: [{ name: 'look', input: { at: 1 } }] }
  const model = scriptedModel(looks, ...answers.map((pieces) => inPieces(mode, pieces)))
  const agent = new Agent({ model, retry: false, tools: [look()] })
  const { events, result } = await collect(agent.stream('go', { output: { schema, mode } }))
  expect(checkEvents(events)).toEqual([])
  expect(model.requests.length).toBe(1 + answers.length)
  return { output: result?.output, partials: events.flatMap((event) => (event.type === 'output_delta' ? [event.partial] : [])) }
}

const person = z.object({ name: z.string(), friends: z.array(z.object({ name: z.string() })), born: z.number().nullable() })

describe.each(['tool', 'native'] as const)('what there is of an answer so far: %s', (mode) => {
  it('grows with each piece', async () => {
    const pieces = ['{"name":"A', 'da","friends":[{"na', 'me":"Bob"},{"name":"C', 'y"}],"born":nu', 'll}']
    expect(await partialsOf(person, mode, pieces)).toEqual({
      output: { name: 'Ada', friends: [{ name: 'Bob' }, { name: 'Cy' }], born: null },
      partials: [
        { name: 'A' },
        { name: 'Ada', friends: [{}] },
        { name: 'Ada', friends: [{ name: 'Bob' }, { name: 'C' }] },
        { name: 'Ada', friends: [{ name: 'Bob' }, { name: 'Cy' }], born: null },
      ],
    })
  })

  it('is what is inside, where the model is shown a wrapping', async () => {
    expect(await partialsOf(z.array(z.string()), mode, ['{"val', 'ue":["a', 'b","c"', ']}'])).toEqual({
      output: ['ab', 'c'],
      // The last piece adds too little to be read for.
      partials: [['a'], ['ab', 'c']],
    })
  })

  it('begins anew with the next attempt', async () => {
    const wrong = ['{"name":"Ada",', '"friends":[],"born":"long ago"}']
    const right = ['{"name":"Ada",', '"friends":[],"born":1815}']
    expect(await partialsOf(person, mode, wrong, right)).toEqual({
      output: { name: 'Ada', friends: [], born: 1815 },
      partials: [
        { name: 'Ada' },
        { name: 'Ada', friends: [], born: 'long ago' },
        { name: 'Ada' },
        { name: 'Ada', friends: [], born: 1815 },
      ],
    })
  })

  it('is never of another kind than the answer: what is said beside it is none, nor a wrapping that a model makes of its own', async () => {
    const right = '{"name":"Ada","friends":[],"born":1815}'
    const ada = { name: 'Ada', friends: [], born: 1815 }
    expect(await partialsOf(person, mode, ['{"value":{"name":"A', 'da","friends":[],"born":1815}}'])).toEqual({
      output: ada,
      partials: [{ name: 'A' }, ada],
    })
    if (mode === 'tool') return
    expect(await partialsOf(person, mode, ['See [1] and [2]: ', right])).toEqual({ output: ada, partials: [ada] })
    expect(await partialsOf(person, mode, ['<think>Say {"name": 7}', '?</think>', right])).toEqual({ output: ada, partials: [ada] })
  })

  it('may be of a value that is called so', async () => {
    const named = z.object({ value: z.object({ at: z.number() }), unit: z.string() })
    const free = z.record(z.string(), z.object({ at: z.number() }))
    expect((await partialsOf(named, mode, ['{"value":{"at":1}', ',"unit":"m"}'])).partials).toEqual([
      { value: { at: 1 } },
      { value: { at: 1 }, unit: 'm' },
    ])
    expect((await partialsOf(free, mode, ['{"value":{"at":1}', '  }'])).partials[0]).toEqual({ value: { at: 1 } })
  })
})
