import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { describe, expect, it } from 'vitest'
import { telemetry, traceFile } from '../../src/telemetry/index.ts'
import { conventionsKnown, providerNameOf } from '../../src/telemetry/conventions.ts'
import { answering, calling, made, observed } from './support/scripts.ts'

describe('options', () => {
  it.each([
    [{ contents: true }, 'There is no option "contents" of telemetry(). Did you mean "content"?'],
    [{ content: 'yes' }, '`content` must be true, false or a function (name, content) => content, got string.'],
    [{ conventions: '1.36' }, '`conventions` must be core_1_45 or genai_0_1, got "1.36".'],
    [{ contentPlace: 'logs' }, '`contentPlace` must be attributes, events, both, got "logs".'],
    [{ flushMs: 0 }, '`flushMs` must be a positive number, got 0.'],
    [{ maxContentChars: NaN }, '`maxContentChars` must be a positive number, got NaN.'],
    ['all', 'telemetry() takes an object of options, got "all".'],
  ])('telemetry(%j) is refused', (options, message) => {
    expect(() => telemetry(options as never)).toThrow(message)
  })

  it.each([
    [{}, 'traceFile() needs the path of a file: traceFile({ path: "run.jsonl" }).'],
    [{ path: 'x', file: 'y' }, 'There is no option "file" of traceFile().'],
    [{ path: 'x', content: 1 }, '`content` must be true, false or a function (name, content) => content, got number.'],
    [{ path: 'x', maxBytes: -1 }, '`maxBytes` must be a positive number, got -1.'],
  ])('traceFile(%j) is refused', (options, message) => {
    expect(() => traceFile(options as never)).toThrow(message)
  })
})

describe('conventions', () => {
  it('are chosen by the variable of OpenTelemetry', async () => {
    process.env['OTEL_SEMCONV_STABILITY_OPT_IN'] = 'http, gen_ai_latest_experimental'
    try {
      const { agent, tree } = observed([{ text: 'Done.', usage: { inputTokens: 2, outputTokens: 1, cacheWriteTokens: 1 } }])
      await agent.invoke('Go.')
      const written = tree()[0]!.children!.map(({ attributes }) => Object.keys(attributes).filter((name) => name.includes('cache')))
      expect(written).toEqual([['gen_ai.usage.cache_write.input_tokens']])
    } finally {
      delete process.env['OTEL_SEMCONV_STABILITY_OPT_IN']
    }
    expect(conventionsKnown).toEqual(['core_1_45', 'genai_0_1'])
  })

  it('have names of their own for some providers', () => {
    const providers = [
      'anthropic',
      'openai',
      'google',
      'bedrock',
      'azure',
      'mistral',
      'xai',
      'deepseek',
      'ai-sdk.mistral.chat',
      'ollama',
      'toString',
    ]
    expect(providers.map(providerNameOf)).toEqual([
      'anthropic',
      'openai',
      'gcp.gemini',
      'aws.bedrock',
      'azure.ai.openai',
      'mistral_ai',
      'x_ai',
      'deepseek',
      'mistral_ai',
      'ollama',
      'toString',
    ])
  })
})

describe('the end of a run', () => {
  it('waits for the providers only when it is asked to, and not for ever', async () => {
    let flushed = 0
    const hanging = (provider: object): object =>
      Object.assign(provider, {
        forceFlush: () => {
          flushed++
          return new Promise(() => {})
        },
      })
    const { agent, providers } = observed([answering(), answering()], {}, {})
    hanging(providers.tracerProvider)
    await agent.invoke('Go.')
    expect(flushed).toBe(0)
    const other = observed([answering()], {}, { tracerProvider: providers.tracerProvider, flushMs: 1 })
    await other.agent.invoke('Go.')
    expect(flushed).toBe(1)
  })

  it('is no worse when whoever takes the spans fails at each', async () => {
    const broken = (): never => {
      throw new Error('The processor broke.')
    }
    const processor = {
      onStart: () => {},
      onEnd: broken,
      forceFlush: () => Promise.reject(new Error('No.')),
      shutdown: () => Promise.resolve(),
    }
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [processor] })
    const tools = [made('work', () => 'ok'), made('ask', (_, context) => context.interrupt({ name: 'colour' }))]
    const { agent } = observed([calling('work'), calling('ask')], { tools }, { tracerProvider, flushMs: 1000 })
    const { stopReason } = await agent.invoke('Go.')
    expect(stopReason).toBe('interrupt')
    expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  })

  it('is no worse when the provider fails', async () => {
    const { agent } = observed(
      [answering('Still here.')],
      {},
      {
        tracerProvider: {
          getTracer: () => {
            throw new Error('The provider broke.')
          },
        },
      },
    )
    expect(String(await agent.invoke('Go.'))).toBe('Still here.')
  })
})
