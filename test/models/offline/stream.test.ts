import { describe, expect, it } from 'vitest'
import { InputError, InvalidRequestError } from '../../../src/errors.ts'
import { text } from '../../../src/messages/content.ts'
import type { ModelEvent } from '../../../src/models/model-events.ts'
import type { Model, ModelRequest } from '../../../src/models/model.ts'
import { offline } from '../../../src/models/offline/index.ts'
import type { Clock } from '../../../src/util/clock.ts'
import { ask, requestOf } from './play.ts'

const prompted = (prompt: string, rest: Partial<ModelRequest> = {}): ModelRequest =>
  requestOf([{ role: 'user', content: [text(prompt)] }], ['read_file', 'list_dir', 'write_file', 'shell'], rest)

async function eventsOf(model: Model, request: ModelRequest, signal = new AbortController().signal): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.stream(request, { signal })) events.push(event)
  return events
}

describe('the stream', () => {
  it('says what model it is', () => {
    const { provider, id, abilities } = offline()
    expect({ provider, id, abilities }).toEqual({
      provider: 'offline',
      id: 'offline',
      abilities: { output: 'prompt', images: false, documents: false },
    })
  })

  it('gives a text word by word', async () => {
    expect(await eventsOf(offline(), prompted('thanks'))).toEqual([
      { type: 'message_start', model: 'offline' },
      { type: 'block_start', index: 0, block: { type: 'text' } },
      ...['You', ' are', ' welcome.', ' Say', ' `help`', ' to', ' see', ' what', ' I', ' can', ' do.'].map((piece) => ({
        type: 'block_delta',
        index: 0,
        delta: { type: 'text', text: piece },
      })),
      { type: 'block_stop', index: 0 },
      { type: 'message_stop', stopReason: 'end_turn' },
      { type: 'metadata', usage: { inputTokens: 94, outputTokens: 13, totalTokens: 107 } },
    ])
  })

  it('gives the input of a call in pieces', async () => {
    expect(await eventsOf(offline(), prompted('read "some rather long name.txt" and list src'))).toEqual([
      { type: 'message_start', model: 'offline' },
      { type: 'block_start', index: 0, block: { type: 'tool_use', name: 'read_file' } },
      { type: 'block_delta', index: 0, delta: { type: 'tool_input', text: '{"path":"some rather lon' } },
      { type: 'block_delta', index: 0, delta: { type: 'tool_input', text: 'g name.txt"}' } },
      { type: 'block_stop', index: 0 },
      { type: 'block_start', index: 1, block: { type: 'tool_use', name: 'list_dir' } },
      { type: 'block_delta', index: 1, delta: { type: 'tool_input', text: '{"path":"src"}' } },
      { type: 'block_stop', index: 1 },
      { type: 'message_stop', stopReason: 'tool_use' },
      { type: 'metadata', usage: { inputTokens: 105, outputTokens: 13, totalTokens: 118 } },
    ])
  })

  it('keeps every blank of its text', async () => {
    const events = await eventsOf(offline(), prompted('help'))
    const pieces = events.flatMap((event) => (event.type === 'block_delta' && event.delta.type === 'text' ? [event.delta.text] : []))
    expect(pieces.length).toBeGreaterThan(50)
    expect((await ask(offline(), prompted('help'))).content).toEqual([{ type: 'text', text: pieces.join('') }])
  })

  it('counts the tokens of a request as its usage does', async () => {
    const request = prompted('read a.txt')
    const { usage } = await ask(offline(), request)
    expect(await offline().countTokens!(request, { signal: new AbortController().signal })).toBe(usage!.inputTokens)
  })

  it('gives the same for the same request', async () => {
    const request = prompted('read a.txt, then run `ls` and write "x" to y.txt')
    expect(await eventsOf(offline(), request)).toEqual(await eventsOf(offline(), request))
  })
})

describe('the signal', () => {
  it('says nothing once it has fired', async () => {
    const reason = new Error('enough')
    await expect(eventsOf(offline(), prompted('help'), AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('ends the stream between two pieces', async () => {
    const controller = new AbortController()
    const pieces: string[] = []
    const reading = (async () => {
      for await (const event of offline().stream(prompted('help'), { signal: controller.signal })) {
        if (event.type !== 'block_delta' || event.delta.type !== 'text') continue
        if (pieces.push(event.delta.text) === 3) controller.abort(new Error('enough'))
      }
    })()
    await expect(reading).rejects.toThrow('enough')
    expect(pieces).toHaveLength(3)
  })

  it('lets it fire from outside in a long text', async () => {
    const controller = new AbortController()
    let pieces = 0
    setImmediate(() => controller.abort(new Error('enough')))
    const reading = (async () => {
      for await (const event of offline().stream(prompted('help'), { signal: controller.signal }))
        if (event.type === 'block_delta') pieces++
    })()
    await expect(reading).rejects.toThrow('enough')
    expect(pieces).toBeLessThanOrEqual(64)
  })

  it('cuts a pause short', async () => {
    const controller = new AbortController()
    const sleeps: number[] = []
    const clock: Clock = {
      now: () => 0,
      sleep: async (ms, signal) => {
        expect(signal).toBe(controller.signal)
        if (sleeps.push(ms) === 2) controller.abort(new Error('enough'))
      },
    }
    await expect(eventsOf(offline({ delayMs: 7, clock }), prompted('help'), controller.signal)).rejects.toThrow('enough')
    expect(sleeps).toEqual([7, 7])
  })
})

describe('the options', () => {
  it.each([-1, NaN, Infinity])('refuses a delayMs of %s', (delayMs) => {
    expect(() => offline({ delayMs })).toThrow(new InputError(`delayMs is a number of milliseconds, 0 or more; got ${delayMs}.`))
  })

  it('calls nothing when no tool may be called', async () => {
    const { content, stopReason } = await ask(offline(), prompted('read a.txt and list src', { toolChoice: 'none' }))
    expect({ content, stopReason }).toEqual({
      content: [{ type: 'text', text: 'To answer this I would have to call `read_file` and `list_dir`, but no tool may be called now.' }],
      stopReason: 'end_turn',
    })
  })

  it('calls only the tool that must be called', async () => {
    const { content } = await ask(offline(), prompted('read a.txt and list src', { toolChoice: { name: 'list_dir' } }))
    expect(content).toMatchObject([{ type: 'tool_use', name: 'list_dir', input: { path: 'src' } }])
  })

  it('refuses structured output, which it cannot give', async () => {
    await expect(ask(offline(), prompted('read a.txt', { output: { name: 'x', schema: {} } }))).rejects.toThrow(InvalidRequestError)
  })
})
