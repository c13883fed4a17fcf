import { trace } from '@opentelemetry/api'
import { afterEach, expect, it } from 'vitest'
import { InvalidRequestError, ThrottledError } from '../../src/errors.ts'
import { telemetry } from '../../src/telemetry/index.ts'
import type { LogRecord, TelemetryOptions } from '../../src/telemetry/index.ts'
import { makeAgent } from '../support/make-agent.ts'
import { answering, calling, made, observed } from './support/scripts.ts'
import { inMemoryLogs, useContext } from './support/telemetered.ts'

useContext()

const variable = 'OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN'
afterEach(() => {
  delete process.env[variable]
})

/** As a server that says what it could not read. */
const quoting = { error: new InvalidRequestError("Bad message: input_value='My secret'", { provider: 'scripted' }) }
const words = "Bad message: input_value='My secret'"

async function failed(options: TelemetryOptions) {
  const seen = observed([quoting], {}, options)
  await seen.agent.invoke('My secret').catch(() => {})
  return seen.spans().map(({ name, status, events, attributes }) => ({
    name,
    type: attributes['error.type'],
    words: status.message,
    exceptions: events.map((event) => [event.name, event.attributes?.['exception.message']]),
  }))
}
const spans = (words: string | undefined, exceptions: readonly (readonly unknown[])[]): unknown =>
  ['chat scripted', 'invoke_agent agent'].map((name) => ({ name, type: 'invalid_request', words, exceptions }))
const plain = ({ eventName, severityNumber, attributes }: LogRecord): unknown => [eventName, severityNumber, attributes]
const record = (more: object): unknown => [
  'gen_ai.client.operation.exception',
  13,
  { logger: 'lena-agent', 'exception.type': 'invalid_request', ...more },
]

it('keeps what a failure says to itself: it may quote what was said', async () => {
  expect(await failed({})).toEqual(spans(undefined, []))
})

it('keeps it with the contents, through their filter', async () => {
  expect(await failed({ content: true })).toEqual(spans(words, [['exception', words]]))
  const asked: string[] = []
  const filter = (name: string, content: unknown): unknown => {
    asked.push(name)
    return name === 'exception.message' ? String(content).slice(0, 11) : undefined
  }
  expect(await failed({ content: filter })).toEqual(spans('Bad message', [['exception', 'Bad message']]))
  expect(new Set(asked)).toEqual(new Set(['gen_ai.input.messages', 'exception.message']))
  const none = made('work', () => {
    throw new RangeError('My secret')
  })
  const seen = observed([calling('work'), answering()], { tools: [none] }, { content: () => undefined })
  await seen.agent.invoke('Go.')
  expect(seen.spans().find(({ name }) => name === 'execute_tool work')).toMatchObject({ status: { code: 2 }, events: [] })
  expect(JSON.stringify(seen.spans().map(({ status, events, attributes }) => [status, events, attributes]))).not.toContain('secret')
})

it('tells of a call of a model that failed with a record of a log, in its span', async () => {
  const { records, loggerProvider } = inMemoryLogs()
  expect(await failed({ loggerProvider })).toEqual(spans(undefined, []))
  expect(records.map(plain)).toEqual([record({})])
  const seen = observed([{ error: new ThrottledError('Slow down.') }, answering()], { retry: { baseMs: 0 } }, { loggerProvider })
  await seen.agent.invoke('Go.')
  const [, again] = records
  expect([records.length, again?.attributes?.['exception.type']]).toEqual([2, 'throttled'])
  expect(trace.getSpanContext(again!.context!)?.spanId).toBe(
    seen
      .spans()
      .find(({ name }) => name === 'chat scripted')
      ?.spanContext().spanId,
  )
})

it.each([
  [undefined, [], 1],
  ['logs', [], 1],
  ['logs/dup', [['exception', words]], 1],
] as const)('has the words in the log, and in the span as the variable says (%s)', async (value, onChat, count) => {
  if (value !== undefined) process.env[variable] = value
  const { records, loggerProvider } = inMemoryLogs()
  const [chat, run] = await failed({ content: true, loggerProvider })
  expect([chat?.words, chat?.exceptions]).toEqual([words, onChat])
  // For what fails with it the conventions have no record.
  expect([run?.words, run?.exceptions]).toEqual([words, value === 'logs' ? [] : [['exception', words]]])
  expect([records.length, records.map(plain)]).toEqual([count, [record({ 'exception.message': words })]])
})

it('has them nowhere else where the log is not to have them, and nobody takes records', async () => {
  process.env[variable] = 'logs'
  expect(await failed({ content: true })).toEqual(spans(words, []))
})

it('tells records where no spans are taken, and none of what was cancelled', async () => {
  const { records, loggerProvider } = inMemoryLogs()
  const { agent } = makeAgent([quoting], { plugins: [telemetry({ loggerProvider })] })
  await agent.invoke('Go.').catch(() => {})
  expect(records.map(plain)).toEqual([record({})])
  const other = observed([{ text: 'One two.', hang: true, after: 4 }], {}, { loggerProvider })
  await other.agent.invoke('Go.', { onEvent: ({ type }) => void (type === 'text_delta' && other.agent.cancel('Enough.')) })
  expect([records.length, other.spans()[0]?.attributes['error.type']]).toEqual([1, 'cancelled'])
})

it('ends its span when the log fails', async () => {
  const broken = () => {
    throw new Error('The disk is full.')
  }
  const seen = observed([quoting], {}, { loggerProvider: { getLogger: () => ({ emit: broken }) } })
  await expect(seen.agent.invoke('Go.')).rejects.toThrow('Bad message')
  expect(seen.spans().map(({ name }) => name)).toEqual(['chat scripted', 'invoke_agent agent'])
})
