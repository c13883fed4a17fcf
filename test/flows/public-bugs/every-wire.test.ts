// Bugs that users of other agents reported in public, on each wire that is spoken here. The short ids stand in docs/regressions.md, too.
import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { answer } from '../../../src/interrupts/interrupt.ts'
import { check } from '../../../src/messages/check.ts'
import type { Message } from '../../../src/messages/message.ts'
import { textOf } from '../../../src/messages/content.ts'
import { checkEvents } from '../../../src/testing/check-events.ts'
import { collect } from '../../../src/testing/collect.ts'
import { tool } from '../../../src/tools/tool.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { autoClock } from '../../support/auto-clock.ts'
import { useOwnEnvironment, environment } from '../../providers/bedrock/support/env.ts'
import type { Wire } from './support/wires.ts'
import { playing, streamed, wires } from './support/wires.ts'

useOwnEnvironment()

environment()

/** A tool that notes its inputs. */
function noting(name = 'look') {
  const inputs: unknown[] = []
  return {
    inputs,
    made: tool({ name, description: 'Notes.', inputSchema: { type: 'object' }, execute: (input) => void inputs.push(input) }),
  }
}
/** The conversation of a request, without its tools. */
const said = (json: JsonObject): string => JSON.stringify(json['messages'] ?? json['input'] ?? json['contents'])
const marks: Readonly<Record<string, readonly [call: RegExp, result: RegExp]>> = {
  Messages: [/"type":"tool_use"/g, /"type":"tool_result"/g],
  Responses: [/"type":"function_call"/g, /"type":"function_call_output"/g],
  'Chat Completions': [/"arguments":/g, /"tool_call_id":/g],
  Gemini: [/"functionCall":/g, /"functionResponse":/g],
  Converse: [/"toolUse":/g, /"toolResult":/g],
}
const callsIn = (wire: Wire, json: JsonObject): number => said(json).match(marks[wire.name]![0])?.length ?? 0
const resultsIn = (wire: Wire, json: JsonObject): number => said(json).match(marks[wire.name]![1])?.length ?? 0
const texts = (messages: readonly Message[]): readonly string[] => messages.map((message) => textOf(message.content))

describe.each(wires)('on the wire of $name', (wire: Wire) => {
  it('text before two calls stays, and both calls run in their order (BUG-03, V1, V2)', async () => {
    const { made, inputs } = noting()
    const { fetch } = playing(
      wire,
      wire.answer('pre', { name: 'look', input: '{"query":"a"}' }, { name: 'look', input: '{"query":"b"}' }),
      wire.answer('done'),
    )
    const agent = new Agent({ model: wire.model({ fetch }), tools: [made], retry: false })
    expect((await agent.invoke('go')).text).toBe('done')
    expect(inputs).toEqual([{ query: 'a' }, { query: 'b' }])
    expect(agent.messages[1]!.content.map(({ type }) => type)).toEqual(['text', 'tool_use', 'tool_use'])
    expect([texts(agent.messages)[1], check(agent.messages)]).toEqual(['pre', []])
  })

  it('characters survive, byte by byte, in texts and in inputs (BUG-13)', async () => {
    const said = 'Привет, 世界 👩‍🚀'
    const { made, inputs } = noting()
    const singly = (body: Uint8Array): readonly Uint8Array[] => [...body].map((byte) => Uint8Array.of(byte))
    const { fetch } = playing(
      wire,
      () => streamed(singly(wire.answer(said, { name: 'look', input: JSON.stringify({ said }) }))),
      wire.answer('done'),
    )
    const agent = new Agent({ model: wire.model({ fetch }), tools: [made], retry: false })
    await agent.invoke('go')
    expect([texts(agent.messages)[1], inputs]).toEqual([said, [{ said }]])
  })

  it('a connection that breaks is tried again, and what was told is withdrawn (V20)', async () => {
    const { made, inputs } = noting()
    const { fetch, bodies } = playing(
      wire,
      wire.answer('', { name: 'look', input: '{}' }),
      () => streamed([wire.begun('par')], 'breaks'),
      wire.answer('whole'),
    )
    const agent = new Agent({ model: wire.model({ fetch }), tools: [made], clock: autoClock() })
    const { events, result } = await collect(agent.stream('go'))
    expect([result?.text, bodies.length, inputs.length]).toEqual(['whole', 3, 1])
    // The third request is the second one again: the finished turn is in both.
    expect(bodies[2]!.text).toBe(bodies[1]!.text)
    const order = events.flatMap((event) =>
      event.type === 'text_delta' ? event.text : event.type === 'message_discarded' || event.type === 'retry' ? event.type : [],
    )
    expect(order.slice(order.indexOf('par'))).toEqual(['par', 'message_discarded', 'retry', 'whole'])
  })

  it('a stream that ends without its end is no answer, and its call does not run (V10, C5)', async () => {
    const { made, inputs } = noting()
    const whole = wire.answer('', { name: 'look', input: '{}' })
    const { fetch } = playing(wire, () => streamed([whole.subarray(0, Math.floor(whole.length * 0.6))]))
    const agent = new Agent({ model: wire.model({ fetch }), tools: [made], retry: false })
    await expect(agent.invoke('go')).rejects.toMatchObject({ retryable: true })
    expect([inputs, check(agent.messages)]).toEqual([[], []])
  })

  it('an abort reaches the transport in the same tick, and nothing more is sent', async () => {
    const stop = new AbortController()
    let aborted: boolean | undefined
    const { fetch, bodies } = playing(wire, () => streamed([wire.begun('par')], 'stays open'))
    const model = wire.model({
      fetch: (url, init) => {
        init!.signal!.addEventListener('abort', () => (aborted = true))
        return fetch(url, init)
      },
    })
    const agent = new Agent({ model, retry: false })
    let atOnce: boolean | undefined
    const { result } = await collect(
      agent.stream('go', {
        signal: stop.signal,
        onEvent: (event) => {
          if (event.type !== 'text_delta') return
          stop.abort()
          atOnce = aborted
        },
      }),
    )
    expect([result?.stopReason, atOnce, bodies.length, check(agent.messages)]).toEqual(['cancelled', true, 1, []])
  })

  it('two results go in call order, whichever was ready first (BUG-31)', async () => {
    const order: string[] = []
    const later = (name: string, turns: number) =>
      tool({
        name,
        description: 'Takes its time.',
        inputSchema: { type: 'object' },
        isConcurrencySafe: true,
        async execute() {
          for (let i = 0; i < turns; i++) await new Promise((resolve) => void setImmediate(resolve))
          order.push(name)
          return `by ${name}`
        },
      })
    const { fetch, bodies } = playing(
      wire,
      wire.answer('', { name: 'slow', input: '{}' }, { name: 'fast', input: '{}' }),
      wire.answer('done'),
    )
    await new Agent({ model: wire.model({ fetch }), tools: [later('slow', 20), later('fast', 1)], retry: false }).invoke('go')
    expect(order).toEqual(['fast', 'slow'])
    const { text } = bodies[1]!
    expect(text.indexOf('by slow')).toBeGreaterThan(0)
    expect(text.indexOf('by fast')).toBeGreaterThan(text.indexOf('by slow'))
  })

  it('blank and empty contents, and results of nothing, are never sent as they are (C1, V36)', async () => {
    const nothing = tool({ name: 'look', description: 'Says nothing.', inputSchema: { type: 'object' }, execute: () => '' })
    const { fetch, bodies } = playing(wire, wire.answer('', { name: 'look', input: '{}' }), wire.answer('done'))
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'one' }] },
      { role: 'assistant', content: [{ type: 'text', text: ' ' }] },
    ] as const
    const agent = new Agent({ model: wire.model({ fetch }), tools: [nothing], messages, retry: false })
    await agent.invoke('two')
    await agent.invoke('three')
    expect(bodies.length).toBe(3)
    for (const { text } of bodies) expect(text).not.toMatch(/"(text|content|output|result)":("\s*"|\[\])/)
  })

  it('half of a character never leaves: what is sent is well-formed (BUG-63)', async () => {
    const { fetch, bodies } = playing(wire, wire.answer('done'))
    const cut = '👩‍🚀'.slice(0, 1)
    await new Agent({ model: wire.model({ fetch }), instructions: `a${cut}`, retry: false }).invoke(`b${cut}`)
    expect(bodies[0]!.text).toContain('b\ufffd')
    expect(bodies[0]!.text).not.toMatch(/\\ud[89ab]/i)
  })

  it('what was sent stays, byte for byte, the beginning of what is sent next', async () => {
    const { made } = noting()
    const call = wire.answer('', { name: 'look', input: '{}' })
    const { fetch, bodies } = playing(wire, call, call, wire.answer('done'))
    await new Agent({ model: wire.model({ fetch }), instructions: 'Be brief.', tools: [made], retry: false }).invoke('go')
    expect(bodies.length).toBe(3)
    for (const [i, { text, json }] of bodies.slice(0, -1).entries()) {
      const next = bodies[i + 1]!
      // The SDK of one of them writes its body itself: there it is the messages that must stay.
      if (wire.name === 'Converse')
        expect((next.json['messages'] as unknown[]).slice(0, (json['messages'] as unknown[]).length)).toEqual(json['messages'])
      else expect(next.text.slice(0, text.length - 2)).toBe(text.slice(0, -2))
    }
  })

  it('a history of calls goes out though there are no tools now', async () => {
    const { fetch, bodies } = playing(wire, wire.answer('done'))
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'one' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: 'a', status: 'success', content: [{ type: 'text', text: 'seen' }] }] },
      { role: 'assistant', content: [{ type: 'text', text: 'two' }] },
    ] as const
    await new Agent({ model: wire.model({ fetch }), messages, retry: false }).invoke('Sum it up.')
    expect(bodies[0]!.text).toContain('seen')
    // One of them refuses calls without a list of tools.
    expect(bodies[0]!.json['toolConfig'] !== undefined).toBe(wire.name === 'Converse')
  })

  it('what the model is shown is what its calls are held to (BUG-59)', async () => {
    const inputs: unknown[] = []
    const reading = tool({
      name: 'read',
      description: 'Reads.',
      inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      execute: (input) => void inputs.push(input),
    })
    const { fetch, bodies } = playing(wire, wire.answer('', { name: 'read', input: '{}' }), wire.answer('done'))
    expect((await new Agent({ model: wire.model({ fetch }), tools: [reading], retry: false }).invoke('go')).text).toBe('done')
    expect(bodies[0]!.text).toContain('"properties":{"path":{"type":"string"}},"required":["path"]')
    expect(inputs).toEqual([])
    expect(said(bodies[1]!.json)).toMatch(/path/)
  })

  it('a union in a schema gets no type of its own, and takes what it allows', async () => {
    const inputs: unknown[] = []
    const union = { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] }
    const made = tool({
      name: 'look',
      description: 'Notes.',
      inputSchema: { type: 'object', properties: { of: union }, required: ['of'] },
      execute: (input) => void inputs.push(input),
    })
    const { fetch, bodies } = playing(
      wire,
      wire.answer('', { name: 'look', input: '{"of":["a","b"]}' }, { name: 'look', input: '{"of":null}' }),
      wire.answer('done'),
    )
    await new Agent({ model: wire.model({ fetch }), tools: [made], retry: false }).invoke('go')
    expect(bodies[0]!.text).toContain(`"of":${JSON.stringify(union)}`)
    expect(inputs).toEqual([{ of: ['a', 'b'] }, { of: null }])
  })

  it('a run that is cancelled between a call and its tool leaves a history that can be sent', async () => {
    const { made, inputs } = noting()
    const { fetch, bodies } = playing(
      wire,
      wire.answer('', { name: 'look', input: '{}' }, { name: 'look', input: '{}' }),
      wire.answer('done'),
    )
    const agent = new Agent({ model: wire.model({ fetch }), tools: [made], retry: false })
    const off = agent.on('beforeTools', () => agent.cancel())
    expect((await agent.invoke('go')).stopReason).toBe('cancelled')
    off()
    expect((await agent.invoke('on')).text).toBe('done')
    expect([inputs, bodies.length, callsIn(wire, bodies[1]!.json), resultsIn(wire, bodies[1]!.json)]).toEqual([[], 2, 2, 2])
  })

  it('a call that waited for approval, and for another process, goes out with its name and input', async () => {
    const inputs: unknown[] = []
    const approved = tool({
      name: 'look',
      description: 'Notes.',
      inputSchema: { type: 'object' },
      needsApproval: true,
      execute: (input) => void inputs.push(input),
    })
    const { fetch, bodies } = playing(wire, wire.answer('', { name: 'look', input: '{"at":7}' }), wire.answer('done'))
    const make = (): Agent => new Agent({ model: wire.model({ fetch }), tools: [approved], retry: false })
    const { checkpoint, interrupts } = await make().invoke('go')
    const state = JSON.parse(JSON.stringify({ type: 'resume', checkpoint, responses: [answer(interrupts[0]!, true)] })) as never
    expect((await make().invoke(state)).text).toBe('done')
    expect(inputs).toEqual([{ at: 7 }])
    const sent = said(bodies[1]!.json)
    expect([callsIn(wire, bodies[1]!.json), resultsIn(wire, bodies[1]!.json)]).toEqual([1, 1])
    expect(sent).toContain('"name":"look"')
    expect(sent).toMatch(/\\?"at\\?":7/)
  })

  it('parts of two answers are never one, though the wire counts them from the beginning each time', async () => {
    const { made } = noting()
    const { fetch } = playing(wire, wire.answer('one', { name: 'look', input: '{}' }), wire.answer('two'))
    const { events } = await collect(new Agent({ model: wire.model({ fetch }), tools: [made], retry: false }).stream('go'))
    const texts = new Map<string, string>()
    for (const event of events) if (event.type === 'text_delta') texts.set(event.blockId, (texts.get(event.blockId) ?? '') + event.text)
    expect([...texts.values()]).toEqual(['one', 'two'])
    expect(checkEvents(events)).toEqual([])
  })
})
