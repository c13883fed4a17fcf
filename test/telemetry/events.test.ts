import { trace } from '@opentelemetry/api'
import { AlwaysOffSampler, BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { afterEach, expect, it } from 'vitest'
import { AuthenticationError } from '../../src/errors.ts'
import { telemetry } from '../../src/telemetry/index.ts'
import type { LoggerProvider, LogRecord, TelemetryOptions } from '../../src/telemetry/index.ts'
import { makeAgent } from '../support/make-agent.ts'
import { calling, made, observed } from './support/scripts.ts'
import { inMemoryLogs, useContext } from './support/telemetered.ts'

useContext()

const variable = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'
/** Where every copy of the logs API finds the provider that is registered. */
const slot = Symbol.for('io.opentelemetry.js.api.logs')
afterEach(() => {
  delete process.env[variable]
  Reflect.deleteProperty(globalThis, slot)
})

const add = made('add', ({ a, b }) => ({ sum: a + b }))

async function run(options: TelemetryOptions) {
  const seen = observed(
    [calling('add', { a: 1, b: 2 }), { text: 'It is 3.', usage: { inputTokens: 3, outputTokens: 1 } }],
    { tools: [add], instructions: 'Count.' },
    options,
  )
  await seen.agent.invoke('What is 1 + 2?')
  return seen
}

const withoutTime = ({ eventName, severityNumber, timestamp, attributes }: LogRecord): unknown => {
  const { 'gen_ai.response.time_to_first_chunk': firstChunk, ...rest } = attributes ?? {}
  return { eventName, severityNumber, at: typeof timestamp, firstChunk: typeof firstChunk, attributes: rest }
}

const user = { role: 'user', parts: [{ type: 'text', content: 'What is 1 + 2?' }] }
const call = { type: 'tool_call', id: 'call_1', name: 'add', arguments: { a: 1, b: 2 } }
const result = { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: '{"sum":3}' }] }
const answer = { role: 'assistant', parts: [{ type: 'text', content: 'It is 3.' }], finish_reason: 'stop' }
const details = (turn: number, more: object): unknown => ({
  eventName: 'gen_ai.client.inference.operation.details',
  severityNumber: 5,
  at: 'number',
  firstChunk: 'number',
  attributes: {
    logger: 'lena-agent',
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'scripted',
    'gen_ai.request.model': 'scripted',
    'gen_ai.conversation.id': 'conv_1',
    'gen_ai.request.stream': true,
    'gen_ai.system_instructions': [{ type: 'text', content: 'Count.' }],
    'gen_ai.tool.definitions': [
      { type: 'function', name: 'add', description: 'Works.', parameters: expect.objectContaining({ type: 'object' }) },
    ],
    'lena.turn': turn,
    'lena.attempt': 1,
    ...more,
  },
})
const both = [
  details(1, {
    'gen_ai.input.messages': [user],
    'gen_ai.output.messages': [{ role: 'assistant', parts: [call], finish_reason: 'tool_call' }],
    'gen_ai.response.finish_reasons': ['tool_use'],
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 2,
  }),
  details(2, {
    'gen_ai.input.messages': [user, { role: 'assistant', parts: [call] }, result],
    'gen_ai.output.messages': [answer],
    'gen_ai.response.finish_reasons': ['end_turn'],
    'gen_ai.usage.input_tokens': 3,
    'gen_ai.usage.output_tokens': 1,
  }),
]

const contentsOnSpans = (seen: Awaited<ReturnType<typeof run>>): readonly string[] => [
  ...new Set(
    seen
      .spans()
      .flatMap(({ attributes }) =>
        Object.keys(attributes).filter((name) => /messages|instructions|definitions|call\.(arguments|result)/.test(name)),
      ),
  ),
]
const allContents = [
  'gen_ai.system_instructions',
  'gen_ai.input.messages',
  'gen_ai.tool.definitions',
  'gen_ai.output.messages',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
]

it('tells of each call of a model with a record of a log, in structures, and keeps the spans without contents', async () => {
  const { records, loggerProvider } = inMemoryLogs()
  const seen = await run({ content: true, contentPlace: 'events', loggerProvider })
  expect(records.map(withoutTime)).toEqual(both)
  expect(contentsOnSpans(seen)).toEqual([])
  expect(seen.spans().flatMap(({ events }) => events)).toEqual([])
  // Each stands in the span of its call.
  const chats = seen.spans().filter(({ name }) => name === 'chat scripted')
  expect(records.map((record) => trace.getSpanContext(record.context!)?.spanId)).toEqual(chats.map((span) => span.spanContext().spanId))
})

it('keeps both', async () => {
  const { records, loggerProvider } = inMemoryLogs()
  const seen = await run({ content: true, contentPlace: 'both', loggerProvider })
  expect(records.map(withoutTime)).toEqual(both)
  expect(contentsOnSpans(seen)).toEqual(allContents)
})

it.each([
  ['no content is asked for', { contentPlace: 'both' }],
  ['they are not asked for', { content: true }],
] as const)('tells no event where %s', async (_, options) => {
  const { records, loggerProvider } = inMemoryLogs()
  const seen = await run({ ...options, loggerProvider })
  expect(records).toEqual([])
  expect(seen.spans().flatMap(({ events }) => events)).toEqual([])
})

it.each([
  ['EVENT_ONLY', 2, []],
  ['span_and_event', 2, allContents],
  ['SPAN_ONLY', 0, allContents],
  ['true', 0, allContents],
  ['NO_CONTENT', 0, []],
])('goes by the variable of OpenTelemetry (%s)', async (value, events, onSpans) => {
  process.env[variable] = value
  const { records, loggerProvider } = inMemoryLogs()
  const seen = await run({ loggerProvider })
  expect([records.length, contentsOnSpans(seen)]).toEqual([events, onSpans])
})

it('uses the provider that is registered, and waits for it at the end where it is asked to', async () => {
  const { records, loggerProvider, flushes } = inMemoryLogs()
  Object.assign(globalThis, { [slot]: (version: number) => (version === 1 ? loggerProvider : undefined) })
  await run({ content: true, contentPlace: 'events', flushMs: 1000 })
  expect([records.map(withoutTime), flushes()]).toEqual([both, 1])
})

it('makes them events of the spans where nobody takes records of a log: as JSON, since a span has no structures', async () => {
  const off: LoggerProvider = { getLogger: () => ({ emit: () => expect.fail('It is off.'), enabled: () => false }) }
  const seen = await run({ content: true, contentPlace: 'events', loggerProvider: off })
  const [first, second] = seen.spans().filter(({ name }) => name === 'chat scripted')
  expect([first, second].map((span) => span!.events.map(({ name, attributes }) => [name, attributes!['gen_ai.input.messages']]))).toEqual([
    [['gen_ai.client.inference.operation.details', JSON.stringify([user])]],
    [['gen_ai.client.inference.operation.details', JSON.stringify([user, { role: 'assistant', parts: [call] }, result])]],
  ])
  expect(contentsOnSpans(seen)).toEqual([])
})

it('tells records of a log where no spans are taken, and where one is not kept', async () => {
  for (const tracerProvider of [undefined, new BasicTracerProvider({ sampler: new AlwaysOffSampler() })]) {
    const { records, loggerProvider } = inMemoryLogs()
    const { agent } = makeAgent([{ text: 'Done.' }], {
      plugins: [telemetry({ content: true, contentPlace: 'events', loggerProvider, ...(tracerProvider && { tracerProvider }) })],
    })
    await agent.invoke('Go.')
    expect(records.map(({ attributes }) => attributes?.['gen_ai.input.messages'])).toEqual([
      [{ role: 'user', parts: [{ type: 'text', content: 'Go.' }] }],
    ])
  }
})

it('tells of an attempt that failed', async () => {
  const { records, loggerProvider } = inMemoryLogs()
  const { agent } = observed(
    [{ error: new AuthenticationError('No.', { provider: 'scripted' }) }],
    {},
    {
      content: true,
      contentPlace: 'events',
      loggerProvider,
    },
  )
  await agent.invoke('Go.').catch(() => {})
  expect(
    records.map(({ eventName, attributes }) => [eventName, attributes?.['error.type'], attributes?.['gen_ai.output.messages']]),
  ).toEqual([
    ['gen_ai.client.inference.operation.details', 'authentication', undefined],
    ['gen_ai.client.operation.exception', undefined, undefined],
  ])
})

it('keeps to the filter and to the longest content, which is then a text', async () => {
  const { records, loggerProvider } = inMemoryLogs()
  await run({
    content: (name, value) => (name === 'gen_ai.tool.definitions' ? undefined : value),
    contentPlace: 'events',
    loggerProvider,
    maxContentChars: 20,
  })
  const [first] = records
  expect(first?.attributes).not.toHaveProperty(['gen_ai.tool.definitions'])
  expect(typeof first?.attributes?.['gen_ai.input.messages']).toBe('string')
})

it('is no worse when the log fails', async () => {
  const broken: LoggerProvider = {
    getLogger: () => ({
      emit: () => {
        throw new Error('The disk is full.')
      },
    }),
  }
  const seen = await run({ content: true, contentPlace: 'events', loggerProvider: broken })
  expect(seen.agent.messages.at(-1)?.content).toEqual([{ type: 'text', text: 'It is 3.' }])
  expect(seen.spans().map(({ name }) => name)).toEqual(['chat scripted', 'execute_tool add', 'chat scripted', 'invoke_agent agent'])
})
