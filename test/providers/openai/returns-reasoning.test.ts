// Some servers refuse a turn that called tools without what was thought before it; others refuse the field.
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/messages/message.ts'
import { normalise } from '../../../src/messages/normalise.ts'
import { InputError } from '../../../src/errors.ts'
import { compatible, openai } from '../../../src/providers/openai/index.ts'
import { freezeOwn } from '../../../src/util/json.ts'
import { answer, request } from '../support/answer.ts'
import { chunk, chunks, fakeFetch } from '../support/fake-fetch.ts'

const body = chunks(
  chunk({ reasoning_content: 'Let me add.' }),
  chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'add', arguments: '{}' } }] }, 'tool_calls'),
)
type Make = (options: { readonly fetch: typeof globalThis.fetch; readonly returnsReasoning?: boolean }) => ReturnType<typeof openai>
const makers: readonly (readonly [string, Make])[] = [
  ['openai()', (options) => openai('kimi-k2.5', { baseURL: 'https://api.moonshot.test/v1', apiKey: 'k', provider: 'kimi', ...options })],
  ['compatible()', (options) => compatible('vllm', 'kimi-k2.5', { provider: 'kimi', ...options })],
]

describe.each(makers)('what the model of %s thought before it called tools', (_name, make) => {
  const sent = async (options: { readonly returnsReasoning?: boolean }) => {
    const { message } = await answer(make({ fetch: fakeFetch(body).fetch, ...options }))
    const stored = (role: 'user' | 'assistant', content: readonly object[]) =>
      normalise(freezeOwn({ id: 'm', role, content }) as unknown as Message)
    const messages = [
      stored('user', [{ type: 'text', text: 'hello' }]),
      stored('assistant', message!.content),
      stored('user', [{ type: 'tool_result', toolUseId: 'call_1', status: 'success', content: [{ type: 'text', text: '3' }] }]),
    ]
    const { fetch, asked } = fakeFetch(chunks(chunk({ content: 'hi' }, 'stop')))
    const { error } = await answer(make({ fetch, ...options }), request({ messages }))
    expect(error).toBe(undefined)
    const said = JSON.parse(asked[0]!.body) as { readonly messages: readonly Record<string, unknown>[] }
    return [asked[0]!.url, said.messages.map(({ reasoning_content: thought }) => thought)]
  }

  it('goes back where that is asked for', async () =>
    expect(await sent({ returnsReasoning: true })).toEqual([
      expect.stringMatching(/\/v1\/chat\/completions$/),
      [undefined, 'Let me add.', undefined],
    ]))
  it('and else does not', async () => {
    expect((await sent({}))[1]).toEqual([undefined, undefined, undefined])
    expect((await sent({ returnsReasoning: false }))[1]).toEqual([undefined, undefined, undefined])
  })
})

it('is true or false', () => {
  expect(() => openai('m', { baseURL: 'http://x.test', returnsReasoning: 'yes' as unknown as boolean })).toThrow(InputError)
  expect(() => openai('', { baseURL: 'http://x.test', returnsReasoning: true })).toThrow(/expected the name of a model/)
})
