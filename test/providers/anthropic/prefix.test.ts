import { expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { anthropic } from '../../../src/providers/anthropic/index.ts'
import { look } from '../../support/tools.ts'
import type { Sent } from './support/ask.ts'
import { fetchOf } from './support/ask.ts'
import { adds, begins, calls, closes, ends, opens, says, sse } from './support/sse.ts'

/** Fifty answers: thought, text and two calls each time, and then a last word. */
const answers = Array.from({ length: 50 }, (_, turn) =>
  turn === 49
    ? sse(begins(), ...says(0, 'That is all.'), ...ends())
    : sse(
        begins({ id: `msg_${turn}` }),
        opens(0, { type: 'thinking', thinking: '' }),
        adds(0, { type: 'thinking_delta', thinking: `thought ${turn}` }),
        adds(0, { type: 'signature_delta', signature: `sig ${turn}` }),
        closes(0),
        ...says(1, `turn ${turn} `),
        ...calls(2, 'look', `{"at":${turn}}`, `toolu_${turn}_a`),
        ...calls(3, 'look', `{"at":${turn + 100}}`, `toolu_${turn}_b`),
        ...ends('tool_use'),
      ),
)

it('each request of fifty turns is the one before it and something more', async () => {
  const seen: Sent[] = []
  const fetch = fetchOf(() => new Response(answers[seen.length - 1], { headers: { 'content-type': 'text/event-stream' } }), seen)
  const agent = new Agent({
    model: anthropic('claude-sonnet-4-6', { apiKey: 'k', fetch, thinking: { effort: 'low' } }),
    instructions: [{ type: 'text', text: 'Look often.' }, { type: 'cache_point' }],
    tools: [look()],
  })
  const result = await agent.invoke([
    { type: 'text', text: 'Go.' },
    { type: 'cache_point', ttl: '1h' },
  ])
  expect([result.stopReason, seen.length]).toEqual(['end_turn', 50])
  for (let i = 1; i < seen.length; i++) {
    const before = seen[i - 1]!.text.slice(0, -']}'.length)
    expect(seen[i]!.text.slice(0, before.length)).toBe(before)
  }
  const { messages } = seen.at(-1)!.body
  expect(messages.at(-1)!.content).toEqual(
    ['a', 'b'].map((which, i) => ({
      type: 'tool_result',
      tool_use_id: `toolu_48_${which}`,
      content: [{ type: 'text', text: `seen ${48 + 100 * i}` }],
    })),
  )
})
