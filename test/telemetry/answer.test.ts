import { trace } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { made, observed } from './support/scripts.ts'
import { useContext } from './support/telemetered.ts'

useContext()

it('tells of a run as the conventions have it', async () => {
  const add = made('add', ({ a, b }) => String(a + b))
  const { agent, tree } = observed(
    [
      [
        { type: 'message_start', model: 'scripted-2026-11', responseId: 'resp_1' },
        { type: 'block_start', index: 0, block: { type: 'tool_use', name: 'add' } },
        { type: 'block_delta', index: 0, delta: { type: 'tool_input', text: '{"a":1,"b":2}' } },
        { type: 'message_stop', stopReason: 'tool_use' },
        { type: 'metadata', usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4, cacheWriteTokens: 2 } },
      ],
      { text: 'It is 3.', usage: { inputTokens: 20, outputTokens: 4, reasoningTokens: 1 } },
    ],
    {
      name: 'counter',
      description: 'Counts.',
      tools: [add],
      settings: { maxTokens: 100, temperature: 0.5, topP: 0.9, stopSequences: ['END'] },
    },
    { prices: { 'scripted/scripted': { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 } } },
  )
  await agent.invoke('What is 1 + 2?')
  const request = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'scripted',
    'gen_ai.request.model': 'scripted',
    'gen_ai.conversation.id': 'conv_1',
    'gen_ai.request.stream': true,
    'gen_ai.request.max_tokens': 100,
    'gen_ai.request.temperature': 0.5,
    'gen_ai.request.top_p': 0.9,
    'gen_ai.request.stop_sequences': ['END'],
    'lena.attempt': 1,
  }
  expect(tree()).toEqual([
    {
      name: 'invoke_agent counter',
      kind: 'INTERNAL',
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': 'scripted',
        'gen_ai.request.model': 'scripted',
        'gen_ai.agent.name': 'counter',
        'gen_ai.agent.description': 'Counts.',
        'gen_ai.conversation.id': 'conv_1',
        'gen_ai.response.finish_reasons': ['end_turn'],
        'gen_ai.usage.input_tokens': 30,
        'gen_ai.usage.output_tokens': 9,
        'gen_ai.usage.cache_read.input_tokens': 4,
        'gen_ai.usage.cache_creation.input_tokens': 2,
        'gen_ai.usage.reasoning.output_tokens': 1,
        'lena.stop_reason': 'end_turn',
      },
      children: [
        {
          name: 'chat scripted',
          kind: 'CLIENT',
          attributes: {
            ...request,
            'lena.turn': 1,
            'gen_ai.response.id': 'resp_1',
            'gen_ai.response.model': 'scripted-2026-11',
            'gen_ai.response.finish_reasons': ['tool_use'],
            'gen_ai.response.time_to_first_chunk': 'some',
            'gen_ai.usage.input_tokens': 10,
            'gen_ai.usage.output_tokens': 5,
            'gen_ai.usage.cache_read.input_tokens': 4,
            'gen_ai.usage.cache_creation.input_tokens': 2,
            'lena.cost_usd': 4,
          },
        },
        {
          name: 'execute_tool add',
          kind: 'INTERNAL',
          attributes: {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': 'add',
            'gen_ai.tool.call.id': 'call_1',
            'gen_ai.tool.description': 'Works.',
            'gen_ai.tool.type': 'function',
            'gen_ai.agent.name': 'counter',
            'lena.turn': 1,
          },
        },
        {
          name: 'chat scripted',
          kind: 'CLIENT',
          attributes: {
            ...request,
            'lena.turn': 2,
            'gen_ai.response.finish_reasons': ['end_turn'],
            'gen_ai.response.time_to_first_chunk': 'some',
            'gen_ai.usage.input_tokens': 20,
            'gen_ai.usage.output_tokens': 4,
            'gen_ai.usage.reasoning.output_tokens': 1,
            'lena.cost_usd': 20,
          },
        },
      ],
    },
  ])
})

it('stands in the span of the program, and spans of a tool stand in that of the call', async () => {
  const { agent, spans, providers } = observed([{ calls: [{ name: 'work', input: {} }] }, { text: 'Done.' }], {
    tools: [
      made('work', async () => {
        await Promise.resolve()
        trace.getActiveSpan()?.addEvent('at work')
        providers.tracerProvider.getTracer('program').startSpan('query').end()
        return 'ok'
      }),
    ],
  })
  await providers.tracerProvider.getTracer('program').startActiveSpan('request', async (span) => {
    await agent.invoke('Go.')
    span.end()
  })
  const nameOf = (id: string | undefined): string | undefined => spans().find((span) => span.spanContext().spanId === id)?.name
  expect(spans().map((span) => [span.name, nameOf(span.parentSpanContext?.spanId)])).toEqual([
    ['chat scripted', 'invoke_agent agent'],
    ['query', 'execute_tool work'],
    ['execute_tool work', 'invoke_agent agent'],
    ['chat scripted', 'invoke_agent agent'],
    ['invoke_agent agent', 'request'],
    ['request', undefined],
  ])
  expect(
    spans()
      .find(({ name }) => name === 'execute_tool work')
      ?.events.map(({ name }) => name),
  ).toEqual(['at work'])
})

it('tells of two runs of one agent, and of one that a hook has go on, once each', async () => {
  let resumed = false
  const { agent, tree } = observed([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }])
  agent.on('afterInvocation', (event) => {
    if (!resumed) event.resume = 'And?'
    resumed = true
  })
  await agent.invoke('Go.')
  await agent.invoke('Again.')
  expect(tree().map(({ name, children }) => [name, children?.map((child) => child.name)])).toEqual([
    ['invoke_agent agent', ['chat scripted', 'chat scripted']],
    ['invoke_agent agent', ['chat scripted']],
  ])
})
