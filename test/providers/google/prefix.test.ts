import { expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { google } from '../../../src/providers/google/index.ts'
import { look } from '../../support/tools.ts'
import type { Sent } from './support/ask.ts'
import { eventStream, fetchOf } from './support/ask.ts'
import { call, ends, parts, saying, sse, text, thought } from './support/sse.ts'

/** Fifty answers: thought, text and two calls each time, and then a last word. */
const answers = Array.from({ length: 50 }, (_, turn) =>
  turn === 49
    ? saying('That is all.')
    : sse(
        parts(thought(`thought ${turn}`)),
        parts(text(`turn ${turn} `)),
        ends('STOP', call('look', { at: turn }, { thoughtSignature: `sig ${turn}` }), call('look', { at: turn + 100 })),
      ),
)

it('each request of fifty turns is the one before it and something more', async () => {
  const seen: Sent[] = []
  const agent = new Agent({
    model: google('gemini-3.1-pro', {
      apiKey: 'k',
      fetch: fetchOf(() => eventStream(answers[seen.length - 1]), seen),
      thinking: { effort: 'low' },
    }),
    instructions: [{ type: 'text', text: 'Look often.' }, { type: 'cache_point' }],
    tools: [look()],
  })
  const result = await agent.invoke([{ type: 'text', text: 'Go.' }, { type: 'cache_point' }])
  expect([result.stopReason, seen.length]).toEqual(['end_turn', 50])
  for (let i = 1; i < seen.length; i++) {
    const before = seen[i - 1]!.text.slice(0, -']}'.length)
    expect(seen[i]!.text.slice(0, before.length)).toBe(before)
  }
  const [called, answered] = seen.at(-1)!.body.contents.slice(-2)
  const ids = called!.parts.flatMap(({ functionCall }) => (functionCall as { readonly id?: string } | undefined)?.id ?? [])
  expect([ids.length, called!.parts[1]]).toEqual([
    2,
    { functionCall: { id: ids[0], name: 'look', args: { at: 48 } }, thoughtSignature: 'sig 48' },
  ])
  expect(answered).toEqual({
    role: 'user',
    parts: ids.map((id, i) => ({ functionResponse: { id, name: 'look', response: { result: `seen ${48 + 100 * i}` } } })),
  })
})

it('a forced choice holds for the first request only', async () => {
  const seen: Sent[] = []
  const both = [sse(ends('STOP', call('look', { at: 1 }))), saying('Seen.')]
  const agent = new Agent({
    model: google('gemini-2.5-flash', { apiKey: 'k', fetch: fetchOf(() => eventStream(both[seen.length - 1]), seen) }),
    tools: [look()],
  })
  await agent.invoke('Look.', { toolChoice: { name: 'look' } })
  expect(seen.map(({ body }) => body['toolConfig'])).toEqual([
    { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] } },
    undefined,
  ])
})
