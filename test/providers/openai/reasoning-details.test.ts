// What a router tells of the thoughts of other providers' models goes back as it came: Gemini 3 refuses to go on without it.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Agent } from '../../../src/agent/agent.ts'
import type { AssistantBlock } from '../../../src/messages/content.ts'
import { compatible, openai } from '../../../src/providers/openai/index.ts'
import { tool } from '../../../src/tools/tool.ts'
import { answer } from '../support/answer.ts'
import { chunk, chunks, fakeFetch } from '../support/fake-fetch.ts'

const modelOf = (body: string) => compatible('openrouter', 'm', { apiKey: 'k', fetch: fakeFetch(body).fetch })
const contentOf = async (...deltas: readonly object[]): Promise<readonly AssistantBlock[] | undefined> => {
  const { message, error } = await answer(modelOf(chunks(...deltas.map((delta) => chunk(delta)), chunk({}, 'stop'))))
  expect(error).toBe(undefined)
  return message?.content
}
const thought = (text: string, details: readonly object[]) => ({
  type: 'reasoning',
  text,
  provider: { openrouter: { reasoning_details: details } },
})

describe('details of thoughts', () => {
  it('are put together out of their pieces, each with its signature', async () => {
    expect(
      await contentOf(
        { reasoning: 'Let', reasoning_details: [{ type: 'reasoning.text', text: 'Let', index: 0, format: 'anthropic-claude-v1' }] },
        { reasoning: ' me', reasoning_details: [{ type: 'reasoning.text', text: ' me', index: 0, format: 'anthropic-claude-v1' }] },
        { reasoning_details: [{ type: 'reasoning.text', signature: 'SIG1', index: 0 }] },
        { reasoning: 'And', reasoning_details: [{ type: 'reasoning.text', text: 'And', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.text', signature: 'SIG2', index: 0 }] },
        { content: 'hi', reasoning_details: [] },
      ),
    ).toEqual([
      thought('Let meAnd', [
        { type: 'reasoning.text', text: 'Let me', index: 0, format: 'anthropic-claude-v1', signature: 'SIG1' },
        { type: 'reasoning.text', text: 'And', index: 0, signature: 'SIG2' },
      ]),
      { type: 'text', text: 'hi' },
    ])
  })

  it('are kept where all of it is encrypted, in front of or behind the call', async () => {
    const encrypted = { type: 'reasoning.encrypted', data: 'DATA', id: 'tool_add_1', format: 'google-gemini-v1', index: 0 }
    const call = { tool_calls: [{ index: 0, id: 'tool_add_1', function: { name: 'add', arguments: '{"a":1}' } }] }
    const used = { type: 'tool_use', id: 'call_1', name: 'add', input: { a: 1 }, provider: { openrouter: { id: 'tool_add_1' } } }
    expect(await contentOf({ reasoning_details: [encrypted] }, call)).toEqual([thought('', [encrypted]), used])
    expect(await contentOf(call, { reasoning_details: [encrypted] })).toEqual([used, thought('', [encrypted])])
  })

  it('are several where they differ in kind, place or id, and those without words are told in no other way', async () => {
    const details = [
      { type: 'reasoning.summary', summary: 'Sum', index: 0 },
      { type: 'reasoning.encrypted', data: 'A', id: 'a', index: 1 },
      { type: 'reasoning.encrypted', data: 'B', id: 'b', index: 1 },
    ]
    expect(await contentOf(...details.map((detail) => ({ reasoning_details: [detail] })), { content: 'hi' })).toEqual([
      thought('Sum', details),
      { type: 'text', text: 'hi' },
    ])
  })

  it('that are none do no harm', async () =>
    expect(await contentOf({ reasoning_details: 'x' }, { reasoning_details: [null, 7] }, { content: 'hi' })).toEqual([
      thought('', []),
      { type: 'text', text: 'hi' },
    ]))
})

describe('a conversation with tools', () => {
  const encrypted = { type: 'reasoning.encrypted', data: 'DATA', id: 'tool_add_1', format: 'google-gemini-v1', index: 0 }
  const first = chunks(
    chunk({ reasoning_details: [encrypted] }),
    chunk({ tool_calls: [{ index: 0, id: 'tool_add_1', function: { name: 'add', arguments: '{"a":1}' } }] }),
    chunk({}, 'tool_calls'),
  )
  const last = chunks(chunk({ content: 'done', reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0 }] }, 'stop'))
  const add = tool({ name: 'add', description: 'Adds.', inputSchema: z.object({ a: z.number() }), execute: ({ a }) => String(a + 1) })

  /** The messages of the last request of two turns and a further question. */
  async function asked(provider: string | undefined): Promise<readonly Record<string, unknown>[]> {
    const bodies: string[] = []
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      bodies.push(new TextDecoder().decode(init!.body as Uint8Array))
      return new Response(bodies.length === 1 ? first : last, { headers: { 'content-type': 'text/event-stream' } })
    }
    const model = openai('m', { baseURL: 'https://router.test/v1', apiKey: 'k', fetch, provider })
    const agent = new Agent({ model, tools: [add] })
    await agent.invoke('go')
    if (provider === undefined) {
      const other = openai('m', { baseURL: 'https://other.test/v1', apiKey: 'k', fetch, provider: 'other' })
      await new Agent({ model: other, tools: [add], messages: agent.messages }).invoke('again')
    } else await agent.invoke('again')
    return (JSON.parse(bodies.at(-1)!) as { readonly messages: readonly Record<string, unknown>[] }).messages
  }

  it('gives them back, with each message that had them', async () => {
    expect((await asked('router')).map(({ role, reasoning_details: details }) => [role, details])).toEqual([
      ['user', undefined],
      ['assistant', [encrypted]],
      ['tool', undefined],
      ['assistant', [{ type: 'reasoning.text', text: 'hm', index: 0 }]],
      ['user', undefined],
    ])
  })

  it('gives them to nobody else', async () =>
    expect((await asked(undefined)).some((message) => 'reasoning_details' in message)).toBe(false))
})
