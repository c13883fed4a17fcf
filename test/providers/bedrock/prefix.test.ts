import { expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { look } from '../../support/tools.ts'
import type { Body, Sent } from './support/ask.ts'
import { environment, eventStream, fetchOf, modelOf } from './support/ask.ts'
import { useOwnEnvironment } from './support/env.ts'
import { adds, begins, calls, closes, ends, frames, says } from './support/frames.ts'

useOwnEnvironment()

environment()

/** Fifty answers: thought, text and two calls each time, and then a last word. */
const answers = Array.from({ length: 50 }, (_, turn) =>
  turn === 49
    ? frames(begins, ...says(0, 'That is all.'), ...ends())
    : frames(
        begins,
        adds(0, { reasoningContent: { text: `thought ${turn}` } }),
        adds(0, { reasoningContent: { signature: `sig ${turn}` } }),
        closes(0),
        ...says(1, `turn ${turn} `),
        ...calls(2, 'look', `{"at":${turn}}`, `tooluse_${turn}_a`),
        ...calls(3, 'look', `{"at":${turn + 100}}`, `tooluse_${turn}_b`),
        ...ends('tool_use'),
      ),
)

/** The head of a request, and its messages one by one, as they were written down. */
const written = ({ messages, ...head }: Body): readonly string[] => [JSON.stringify(head), ...messages.map((sent) => JSON.stringify(sent))]

it('each request of fifty turns is the one before it and something more', async () => {
  const seen: Sent[] = []
  const model = modelOf(
    fetchOf(() => eventStream(answers[seen.length - 1]!), seen),
    undefined,
    { thinking: { budgetTokens: 2000 } },
  )
  const agent = new Agent({ model, instructions: [{ type: 'text', text: 'Look often.' }, { type: 'cache_point' }], tools: [look()] })
  const result = await agent.invoke([{ type: 'text', text: 'Go.' }, { type: 'cache_point' }])
  expect([result.stopReason, seen.length]).toEqual(['end_turn', 50])
  for (const [i, { body }] of seen.slice(0, -1).entries()) {
    const before = written(body)
    expect(written(seen[i + 1]!.body).slice(0, before.length)).toEqual(before)
  }
  const { messages } = seen.at(-1)!.body
  expect([messages.length, messages.at(-1)!.content]).toEqual([
    99,
    ['a', 'b'].map((which, i) => ({ toolResult: { toolUseId: `tooluse_48_${which}`, content: [{ text: `seen ${48 + 100 * i}` }] } })),
  ])
})
