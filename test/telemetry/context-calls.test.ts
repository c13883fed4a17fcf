import { expect, it } from 'vitest'
import { summarising } from '../../src/context/summarising.ts'
import { OverloadedError } from '../../src/errors.ts'
import { repair } from '../../src/messages/repair.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { assistant, call, result, user } from '../support/history.ts'
import { answering, observed } from './support/scripts.ts'
import { agentSpan, chatSpan, ended, failedWith, tokens, useContext } from './support/telemetered.ts'
import type { SeenSpan } from './support/telemetered.ts'
import { traced, linesOf, tempPath } from './support/traced.ts'

useContext()

const history = repair([
  user('find the bug'),
  ...Array.from({ length: 12 }, (_, i) => [assistant(call(`c${i}`)), user(result(`c${i}`, `line ${i} `.repeat(40)))]).flat(),
  assistant('I have found it.'),
])

/** The model that is asked for summaries; the agent's is another. */
const notes = (...steps: ScriptStep[]) => ({ ...scriptedModel(...steps), id: 'notes' })
const written: ScriptStep = { text: 'The bug is in line 7.', usage: { inputTokens: 500, outputTokens: 20 } }
const options = (model = notes(written)) => ({
  context: summarising({ model, keep: 4, at: 0.1 }),
  messages: history,
})
const small = (seen: ReturnType<typeof observed>) => Object.assign(seen.model, { contextWindow: 10_000 })

/** The span of a call for a summary. */
function notesSpan(turn: number | undefined, extra: Parameters<typeof chatSpan>[1]): SeenSpan {
  const { name: _, attributes, ...span } = chatSpan(0, extra)
  const { 'lena.attempt': __, 'lena.turn': ___, ...others } = attributes
  return {
    name: 'chat notes',
    ...span,
    attributes: {
      ...others,
      'gen_ai.request.model': 'notes',
      'gen_ai.request.max_tokens': expect.any(Number),
      'lena.purpose': 'context',
      ...(turn !== undefined && { 'lena.turn': turn }),
    },
  }
}

it('shows the call for a summary in the span of the run, and counts it', async () => {
  const seen = observed([answering()], options())
  small(seen)
  await seen.agent.invoke('Go on.')
  expect(seen.tree()).toEqual([
    agentSpan('agent', {
      with: { ...ended('end_turn'), ...tokens(510, 22), 'lena.stop_reason': 'end_turn' },
      children: [notesSpan(1, { with: ended('end_turn', 500, 20) }), chatSpan(1, { with: ended('end_turn') })],
    }),
  ])
  const usage = (await seen.measured()).find(({ descriptor }) => descriptor.name === 'gen_ai.client.token.usage')!
  expect(
    usage.dataPoints.map(({ attributes, value }) => [
      attributes['gen_ai.request.model'],
      attributes['gen_ai.token.type'],
      (value as { readonly sum: number }).sum,
    ]),
  ).toEqual([
    ['notes', 'input', 500],
    ['notes', 'output', 20],
    ['scripted', 'input', 10],
    ['scripted', 'output', 2],
  ])
})

it('keeps what was asked and what was written, on request', async () => {
  const seen = observed([answering()], options(), { content: true })
  small(seen)
  await seen.agent.invoke('Go on.')
  const { attributes } = seen.tree()[0]!.children![0]!
  expect(String(attributes['gen_ai.input.messages'])).toContain('find the bug')
  expect(JSON.parse(String(attributes['gen_ai.output.messages']))).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: 'The bug is in line 7.' }], finish_reason: 'stop' },
  ])
})

it('shows each attempt at one that fails', async () => {
  const busy = { error: new OverloadedError('busy', { provider: 'scripted' }) }
  const seen = observed([answering()], options(notes(busy, busy)))
  small(seen)
  await seen.agent.invoke('Go on.')
  const silent = (span: SeenSpan): SeenSpan => {
    const { 'gen_ai.response.time_to_first_chunk': _, ...attributes } = span.attributes
    return { ...span, attributes }
  }
  const failed = silent(notesSpan(1, failedWith('overloaded')))
  expect(seen.tree()[0]!.children).toEqual([failed, failed, chatSpan(1, { with: ended('end_turn') })])
})

it.each([true, 'deaf'] as const)('ends the span of one that a cancel cut (hang: %s)', async (hang) => {
  const model = notes({ text: 'One two.', hang, after: 1 })
  const stream = model.stream.bind(model)
  const seen = observed([], options({ ...model, stream: (request, how) => cancelling(stream(request, how)) }))
  async function* cancelling(events: ReturnType<typeof stream>): ReturnType<typeof stream> {
    for await (const event of events) {
      yield event
      setImmediate(() => seen.agent.cancel('Enough.'))
    }
  }
  small(seen)
  await seen.agent.invoke('Go on.')
  expect(seen.tree()).toEqual([
    agentSpan('agent', {
      with: { ...tokens(0, 0), 'lena.stop_reason': 'cancelled' },
      children: [notesSpan(1, failedWith('cancelled'))],
    }),
  ])
})

it('shows one that is asked for outside of a run, in the span of the program', async () => {
  const seen = observed([], options())
  small(seen)
  await seen.providers.tracerProvider.getTracer('program').startActiveSpan('tidy', async (span) => {
    await seen.agent.compact()
    span.end()
  })
  expect(seen.tree()).toEqual([
    { name: 'tidy', kind: 'INTERNAL', attributes: {}, children: [notesSpan(undefined, { with: ended('end_turn', 500, 20) })] },
  ])
})

it('is in the trace of a file', async () => {
  const path = await tempPath()
  const seen = traced(path, [answering()], options())
  Object.assign(seen.model, { contextWindow: 10_000 })
  await seen.agent.invoke('Go on.')
  expect((await linesOf(path)).flatMap((line) => (line.type === 'begin' ? [[line.name, line.parent]] : []))).toEqual([
    ['invoke_agent agent', undefined],
    ['chat notes', '0000000000000001'],
    ['chat scripted', '0000000000000001'],
  ])
})

it('is no worse when whoever takes the spans fails', async () => {
  const seen = observed([answering()], options(), {
    tracerProvider: {
      getTracer: () => {
        throw new Error('The provider broke.')
      },
    },
  })
  small(seen)
  const { usage } = await seen.agent.invoke('Go on.')
  expect(usage.inputTokens).toBe(510)
})
