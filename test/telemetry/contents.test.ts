import { afterEach, expect, it } from 'vitest'
import type { TelemetryOptions } from '../../src/telemetry/index.ts'
import { calling, made, observed } from './support/scripts.ts'

const variable = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'
afterEach(() => {
  delete process.env[variable]
})

const contentNames = [
  'gen_ai.system_instructions',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.tool.definitions',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
]

/** The contents of each span, parsed where they are JSON. */
async function contents(options: TelemetryOptions, prompt = 'What is 1 + 2?') {
  const add = made('add', ({ a, b }) => ({ sum: a + b }))
  const { agent, tree } = observed(
    [calling('add', { a: 1, b: 2 }), { text: 'It is 3.', reasoning: 'One and two.', usage: { inputTokens: 1, outputTokens: 1 } }],
    { tools: [add], instructions: 'Count.' },
    options,
  )
  await agent.invoke(prompt)
  const [run] = tree()
  return [run!, ...run!.children!].map(({ name, attributes }) => [
    name,
    Object.fromEntries(Object.entries(attributes).flatMap(([key, value]) => (contentNames.includes(key) ? [[key, parsed(value)]] : []))),
  ])
}

function parsed(value: unknown): unknown {
  try {
    return JSON.parse(String(value))
  } catch {
    return value
  }
}

const nothing = ['invoke_agent agent', 'chat scripted', 'execute_tool add', 'chat scripted'].map((name) => [name, {}])

it('keeps no contents unless it is asked to', async () => {
  expect(await contents({})).toEqual(nothing)
})

const user = { role: 'user', parts: [{ type: 'text', content: 'What is 1 + 2?' }] }
const call = { type: 'tool_call', id: 'call_1', name: 'add', arguments: { a: 1, b: 2 } }
const result = { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: '{"sum":3}' }] }
const answer = {
  role: 'assistant',
  parts: [
    { type: 'reasoning', content: 'One and two.' },
    { type: 'text', content: 'It is 3.' },
  ],
  finish_reason: 'stop',
}
const request = {
  'gen_ai.system_instructions': [{ type: 'text', content: 'Count.' }],
  'gen_ai.tool.definitions': [
    { type: 'function', name: 'add', description: 'Works.', parameters: expect.objectContaining({ type: 'object' }) },
  ],
}
const everything = [
  ['invoke_agent agent', { 'gen_ai.input.messages': [user], 'gen_ai.output.messages': [answer] }],
  [
    'chat scripted',
    {
      ...request,
      'gen_ai.input.messages': [user],
      'gen_ai.output.messages': [{ role: 'assistant', parts: [call], finish_reason: 'tool_call' }],
    },
  ],
  ['execute_tool add', { 'gen_ai.tool.call.arguments': { a: 1, b: 2 }, 'gen_ai.tool.call.result': { sum: 3 } }],
  [
    'chat scripted',
    {
      ...request,
      'gen_ai.input.messages': [user, { role: 'assistant', parts: [call] }, result],
      'gen_ai.output.messages': [answer],
    },
  ],
]

it('keeps them in the shapes of the conventions', async () => {
  expect(await contents({ content: true })).toEqual(everything)
})

it.each(['true', 'SPAN_ONLY', 'span_and_event'])(
  'keeps them when the environment asks for it (%s), unless the option says no',
  async (value) => {
    process.env[variable] = value
    expect(await contents({})).toEqual(everything)
    expect(await contents({ content: false })).toEqual(nothing)
  },
)

it.each(['false', 'NO_CONTENT', 'EVENT_ONLY', ''])('keeps none for the value %j', async (value) => {
  process.env[variable] = value
  expect(await contents({})).toEqual(nothing)
})

it('lets a function change what is kept, or leave it out', async () => {
  const kept = await contents({
    content: (name, value) => (name === 'gen_ai.tool.call.arguments' ? { ...(value as object), a: 'hidden' } : undefined),
  })
  expect(kept).toEqual(
    nothing.map(([name]) => [name, name === 'execute_tool add' ? { 'gen_ai.tool.call.arguments': { a: 'hidden', b: 2 } } : {}]),
  )
})

it('keeps nothing of what a function fails at, and the run goes on', async () => {
  const content = () => {
    throw new Error('The filter broke.')
  }
  expect(await contents({ content })).toEqual(nothing)
})

it('cuts what is too long, and of a history keeps the newest', async () => {
  const kept = Object.fromEntries(
    (await contents({ content: true, maxContentChars: 200 }, 'x'.repeat(300))) as [string, Record<string, any>][],
  )
  expect(kept['invoke_agent agent']!['gen_ai.input.messages']).toEqual([
    { role: 'user', parts: [{ type: 'text', content: `${'x'.repeat(100)}… [200 more characters]` }] },
  ])
  // Of the last call: its question does not fit beside what came behind it.
  expect(kept['chat scripted']!['gen_ai.input.messages']).toEqual([result])
})
