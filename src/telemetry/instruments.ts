import type { Attributes as ApiAttributes, Counter, Histogram, Meter } from '@opentelemetry/api'
import type { Conventions } from './conventions.ts'
import { buckets, cacheWriteTokens, names } from './conventions.ts'
import type { Attributes, Operation } from './span.ts'

/** How many tokens there were, and what they were for. */
type Tokens = (attributes: Attributes, dimensions: ApiAttributes) => void

/** What is measured of each operation, by the conventions. */
export class Instruments {
  readonly #model: Histogram
  readonly #firstChunk: Histogram
  readonly #agent: Histogram
  readonly #tool: Histogram
  readonly #tokens: Tokens

  constructor(meter: Meter, conventions: Conventions) {
    const seconds = (name: string, description: string, bounds: readonly number[]): Histogram =>
      meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: [...bounds] } })
    const isNew = conventions === 'genai_0_1'
    const model = isNew ? 'gen_ai.client.inference' : 'gen_ai.client.operation'
    this.#model = seconds(`${model}.duration`, 'Duration of a call of a model.', buckets.seconds)
    this.#firstChunk = seconds(`${model}.time_to_first_chunk`, 'Time to the first chunk of an answer.', buckets.firstChunk)
    // The core conventions have no names for these, so both have those of the newer ones.
    this.#agent = seconds('gen_ai.invoke_agent.duration', 'Duration of an invocation of an agent.', buckets.agentSeconds)
    this.#tool = seconds('gen_ai.execute_tool.duration', 'Duration of a call of a tool.', buckets.seconds)
    this.#tokens = isNew ? countedTokens(meter) : tokenHistogram(meter)
  }

  record(operation: Operation, attributes: Attributes, seconds: number): void {
    if (operation === 'chat') return this.#recordModel(attributes, seconds)
    if (operation === 'execute_tool')
      return this.#tool.record(seconds, pick(attributes, [names.toolName, names.toolType, names.agentName, names.errorType]))
    this.#agent.record(seconds, pick(attributes, [names.agentName, names.requestModel, names.errorType]))
  }

  #recordModel(attributes: Attributes, seconds: number): void {
    const dimensions = pick(attributes, [names.operation, names.provider, names.requestModel, names.responseModel])
    this.#model.record(seconds, { ...dimensions, ...pick(attributes, [names.errorType]) })
    const firstChunk = attributes[names.timeToFirstChunk]
    if (typeof firstChunk === 'number') this.#firstChunk.record(firstChunk, dimensions)
    this.#tokens(attributes, dimensions)
  }
}

function tokenHistogram(meter: Meter): Tokens {
  const usage = meter.createHistogram('gen_ai.client.token.usage', {
    description: 'Number of input and output tokens used.',
    unit: '{token}',
    advice: { explicitBucketBoundaries: [...buckets.tokens] },
  })
  return (attributes, dimensions) => {
    for (const [type, name] of [
      ['input', names.inputTokens],
      ['output', names.outputTokens],
    ] as const) {
      const tokens = attributes[name]
      if (typeof tokens === 'number') usage.record(tokens, { ...dimensions, [names.tokenType]: type })
    }
  }
}

function countedTokens(meter: Meter): Tokens {
  const counter = (name: string): Counter => meter.createCounter(`gen_ai.client.inference.usage.${name}`, { unit: '{token}' })
  const counters: readonly (readonly [Counter, string])[] = [
    [counter('input_tokens'), names.inputTokens],
    [counter('output_tokens'), names.outputTokens],
    [counter('cache_read.input_tokens'), names.cacheReadTokens],
    [counter('cache_write.input_tokens'), cacheWriteTokens.genai_0_1],
    [counter('reasoning.output_tokens'), names.reasoningTokens],
  ]
  return (attributes, dimensions) => {
    for (const [tokens, name] of counters) {
      const count = attributes[name]
      // Providers tell what tokens were for, but not of which kind they were.
      if (typeof count === 'number') tokens.add(count, { ...dimensions, [names.tokenModality]: 'unknown' })
    }
  }
}

function pick(attributes: Attributes, wanted: readonly string[]): ApiAttributes {
  const picked: ApiAttributes = {}
  for (const name of wanted) if (typeof attributes[name] === 'string') picked[name] = attributes[name]
  return picked
}
