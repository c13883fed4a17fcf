import { expect, it } from 'vitest'
import { AuthenticationError, ThrottledError } from '../../src/errors.ts'
import { answering, observed } from './support/scripts.ts'
import { agentSpan, chatSpan, ended, failedWith, tokens, useContext } from './support/telemetered.ts'
import type { SeenSpan } from './support/telemetered.ts'

useContext()

/** An attempt that failed before the first chunk. */
const silent = (span: SeenSpan): SeenSpan => {
  const { 'gen_ai.response.time_to_first_chunk': _, ...attributes } = span.attributes
  return { ...span, attributes }
}

it('tells of a model that fails, on the attempt and on the run', async () => {
  const { agent, tree } = observed([{ error: new AuthenticationError('The key is not valid.', { provider: 'scripted' }) }])
  await expect(agent.invoke('Go.')).rejects.toThrow('The key is not valid.')
  const failure = failedWith('authentication')
  expect(tree()).toEqual([
    agentSpan('agent', { ...failure, with: { ...failure.with, ...tokens(0, 0) }, children: [silent(chatSpan(1, failure))] }),
  ])
})

it('has a span for each attempt of a model that is asked again', async () => {
  const { agent, tree } = observed([{ error: new ThrottledError('Slow down.', { provider: 'scripted' }) }, answering()], {
    retry: { maxAttempts: 2, baseMs: 0 },
  })
  await agent.invoke('Go.')
  expect(tree()).toEqual([
    agentSpan('agent', {
      with: { ...ended('end_turn'), 'lena.stop_reason': 'end_turn' },
      children: [silent(chatSpan(1, failedWith('throttled'))), chatSpan(1, { with: { ...ended('end_turn'), 'lena.attempt': 2 } })],
    }),
  ])
})

it('names the model that takes over', async () => {
  const { agent, model, tree } = observed([answering()])
  const broken = {
    ...model,
    provider: 'google',
    id: 'broken',
    stream: () => failing(new ThrottledError('Slow down.', { provider: 'google' })),
  }
  const other = observed([], { model: [broken, model] })
  await other.agent.invoke('Go.')
  expect(
    other.tree()[0]?.children?.map(({ name, attributes }) => [name, attributes['gen_ai.provider.name'], attributes['error.type']]),
  ).toEqual([
    ['chat broken', 'gcp.gemini', 'throttled'],
    ['chat scripted', 'scripted', undefined],
  ])
  expect([agent.messages, tree()]).toEqual([[], []])
})

it('tells of a stream that was cut', async () => {
  const { agent, tree } = observed([[{ type: 'block_delta', index: 0, delta: { type: 'text', text: 'Hel' } }]])
  await expect(agent.invoke('Go.')).rejects.toThrow('before the message was complete')
  expect(tree()[0]?.children).toEqual([chatSpan(1, failedWith('incomplete_stream'))])
})

const failing = (error: Error): AsyncIterable<never> => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) })
