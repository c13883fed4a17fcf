import { describe, expect, it } from 'vitest'
import { answer, request } from '../support/answer.ts'
import type { BedrockOptions } from '../../../src/providers/bedrock/index.ts'
import { bedrock } from '../../../src/providers/bedrock/index.ts'
import type { Said, WireMessage } from './support/ask.ts'
import { assistant, bodyOf, called, claude, history, result, user } from './support/ask.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

const own = (more: object = {}): object => ({ bedrock: { maker: 'anthropic', ...more } })
const messagesOf = async (id: string, ...messages: readonly Said[]): Promise<readonly WireMessage[]> =>
  (await bodyOf({ messages: history(...messages) }, id)).messages
const contentOf = async (...content: readonly (string | object)[]): Promise<unknown> =>
  (await messagesOf(claude, user('go'), assistant(...content), user('on')))[1]!.content

describe('what the provider gave goes back to it', () => {
  it('thinking, each with its own signature, and hidden thinking', async () => {
    expect(
      await contentOf(
        { type: 'reasoning', text: 'a', signature: 'SIG1', provider: own() },
        { type: 'reasoning', text: '', signature: 'SIG2', provider: own() },
        { type: 'reasoning', text: '', redacted: 'REFUQQ==', provider: own() },
        'said',
      ),
    ).toEqual([
      { reasoningContent: { reasoningText: { text: 'a', signature: 'SIG1' } } },
      { reasoningContent: { reasoningText: { text: '', signature: 'SIG2' } } },
      { reasoningContent: { redactedContent: 'REFUQQ==' } },
      { text: 'said' },
    ])
  })

  it('thinking is never the end of a message', async () =>
    expect(await contentOf({ type: 'reasoning', text: 'a', signature: 's', provider: own() })).toEqual([
      { reasoningContent: { reasoningText: { text: 'a', signature: 's' } } },
      { text: '[no content]' },
    ]))

  it('calls of the server and their results', async () => {
    const nova = (more: object = {}): object => ({ bedrock: { maker: 'amazon', ...more } })
    const [, sent] = await messagesOf(
      'us.amazon.nova-2-lite-v1:0',
      user('go'),
      assistant(
        { type: 'server_tool_use', id: 'tooluse_1', name: 'nova_grounding', input: { query: 'q' }, provider: nova() },
        {
          type: 'server_tool_result',
          toolUseId: 'tooluse_1',
          content: [{ text: 'r' }],
          provider: nova({ type: 'nova_grounding_result', status: 'success' }),
        },
        'said',
      ),
      user('on'),
    )
    expect(sent!.content).toEqual([
      { toolUse: { toolUseId: 'tooluse_1', name: 'nova_grounding', input: { query: 'q' }, type: 'server_tool_use' } },
      { toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'r' }], type: 'nova_grounding_result', status: 'success' } },
      { text: 'said' },
    ])
  })

  it('ids of calls', async () =>
    expect(await contentOf(called('call_1', 'look', { id: 'tooluse_1' }))).toEqual([
      { toolUse: { toolUseId: 'tooluse_1', name: 'look', input: { at: 1 } } },
    ]))
})

describe('a history of other models', () => {
  it('leaves out what only they understand', async () => {
    const openai = { openai: { id: 'fc_1' } }
    expect(
      await contentOf(
        { type: 'reasoning', text: 'secret', signature: 'theirs', provider: { anthropic: { type: 'thinking' } } },
        { type: 'reasoning', text: 'of another maker', signature: 's', provider: { bedrock: { maker: 'amazon' } } },
        { type: 'reasoning', text: 'plain' },
        { type: 'reasoning', text: 'unsigned', provider: own() },
        { type: 'server_tool_use', id: 's', name: 'search', input: {}, provider: openai },
        { type: 'server_tool_result', toolUseId: 's', content: 'r', provider: openai },
        { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'aGk=' } },
        { type: 'text', text: 'said', citations: [{ url: 'u', provider: openai }] },
        { type: 'tool_use', id: 'call_1', name: 'look', input: {}, provider: openai },
      ),
    ).toEqual([{ text: 'said' }, { toolUse: { toolUseId: 'call_1', name: 'look', input: {} } }])
  })

  it('is never empty for it', async () =>
    expect(await contentOf({ type: 'reasoning', text: 'secret', provider: { google: {} } })).toEqual([{ text: '[no content]' }]))

  it('has ids that the API takes, and results that name them', async () => {
    const ids = ['functions.look:0', 'functions.look_0', 'x'.repeat(80), 'call_1', 'call_2']
    const content = [...ids.slice(0, 4).map((id) => called(id)), called(ids[4]!, 'look', { id: 'call_1' })]
    const messages = await messagesOf(claude, user('go'), assistant(...content), user(...ids.map((id) => result(id))))
    const idsIn = (at: number, kind: string): unknown[] =>
      messages[at]!.content.map((block) => (block[kind] as { readonly toolUseId: string }).toolUseId)
    expect(idsIn(1, 'toolUse')).toEqual(['functions_look_0', 'functions_look_0_2', 'x'.repeat(60), 'call_1', 'call_2'])
    expect(idsIn(2, 'toolResult')).toEqual(idsIn(1, 'toolUse'))
  })
})

describe('results', () => {
  const image = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'aGk=' } }
  const wireImage = { image: { format: 'png', source: { bytes: 'aGk=' } } }
  const turn = [
    user('go'),
    assistant(called('call_1', 'look', { id: 'tooluse_a' }), called('call_2'), called('call_3')),
    user(
      {
        type: 'tool_result',
        toolUseId: 'call_1',
        status: 'success',
        content: [{ type: 'json', value: { n: 1 } }, { type: 'json', value: [1] }, image],
      },
      { type: 'tool_result', toolUseId: 'call_2', status: 'error', code: 'timeout', content: [{ type: 'text', text: 'too late' }, image] },
      result('call_3', ' '),
      'and now?',
    ),
  ] as const

  it('stand first, in order, with their status, and then what was said', async () => {
    expect((await messagesOf(claude, ...turn))[2]!.content).toEqual([
      { toolResult: { toolUseId: 'tooluse_a', content: [{ json: { n: 1 } }, { text: '[1]' }, wireImage] } },
      {
        toolResult: {
          toolUseId: 'call_2',
          status: 'error',
          content: [{ text: 'too late' }, { text: '[image, image/png: behind the results]' }],
        },
      },
      { toolResult: { toolUseId: 'call_3', content: [{ text: '[no content]' }] } },
      { text: 'The image that belongs to the result of call call_2:' },
      wireImage,
      { text: 'and now?' },
    ])
  })

  it('are text alone for models that read nothing else in them', async () => {
    const behind = { text: '[image, image/png: behind the results]' }
    expect((await messagesOf('us.meta.llama4-scout-17b-instruct-v1:0', ...turn))[2]!.content).toEqual([
      { toolResult: { toolUseId: 'tooluse_a', content: [{ json: { n: 1 } }, { text: '[1]' }, behind] } },
      { toolResult: { toolUseId: 'call_2', content: [{ text: 'too late' }, behind] } },
      { toolResult: { toolUseId: 'call_3', content: [{ text: '[no content]' }] } },
      { text: 'The image that belongs to the result of call tooluse_a:' },
      wireImage,
      { text: 'The image that belongs to the result of call call_2:' },
      wireImage,
      { text: 'and now?' },
    ])
  })
})

describe('a last message of the assistant', () => {
  const last = async (id: string, ...content: readonly (string | object)[]): Promise<readonly unknown[]> =>
    (await messagesOf(id, user('go'), assistant(...content))).slice(1)
  const goOn = { role: 'user', content: [{ text: 'Please go on.' }] }

  it('is gone on from, without white space at its end', async () => {
    for (const id of [claude, 'us.amazon.nova-pro-v1:0'])
      expect(await last(id, 'a ', 'The answer is: \n')).toEqual([
        { role: 'assistant', content: [{ text: 'a ' }, { text: 'The answer is:' }] },
      ])
  })

  it('is followed by a word of the user where the model goes on from none', async () => {
    for (const id of ['anthropic.claude-sonnet-4-6', 'us.meta.llama3-3-70b-instruct-v1:0'])
      expect(await last(id, 'So: ')).toEqual([{ role: 'assistant', content: [{ text: 'So: ' }] }, goOn])
    const thinking = await bodyOf({ messages: history(user('go'), assistant('So:')), settings: { thinking: {} } }, claude)
    expect(thinking.messages.at(-1)).toEqual(goOn)
  })

  it('is sent as it stands where such a word would come between the model and its thinking', async () =>
    expect(await last('anthropic.claude-opus-5-5', 'So: ')).toEqual([{ role: 'assistant', content: [{ text: 'So: ' }] }]))
})

describe('a message that was sent before', () => {
  it('is made once, and again only when what its results answer has changed', async () => {
    const sent: (readonly unknown[])[] = []
    const client: NonNullable<BedrockOptions['client']> = {
      send: async (command: { readonly input: object }) => {
        sent.push((command.input as { readonly messages: readonly unknown[] }).messages)
        return { stream: undefined, $metadata: {} }
      },
    }
    const model = bedrock(claude, { client })
    const all = history(user('go'), assistant(called('call_1')), user(result('call_1'), 'thanks'), assistant('bye'), user('on'))
    const [other] = history(assistant(called('call_1', 'look', { id: 'tooluse_1' })))
    await answer(model, request({ messages: all.slice(0, 3) }))
    await answer(model, request({ messages: all }))
    await answer(model, request({ messages: [all[0]!, other!, all[2]!] }))
    expect(sent.map((messages) => messages.map((message, i) => message === sent[0]![i]))).toEqual([
      [true, true, true],
      [true, true, true, false, false],
      [true, false, false],
    ])
  })
})
