import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { check } from '../../../src/messages/check.ts'
import { anthropic } from '../../../src/providers/anthropic/index.ts'
import { look } from '../../support/tools.ts'
import type { Sent } from './support/ask.ts'
import { fetchOf } from './support/ask.ts'
import { adds, begins, calls, closes, ends, opens, says, sse } from './support/sse.ts'

/** A model that gives these answers, one after the other. */
function modelOf(...answers: readonly string[]): { readonly model: ReturnType<typeof anthropic>; readonly sent: Sent[] } {
  const sent: Sent[] = []
  const fetch = fetchOf(() => new Response(answers[sent.length - 1], { headers: { 'content-type': 'text/event-stream' } }), sent)
  return { model: anthropic('claude-sonnet-4-6', { apiKey: 'k', fetch }), sent }
}

describe('a run', () => {
  it('goes on where the server paused, and is one message in the end', async () => {
    const searching = [
      opens(1, { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} }),
      adds(1, { type: 'input_json_delta', partial_json: '{"query":"q"}' }),
      closes(1),
    ]
    const found = [opens(0, { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] }), closes(0)]
    const { model, sent } = modelOf(
      sse(begins(), ...says(0, 'Let me search. '), ...searching, ...ends('pause_turn')),
      sse(begins(), ...found, ...says(1, 'Nothing.'), ...ends()),
    )
    const agent = new Agent({ model })
    const result = await agent.invoke('Search.')
    expect([result.stopReason, String(result)]).toEqual(['end_turn', 'Let me search. Nothing.'])
    const paused = [
      { type: 'text', text: 'Let me search. ' },
      { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'q' } },
    ]
    expect(sent[1]!.body.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Search.' }] },
      { role: 'assistant', content: paused },
    ])
    expect([agent.messages.length, check(agent.messages)]).toEqual([2, []])
  })

  it('does not run a call that was never closed, and tells the model', async () => {
    const unclosed = calls(0, 'look', '{"at":1}').slice(0, 2)
    const { model, sent } = modelOf(sse(begins(), ...unclosed, ...ends('tool_use')), sse(begins(), ...says(0, 'I see.'), ...ends()))
    let ran = 0
    const agent = new Agent({ model, tools: [look(() => ran++)] })
    const result = await agent.invoke('Look.')
    expect([result.stopReason, ran]).toEqual(['end_turn', 0])
    expect(sent[1]!.body.messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_0', name: 'look', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_0',
            is_error: true,
            content: [{ type: 'text', text: expect.stringContaining('[The answer ended inside this input.]') }],
          },
        ],
      },
    ])
  })

  it('gives each of two calls with one id its own result', async () => {
    const { model, sent } = modelOf(
      sse(begins(), ...calls(0, 'look', '{"at":1}', 'same'), ...calls(1, 'look', '{"at":2}', 'same'), ...ends('tool_use')),
      sse(begins(), ...says(0, 'ok'), ...ends()),
    )
    await new Agent({ model, tools: [look()] }).invoke('Look.')
    const [, asked, answered] = sent[1]!.body.messages
    const ids = asked!.content.map((block) => block['id'])
    expect([ids[0], new Set(ids).size]).toEqual(['same', 2])
    expect(answered!.content).toEqual(
      ids.map((id, i) => ({ type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: `seen ${i + 1}` }] })),
    )
  })
})
