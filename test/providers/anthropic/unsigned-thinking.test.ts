// Other people's models behind the Messages API sign nothing, and many of their servers refuse a turn that called tools without
// what was thought before it. Anthropic's own refuse thinking without a signature.
import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../src/providers/anthropic/index.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { answer, request } from '../support/answer.ts'
import { fetchOf, history, result, sentBy, user } from './support/ask.ts'
import { adds, begins, calls, closes, ends, opens, says, sse } from './support/sse.ts'

const thinks = (index: number, text: string, ...more: readonly JsonObject[]): readonly JsonObject[] => [
  opens(index, { type: 'thinking', thinking: '' }),
  ...(text === '' ? [] : [adds(index, { type: 'thinking_delta', thinking: text })]),
  ...more,
  closes(index),
]
const signs = (index: number, signature: string): JsonObject => adds(index, { type: 'signature_delta', signature })

/** What goes back of such an answer, to this model. */
async function replayed(id: string, ...events: readonly JsonObject[]): Promise<readonly JsonObject[]> {
  const baseURL = 'https://api.deepseek.test/anthropic'
  const { message, error } = await answer(anthropic(id, { apiKey: 'k', baseURL, fetch: fetchOf(sse(begins(), ...events)) }), request())
  if (!message) throw error
  const ids = message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
  const messages = history(user('go'), { role: 'assistant', content: message.content }, user(...ids.map((of) => result(of))))
  const { body } = await sentBy({ messages, settings: { thinking: { budgetTokens: 2000 } } }, id, { baseURL })
  return [...body.messages[1]!.content, { asks: (body['thinking'] as JsonObject | undefined)?.['type'] ?? null }]
}
const call = calls(1, 'look', '{"at":1}')
const used = { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 1 } }
const on = { asks: 'enabled' }

describe('what was thought without a signature', () => {
  it('goes back to a model that signs nothing, and thinking stays on', async () =>
    expect(await replayed('deepseek-v4', ...thinks(0, 'hm'), ...call, ...ends('tool_use'))).toEqual([
      { type: 'thinking', thinking: 'hm', signature: '' },
      used,
      on,
    ]))

  it('goes back with each of its parts, and one that is signed as it is', async () =>
    expect(
      await replayed(
        'kimi-k2.5',
        ...thinks(0, 'hm'),
        ...thinks(2, 'so', signs(2, 'SIG')),
        ...thinks(3, 'or'),
        ...call,
        ...ends('tool_use'),
      ),
    ).toEqual([
      { type: 'thinking', thinking: 'hm', signature: '' },
      { type: 'thinking', thinking: 'so', signature: 'SIG' },
      { type: 'thinking', thinking: 'or', signature: '' },
      used,
      on,
    ]))

  it('may stand in the beginning of its block', async () =>
    expect(
      await replayed('glm-5', opens(0, { type: 'thinking', thinking: 'hm', signature: '' }), closes(0), ...call, ...ends('tool_use')),
    ).toEqual([{ type: 'thinking', thinking: 'hm', signature: '' }, used, on]))

  it('does not go to Claude, whoever serves it', async () =>
    expect(await replayed('claude-sonnet-4-5', ...thinks(0, 'hm'), ...call, ...ends('tool_use'))).toEqual([used, { asks: null }]))

  it('is nothing without a word, nor where it was cut', async () => {
    expect(await replayed('deepseek-v4', ...thinks(0, ''), ...call, ...ends('tool_use'))).toEqual([used, { asks: null }])
    expect(await replayed('deepseek-v4', ...says(1, 'hi'), ...thinks(2, 'hm'), ...ends('max_tokens'))).toEqual([
      { type: 'text', text: 'hi' },
      on,
    ])
  })
})
