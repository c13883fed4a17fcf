import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../src/models/model-events.ts'
import type { ModelRequest } from '../../src/models/model.ts'
import { eventsOf, scriptedModel } from '../../src/testing/scripted-model.ts'
import type { ScriptedModel } from '../../src/testing/scripted-model.ts'
import { isSettled } from '../support/promises.ts'

const request: ModelRequest = {
  system: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
  tools: [],
  toolChoice: 'auto',
  settings: {},
}

async function read(
  model: ScriptedModel,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly events: readonly ModelEvent[]; readonly error: unknown }> {
  const events: ModelEvent[] = []
  try {
    for await (const event of model.stream(request, { signal })) events.push(event)
    return { events, error: undefined }
  } catch (error) {
    return { events, error }
  }
}

describe('an answer in short form', () => {
  it('streams as a provider would: text by words, inputs in two pieces, usage last', () => {
    expect(
      eventsOf({ reasoning: 'Hm.', text: 'Let me see.', calls: [{ name: 'look', input: { at: 1 }, id: 'x' }], usage: { outputTokens: 9 } }),
    ).toEqual([
      { type: 'message_start' },
      { type: 'block_start', index: 0, block: { type: 'reasoning' } },
      { type: 'block_delta', index: 0, delta: { type: 'reasoning', text: 'Hm.' } },
      { type: 'block_stop', index: 0 },
      { type: 'block_start', index: 1, block: { type: 'text' } },
      { type: 'block_delta', index: 1, delta: { type: 'text', text: 'Let ' } },
      { type: 'block_delta', index: 1, delta: { type: 'text', text: 'me ' } },
      { type: 'block_delta', index: 1, delta: { type: 'text', text: 'see.' } },
      { type: 'block_stop', index: 1 },
      { type: 'block_start', index: 2, block: { type: 'tool_use', name: 'look', id: 'x' } },
      { type: 'block_delta', index: 2, delta: { type: 'tool_input', text: '{"at' } },
      { type: 'block_delta', index: 2, delta: { type: 'tool_input', text: '":1}' } },
      { type: 'block_stop', index: 2 },
      { type: 'message_stop', stopReason: 'tool_use' },
      { type: 'metadata', usage: { outputTokens: 9 } },
    ])
  })

  it('sends bad JSON as it is', () => {
    expect(
      eventsOf({ calls: [{ name: 'look', input: '{"at' }] }).flatMap((event) =>
        event.type === 'block_delta' && event.delta.type === 'tool_input' ? [event.delta.text] : [],
      ),
    ).toEqual(['{"', 'at'])
  })
})

describe('a script', () => {
  it('has one step for each call: events, an answer, or a function of the request', async () => {
    const events: readonly ModelEvent[] = [{ type: 'message_stop', stopReason: 'refusal' }]
    const model = scriptedModel(
      events,
      { text: 'a' },
      ({ messages }) => ({ text: `${messages.length} message` }),
      () => () => events,
    )
    expect(await read(model)).toEqual({ events, error: undefined })
    expect(await read(model)).toEqual({ events: eventsOf({ text: 'a' }), error: undefined })
    expect(await read(model)).toEqual({ events: eventsOf({ text: '1 message' }), error: undefined })
    expect(await read(model)).toEqual({ events, error: undefined })
    expect(model.requests).toEqual([request, request, request, request])
    model.assertComplete()
  })

  it('complains about a call that it does not have, and about a step that was not used', async () => {
    const model = scriptedModel({ text: 'a' }, { text: 'b' })
    await read(model)
    expect(() => model.assertComplete()).toThrow(
      expect.objectContaining({ code: 'script_unused', message: 'The script has 2 steps, but the model was called only 1 times.' }),
    )
    await read(model)
    const { events, error } = await read(model)
    expect(events).toEqual([])
    expect(error).toMatchObject({ code: 'script_exhausted', message: 'The script has 2 steps, and the model was called a 3. time.' })
  })

  it('fails where it is told to', async () => {
    const error = new Error('no')
    const all = eventsOf({ text: 'one two' })
    for (const after of [0, 1, 3, all.length])
      expect(await read(scriptedModel({ text: 'one two', error, after }))).toEqual({ events: all.slice(0, after), error })
    expect(await read(scriptedModel({ error }))).toEqual({ events: [], error })
  })

  it('hangs where it is told to, until the signal fires', async () => {
    const controller = new AbortController()
    const reading = read(scriptedModel({ text: 'one two', hang: true, after: 3 }), controller.signal)
    expect(await isSettled(reading)).toBe(false)
    const reason = new Error('stop it')
    controller.abort(reason)
    expect(await reading).toEqual({ events: eventsOf({ text: 'one two' }).slice(0, 3), error: reason })
  })

  it('hangs for ever when it is deaf', async () => {
    const reading = read(scriptedModel({ hang: 'deaf' }), AbortSignal.abort())
    expect(await isSettled(reading)).toBe(false)
  })
})
