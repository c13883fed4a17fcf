import type { MetricData } from '@opentelemetry/sdk-metrics'
import { expect, it } from 'vitest'
import { AuthenticationError } from '../../src/errors.ts'
import type { Conventions } from '../../src/telemetry/index.ts'
import { made, observed } from './support/scripts.ts'

const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'scripted', 'gen_ai.request.model': 'scripted' }
const tool = { 'gen_ai.tool.name': 'work', 'gen_ai.tool.type': 'function', 'gen_ai.agent.name': 'agent' }
const agentOf = { 'gen_ai.agent.name': 'agent', 'gen_ai.request.model': 'scripted' }
const failed = { 'error.type': 'authentication' }

/** Of each instrument: its unit, how many bounds it has, and of each point the attributes with how many there were, or for tokens their sum. */
function shown(metrics: readonly MetricData[]): unknown {
  return Object.fromEntries(
    metrics.map(({ descriptor: { name, unit }, dataPoints }) => {
      const buckets = dataPoints.map(({ value }) => boundsOf(value))[0]
      return [name, { unit, buckets, points: dataPoints.map(({ attributes, value }) => [attributes, countOf(value, unit)]) }]
    }),
  )
}

type Value = MetricData['dataPoints'][number]['value']

const boundsOf = (value: Value): number | undefined =>
  typeof value === 'object' && 'buckets' in value && 'boundaries' in value.buckets ? value.buckets.boundaries.length : undefined

const countOf = (value: Value, unit: string): number | undefined =>
  typeof value === 'number' ? value : unit === 's' ? value.count : value.sum

async function measure(conventions: Conventions): Promise<unknown> {
  const usage = { inputTokens: 10, outputTokens: 3, cacheReadTokens: 4, cacheWriteTokens: 1, reasoningTokens: 2 }
  const { agent, measured } = observed(
    [
      { calls: [1, 2].map(() => ({ name: 'work', input: {} })), usage },
      { text: 'Done.', usage },
      { error: new AuthenticationError('No.', { provider: 'scripted' }) },
    ],
    { tools: [made('work', () => 'ok')] },
    { conventions },
  )
  await agent.invoke('Go.')
  await agent.invoke('Again.').catch(() => {})
  return shown(await measured())
}

const common = {
  'gen_ai.invoke_agent.duration': {
    unit: 's',
    buckets: 13,
    points: [
      [agentOf, 1],
      [{ ...agentOf, ...failed }, 1],
    ],
  },
  'gen_ai.execute_tool.duration': { unit: 's', buckets: 14, points: [[tool, 2]] },
}
const durations = [
  [chat, 2],
  [{ ...chat, ...failed }, 1],
]

it('measures by the core conventions', async () => {
  expect(await measure('core_1_45')).toEqual({
    'gen_ai.client.operation.duration': { unit: 's', buckets: 14, points: durations },
    'gen_ai.client.operation.time_to_first_chunk': { unit: 's', buckets: 16, points: [[chat, 2]] },
    'gen_ai.client.token.usage': {
      unit: '{token}',
      buckets: 14,
      points: [
        [{ ...chat, 'gen_ai.token.type': 'input' }, 20],
        [{ ...chat, 'gen_ai.token.type': 'output' }, 6],
      ],
    },
    ...common,
  })
})

it('measures by the newer conventions', async () => {
  const tokens = (count: number) => ({
    unit: '{token}',
    buckets: undefined,
    points: [[{ ...chat, 'gen_ai.token.modality': 'unknown' }, count]],
  })
  expect(await measure('genai_0_1')).toEqual({
    'gen_ai.client.inference.duration': { unit: 's', buckets: 14, points: durations },
    'gen_ai.client.inference.time_to_first_chunk': { unit: 's', buckets: 16, points: [[chat, 2]] },
    'gen_ai.client.inference.usage.input_tokens': tokens(20),
    'gen_ai.client.inference.usage.output_tokens': tokens(6),
    'gen_ai.client.inference.usage.cache_read.input_tokens': tokens(8),
    'gen_ai.client.inference.usage.cache_write.input_tokens': tokens(2),
    'gen_ai.client.inference.usage.reasoning.output_tokens': tokens(4),
    ...common,
  })
})

it('measures where no spans are taken', async () => {
  const { agent, measured, tree } = observed([{ text: 'Done.' }], {}, { tracerProvider: undefined })
  await agent.invoke('Go.')
  expect((await measured()).map(({ descriptor }) => descriptor.name)).toEqual([
    'gen_ai.client.operation.duration',
    'gen_ai.client.operation.time_to_first_chunk',
    'gen_ai.invoke_agent.duration',
    'gen_ai.client.token.usage',
  ])
  expect(tree()).toEqual([])
})
