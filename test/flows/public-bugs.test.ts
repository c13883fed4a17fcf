// Bugs that users of other agents reported in public. Each trigger, played to Lena as the wire or the model would play it.
import { describe, expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { MaxTokensError, ThrottledError } from '../../src/errors.ts'
import { check } from '../../src/messages/check.ts'
import { toolUsesOf } from '../../src/messages/message.ts'
import { anthropic } from '../../src/providers/anthropic/index.ts'
import { google } from '../../src/providers/google/index.ts'
import { openai } from '../../src/providers/openai/index.ts'
import { tool } from '../../src/tools/tool.ts'
import type { JsonObject } from '../../src/util/json.ts'
import { collect } from '../../src/testing/collect.ts'
import { makeAgent } from '../support/make-agent.ts'

/** A `fetch` that plays these events, one list a request, and notes the bodies that it was sent. */
function plays(...answers: (readonly object[])[]): { readonly fetch: typeof fetch; readonly bodies: JsonObject[] } {
  const bodies: JsonObject[] = []
  const play: typeof fetch = async (_url, init) => {
    bodies.push(JSON.parse(new TextDecoder().decode(init!.body as Uint8Array)) as JsonObject)
    const events = answers[bodies.length - 1] ?? []
    return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
  return { fetch: play, bodies }
}

/** A tool that notes its inputs. */
function noting(name: string): { readonly tool: ReturnType<typeof tool>; readonly inputs: unknown[] } {
  const inputs: unknown[] = []
  const made = tool({ name, description: 'Notes.', inputSchema: { type: 'object' }, execute: (input) => void inputs.push(input) })
  return { tool: made, inputs }
}

const delta = (value: object, finish: string | null = null): object => ({ choices: [{ index: 0, delta: value, finish_reason: finish }] })
const call = (fields: object): object => delta({ tool_calls: [fields] })
const said = (text: string): object[] => [delta({ content: text }), delta({}, 'stop')]

async function chat(
  first: readonly object[],
  name = 'look',
): Promise<{ readonly inputs: unknown[]; readonly agent: Agent; readonly bodies: JsonObject[] }> {
  const { fetch, bodies } = plays(first, said('done'))
  const { tool: made, inputs } = noting(name)
  const agent = new Agent({ model: openai('m', { api: 'chat', apiKey: 'k', fetch }), tools: [made], retry: false })
  expect((await agent.invoke('go')).text).toBe('done')
  expect(check(agent.messages)).toEqual([])
  return { inputs, agent, bodies }
}

describe('a chat stream', () => {
  it('with empty pieces behind a complete input has one call, run once (BUG-01)', async () => {
    const { inputs } = await chat([
      call({ index: 0, id: 'a', function: { name: 'look', arguments: '{"query":"x"}' } }),
      call({ index: 0, function: { arguments: '' } }),
      call({ index: 0, function: { arguments: ' ' } }),
      delta({}, 'tool_calls'),
    ])
    expect(inputs).toEqual([{ query: 'x' }])
  })

  it('with a second call at the index of the first keeps them apart (BUG-05)', async () => {
    const { inputs } = await chat([
      call({ index: 0, id: 'a', function: { name: 'look', arguments: '{"n":1}' } }),
      call({ index: 0, id: 'b', function: { name: 'look', arguments: '{"n":' } }),
      call({ index: 1, function: { arguments: '2}' } }),
      delta({}, 'tool_calls'),
    ])
    expect(inputs).toEqual([{ n: 1 }, { n: 2 }])
  })

  it('without ids, or without indexes, has two calls with ids of their own (BUG-07)', async () => {
    const heads = [
      [{ index: 0 }, { index: 1 }],
      [{ id: 'a' }, { id: 'b' }],
    ]
    for (const [first, second] of heads) {
      const { inputs, bodies } = await chat([
        call({ ...first, function: { name: 'look', arguments: '{"n":1}' } }),
        call({ ...second, function: { name: 'look', arguments: '{"n":2}' } }),
        delta({}, 'tool_calls'),
      ])
      expect(inputs).toEqual([{ n: 1 }, { n: 2 }])
      const sent = bodies[1]!['messages'] as readonly {
        readonly tool_calls?: readonly { readonly id: string }[]
        readonly tool_call_id?: string
      }[]
      const ids = sent.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id))
      expect(new Set(ids).size).toBe(2)
      expect(sent.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(ids)
    }
  })

  it('with text, a call and more text loses none of it (BUG-12)', async () => {
    const { agent, inputs } = await chat([
      delta({ content: 'A' }),
      call({ index: 0, id: 'a', function: { name: 'look', arguments: '{}' } }),
      delta({ content: 'B' }),
      delta({}, 'tool_calls'),
    ])
    expect(inputs).toEqual([{}])
    expect(agent.messages[1]!.content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('')).toBe('AB')
  })

  it('that ends a complete call with "stop" runs it (BUG-21)', async () => {
    const { inputs } = await chat([call({ index: 0, id: 'a', function: { name: 'look', arguments: '{"n":1}' } }), delta({}, 'stop')])
    expect(inputs).toEqual([{ n: 1 }])
  })
})

it('a Responses stream without deltas has the input of the done event (BUG-09)', async () => {
  const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look' }
  const answer = { id: 'resp_1', status: 'completed', output: [], usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } }
  const { fetch } = plays(
    [
      { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
      { type: 'response.function_call_arguments.done', output_index: 0, item_id: 'fc_1', arguments: '{"command":"ls"}' },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: '{}' } },
      { type: 'response.completed', response: answer },
    ],
    [
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'msg_1', delta: 'done' },
      { type: 'response.completed', response: answer },
    ],
  )
  const { tool: made, inputs } = noting('look')
  const agent = new Agent({ model: openai('m', { apiKey: 'k', fetch }), tools: [made], retry: false })
  expect((await agent.invoke('go')).text).toBe('done')
  expect(inputs).toEqual([{ command: 'ls' }])
})

it('a signature on the empty last part goes back on its part (BUG-15)', async () => {
  const part = (value: object, finish?: string): object => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [value] }, ...(finish && { finishReason: finish }) }],
  })
  const { fetch, bodies } = plays(
    [part({ text: 'Hello' }), part({ text: '', thoughtSignature: 'S' }, 'STOP')],
    [part({ text: 'Again' }, 'STOP')],
  )
  const agent = new Agent({ model: google('gemini-3-pro', { apiKey: 'k', fetch }), retry: false })
  await agent.invoke('one')
  await agent.invoke('two')
  const parts = (bodies[1]!['contents'] as readonly { readonly parts: readonly JsonObject[] }[])[1]!.parts
  expect(parts.filter((sent) => sent['thoughtSignature'] !== undefined)).toEqual([{ text: '', thoughtSignature: 'S' }])
  expect(parts.map((sent) => sent['text']).join('')).toBe('Hello')
})

describe('a call that the token limit cut', () => {
  const cut = { calls: [{ name: 'look', input: '{"title":"Intro","bo' }], stopReason: 'max_tokens' } as const

  it('is a typed error, and is not run (BUG-17)', async () => {
    const { tool: made, inputs } = noting('look')
    const { agent } = makeAgent([cut], { tools: [made] })
    await expect(agent.invoke('go')).rejects.toBeInstanceOf(MaxTokensError)
    expect([inputs, check(agent.messages)]).toEqual([[], []])
  })

  it('does not come again and again (BUG-19)', async () => {
    const { agent, model } = makeAgent(
      Array.from({ length: 10 }, () => cut),
      { tools: [noting('look').tool] },
    )
    await expect(agent.invoke('go')).rejects.toBeInstanceOf(MaxTokensError)
    expect(model.requests.length).toBe(1)
  })
})

it('Retry-After is obeyed each time (BUG-23)', async () => {
  const slow = { error: new ThrottledError('slow', { retryAfterMs: 3000 }) }
  const { agent, clock } = makeAgent([slow, slow, { text: 'yes' }], { retry: {} })
  const collecting = collect(agent.stream('go'))
  await clock.advance(2999)
  expect(clock.sleeping).toBe(1)
  await clock.advance(3001)
  const { events, result } = await collecting
  expect(events.flatMap((event) => (event.type === 'retry' ? event.delayMs : []))).toEqual([3000, 3000])
  expect(result?.text).toBe('yes')
})

it('a run with a signal that has fired ends at once, and sends nothing (BUG-24)', async () => {
  const { agent, model } = makeAgent([{ text: 'never' }])
  const { result } = await collect(agent.stream('go', { signal: AbortSignal.abort() }))
  expect([result?.stopReason, model.requests.length]).toEqual(['cancelled', 0])
})

it('an abort in a tool is no error of the tool, and no model is asked again (BUG-26)', async () => {
  const stop = new AbortController()
  const obeying = tool({
    name: 'look',
    description: 'Looks.',
    inputSchema: { type: 'object' },
    execute: (_input, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        stop.abort()
      }),
  })
  const { agent, model } = makeAgent([{ calls: [{ name: 'look', input: {} }] }], { tools: [obeying] })
  expect((await agent.invoke('go', { signal: stop.signal })).stopReason).toBe('cancelled')
  expect(model.requests.length).toBe(1)
  // The session goes on: every call has its result (BUG-38).
  expect(agent.messages[2]!.content).toMatchObject([{ type: 'tool_result', status: 'error', code: 'cancelled' }])
  expect(check(agent.messages)).toEqual([])
})

it('a model that throws before it streams ends the stream with an error (BUG-28)', async () => {
  const broken = {
    provider: 'p',
    id: 'm',
    stream(): never {
      throw new Error('no key')
    },
  }
  const { events, error } = await collect(new Agent({ model: broken, retry: false }).stream('go'))
  expect([error?.message, events.at(-1)?.type]).toEqual(['The model failed: no key', 'invocation_error'])
})

it('one of two calls that throws leaves the other its result (BUG-29)', async () => {
  const failing = tool({
    name: 'fail',
    description: 'Fails.',
    inputSchema: { type: 'object' },
    isConcurrencySafe: true,
    execute: async () => Promise.reject(new Error('no')),
  })
  const slow = tool({
    name: 'slow',
    description: 'Takes a moment.',
    inputSchema: { type: 'object' },
    isConcurrencySafe: true,
    execute: async () => new Promise((resolve) => void setImmediate(() => resolve('yes'))),
  })
  const { agent } = makeAgent(
    [
      {
        calls: [
          { name: 'fail', input: {} },
          { name: 'slow', input: {} },
        ],
      },
      { text: 'done' },
    ],
    { tools: [failing, slow] },
  )
  await agent.invoke('go')
  expect(agent.messages[2]!.content).toMatchObject([
    { status: 'error', content: [{ text: 'Error: no' }] },
    { status: 'success', content: [{ text: 'yes' }] },
  ])
})

it('the results of two calls are one message, in call order, before any text (BUG-31)', async () => {
  const block = (index: number, id: string): object[] => [
    { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name: 'look', input: {} } },
    { type: 'content_block_stop', index },
  ]
  const start = {
    type: 'message_start',
    message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  }
  const end = (reason: string): object[] => [
    { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ]
  const text = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'done' } },
    { type: 'content_block_stop', index: 0 },
  ]
  const { fetch, bodies } = plays(
    [start, ...block(0, 'toolu_a'), ...block(1, 'toolu_b'), ...end('tool_use')],
    [start, ...text, ...end('end_turn')],
  )
  const agent = new Agent({ model: anthropic('claude-sonnet-4-5', { apiKey: 'k', fetch }), tools: [noting('look').tool], retry: false })
  await agent.invoke('go')
  const sent = bodies[1]!['messages'] as readonly { readonly role: string; readonly content: readonly JsonObject[] }[]
  expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(sent[2]!.content.map((part) => part['tool_use_id'])).toEqual(['toolu_a', 'toolu_b'])
})

it('an unknown call beside a good one costs the run nothing (BUG-33)', async () => {
  const both = {
    calls: [
      { name: 'nothing', input: {} },
      { name: 'look', input: {} },
    ],
  }
  const { tool: made, inputs } = noting('look')
  const { agent } = makeAgent([both, both, { text: 'done' }], { tools: [made] })
  expect((await agent.invoke('go')).text).toBe('done')
  expect(inputs.length).toBe(2)
  expect(toolUsesOf(agent.messages[1]).length).toBe(2)
})
