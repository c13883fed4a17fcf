import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/messages/message.ts'
import type { SendableMessage } from '../../../src/messages/normalise.ts'
import { normalise } from '../../../src/messages/normalise.ts'
import type { PresetName } from '../../../src/providers/openai/index.ts'
import { compatible } from '../../../src/providers/openai/index.ts'
import { freezeOwn } from '../../../src/util/json.ts'
import { answer, request } from '../support/answer.ts'
import { chunk, chunks, fakeFetch } from '../support/fake-fetch.ts'

const stored = (role: 'user' | 'assistant', ...content: readonly object[]): SendableMessage =>
  normalise(freezeOwn({ id: 'm', role, content }) as unknown as Message)
const said = (text: string): object => ({ type: 'text', text })
const call = (id: string, provider?: object): object => ({ type: 'tool_use', id, name: 'add', input: {}, ...(provider && { provider }) })
const result = (toolUseId: string): object => ({ type: 'tool_result', toolUseId, status: 'success', content: [said('3')] })

/** The messages that are sent for these. */
async function sentBy(preset: PresetName, ...messages: readonly SendableMessage[]): Promise<readonly Record<string, unknown>[]> {
  const { fetch, asked } = fakeFetch(chunks(chunk({ content: 'hi' }, 'stop')))
  const { error } = await answer(compatible(preset, 'm', { apiKey: 'k', fetch }), request({ messages }))
  if (error) throw error
  return (JSON.parse(asked[0]!.body) as { readonly messages: readonly Record<string, unknown>[] }).messages
}

describe('Mistral takes ids of nine letters and digits', () => {
  it('so its own go back as they are, and others become such, call and result alike', async () => {
    const [, asked, ...answered] = await sentBy(
      'mistral',
      stored('user', said('hello')),
      stored(
        'assistant',
        call('call_1', { mistral: { id: 'gSIMJiOkT' } }),
        call('call_2', { anthropic: { id: 'toolu_1' } }),
        call('call_3'),
      ),
      stored('user', result('call_1'), result('call_2'), result('call_3')),
    )
    const ids = (asked!['tool_calls'] as readonly { readonly id: string }[]).map(({ id }) => id)
    expect(ids[0]).toBe('gSIMJiOkT')
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(new Set(ids).size).toBe(3)
    expect(answered.map(({ tool_call_id: id }) => id)).toEqual(ids)
  })

  it('and the same id becomes the same in each request', async () => {
    const messages = [stored('user', said('hello')), stored('assistant', call('call_2')), stored('user', result('call_2'))]
    expect(await sentBy('mistral', ...messages)).toEqual(await sentBy('mistral', ...messages))
  })

  it('and a thousand ids become a thousand', async () => {
    const calls = Array.from({ length: 1000 }, (_, n) => call(`call_${n}`))
    const [, asked] = await sentBy('mistral', stored('user', said('hello')), stored('assistant', ...calls))
    expect(new Set((asked!['tool_calls'] as readonly { readonly id: string }[]).map(({ id }) => id)).size).toBe(1000)
  })
})

describe('DeepSeek wants back what it thought before it called tools', () => {
  const body = chunks(
    chunk({ reasoning_content: 'Let me' }),
    chunk({ reasoning_content: ' add.' }),
    chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'add', arguments: '{}' } }] }, 'tool_calls'),
  )

  it('and gets it', async () => {
    const { fetch } = fakeFetch(body)
    const { message } = await answer(compatible('deepseek', 'm', { apiKey: 'k', fetch }))
    expect(message!.content).toEqual([
      { type: 'reasoning', text: 'Let me add.', provider: { deepseek: { field: 'reasoning_content' } } },
      { type: 'tool_use', id: 'call_1', name: 'add', input: {}, provider: { deepseek: { id: 'a' } } },
    ])
    expect(
      await sentBy('deepseek', stored('user', said('hello')), stored('assistant', ...message!.content), stored('user', result('call_1'))),
    ).toEqual([
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'add', arguments: '{}' } }],
        reasoning_content: 'Let me add.',
      },
      { role: 'tool', tool_call_id: 'a', content: '3' },
    ])
  })

  it('but not what others thought, nor what it thought before it merely spoke', async () => {
    const own = { type: 'reasoning', text: 'mine', provider: { deepseek: { field: 'reasoning_content' } } }
    const other = { type: 'reasoning', text: 'theirs', signature: 's', provider: { anthropic: { type: 'thinking' } } }
    const messages = await sentBy(
      'deepseek',
      stored('user', said('hello')),
      stored('assistant', own, said('hi')),
      stored('user', said('add')),
      stored('assistant', other, call('call_1')),
      stored('user', result('call_1')),
    )
    expect(messages.map(({ reasoning_content: thought }) => thought)).toEqual([undefined, undefined, undefined, '', undefined])
  })

  it('which no other server is told', async () => {
    const own = { type: 'reasoning', text: 'mine', provider: { groq: { field: 'reasoning_content' } } }
    const messages = await sentBy(
      'groq',
      stored('user', said('hello')),
      stored('assistant', own, call('call_1')),
      stored('user', result('call_1')),
    )
    expect(messages.map((message) => 'reasoning_content' in message)).toEqual([false, false, false])
  })
})

describe('a conversation', () => {
  it('only ever adds to the end of its requests', async () => {
    const { fetch, asked } = fakeFetch(chunks(chunk({ content: 'hi' }, 'stop')))
    const model = compatible('mistral', 'm', { apiKey: 'k', fetch })
    const messages: SendableMessage[] = []
    const system = freezeOwn([])
    for (let turn = 0; turn < 20; turn++) {
      messages.push(stored('user', said(`question ${turn}`)))
      await answer(model, request({ system, messages: [...messages] }))
      messages.push(stored('assistant', call(`call_${turn}`)), stored('user', result(`call_${turn}`)))
    }
    for (const [index, { body }] of asked.entries()) expect(body.startsWith((asked[index - 1]?.body ?? '').slice(0, -2))).toBe(true)
    expect(asked.length).toBe(20)
  })
})
