import { describe, expect, it } from 'vitest'
import { assistant, bodyOf, called, history, result, user } from './support/ask.ts'

const own = (type: string, more: object = {}): object => ({ anthropic: { type, ...more } })
const contentOf = async (...content: readonly (string | object)[]): Promise<unknown> =>
  (await bodyOf({ messages: history(user('go'), assistant(...content), user('on')) })).messages[1]!.content

describe('what the provider gave goes back to it', () => {
  it('thinking, each with its own signature, and hidden thinking', async () => {
    expect(
      await contentOf(
        { type: 'reasoning', text: 'a', signature: 'SIG1', provider: own('thinking') },
        { type: 'reasoning', text: '', signature: 'SIG2', provider: own('thinking') },
        { type: 'reasoning', text: '', redacted: 'DATA', provider: own('redacted_thinking') },
        'said',
      ),
    ).toEqual([
      { type: 'thinking', thinking: 'a', signature: 'SIG1' },
      { type: 'thinking', thinking: '', signature: 'SIG2' },
      { type: 'redacted_thinking', data: 'DATA' },
      { type: 'text', text: 'said' },
    ])
  })

  it('thinking is never the end of a message', async () => {
    expect(await contentOf({ type: 'reasoning', text: 'a', signature: 's', provider: own('thinking') })).toEqual([
      { type: 'thinking', thinking: 'a', signature: 's' },
      { type: 'text', text: '[no content]' },
    ])
  })

  it('citations, calls of the server and their results, blocks without a name', async () => {
    expect(
      await contentOf(
        { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'q' }, provider: own('server_tool_use') },
        {
          type: 'server_tool_result',
          toolUseId: 'srv_1',
          content: [{ url: 'u' }],
          provider: own('web_search_tool_result', { caller: { type: 'direct' } }),
        },
        { type: 'server_tool_result', toolUseId: '', content: null, provider: own('compaction', { content: 'so far' }) },
        {
          type: 'text',
          text: 'said',
          citations: [{ title: 't', provider: { anthropic: { type: 'char_location', cited_text: 'c' } } }, { title: 'of another' }],
        },
      ),
    ).toEqual([
      { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [{ url: 'u' }], caller: { type: 'direct' } },
      { type: 'compaction', content: 'so far' },
      { type: 'text', text: 'said', citations: [{ type: 'char_location', cited_text: 'c' }] },
    ])
  })

  it('ids of calls, with what came with them', async () => {
    expect(await contentOf(called('call_1', 'look', { id: 'toolu_1', caller: { type: 'direct' } }))).toEqual([
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 1 }, caller: { type: 'direct' } },
    ])
  })
})

describe('a history of other providers', () => {
  it('leaves out what only they understand', async () => {
    const openai = { openai: { id: 'call_abc' } }
    expect(
      await contentOf(
        { type: 'reasoning', text: 'secret', signature: 'theirs', provider: { google: {} } },
        { type: 'reasoning', text: 'plain' },
        { type: 'reasoning', text: 'unsigned', provider: own('thinking') },
        { type: 'server_tool_use', id: 's', name: 'search', input: {}, provider: openai },
        { type: 'server_tool_result', toolUseId: 's', content: 'r', provider: openai },
        { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'aGk=' } },
        { type: 'text', text: 'said', citations: [{ url: 'u', provider: openai }] },
        { type: 'tool_use', id: 'call_1', name: 'look', input: {}, provider: openai },
      ),
    ).toEqual([
      { type: 'text', text: 'said' },
      { type: 'tool_use', id: 'call_1', name: 'look', input: {} },
    ])
  })

  it('is never empty for it', async () => {
    expect(await contentOf({ type: 'reasoning', text: 'secret', provider: { google: {} } })).toEqual([
      { type: 'text', text: '[no content]' },
    ])
  })

  it('has ids that the API takes, and results that name them', async () => {
    const ids = ['functions.look:0', 'functions.look_0', 'x'.repeat(80), 'call_1', 'call_2']
    const content = [...ids.slice(0, 4).map((id) => called(id)), called(ids[4]!, 'look', { id: 'call_1' })]
    const { messages } = await bodyOf({ messages: history(user('go'), assistant(...content), user(...ids.map((id) => result(id)))) })
    const sent = messages[1]!.content.map((block) => block['id'])
    expect(sent).toEqual(['functions_look_0', 'functions_look_0_2', 'x'.repeat(60), 'call_1', 'call_2'])
    expect(messages[2]!.content.map((block) => block['tool_use_id'])).toEqual(sent)
  })
})

describe('a last message of the assistant', () => {
  const last = async (id: string, ...content: readonly (string | object)[]): Promise<readonly unknown[]> =>
    (await bodyOf({ messages: history(user('go'), assistant(...content)) }, id)).messages.slice(1)
  const goOn = { role: 'user', content: [{ type: 'text', text: 'Please go on.' }] }

  it('is gone on from, without white space at its end', async () => {
    expect(await last('claude-sonnet-4-5', 'a ', 'The answer is: \n')).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a ' },
          { type: 'text', text: 'The answer is:' },
        ],
      },
    ])
  })

  it('keeps its white space when another message follows', async () => {
    const model = 'claude-sonnet-4-5'
    expect((await bodyOf({ messages: history(user('go'), assistant('so: '), user('on')) }, model)).messages[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'so: ' }],
    })
  })

  it('is followed by a word of the user where the model goes on from none', async () => {
    expect(await last('claude-sonnet-4-6', 'The answer is: ')).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'The answer is: ' }] },
      goOn,
    ])
    const thinking = await bodyOf({ messages: history(user('go'), assistant('So:')), settings: { thinking: {} } }, 'claude-sonnet-4-5')
    expect(thinking.messages.at(-1)).toEqual(goOn)
  })

  it('is sent as it stands where such a word would come between the model and its thinking', async () => {
    for (const id of ['claude-opus-5-5', 'claude-fable-5-1'])
      expect(await last(id, 'So: ')).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'So: ' }] }])
    expect(await last('claude-opus-5', 'So: ')).toHaveLength(2)
  })

  it('goes back as it is when the server paused amid it', async () => {
    const paused = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'q' }, provider: own('server_tool_use') }
    expect(await last('claude-sonnet-4-6', 'Let me search. ', paused)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me search. ' },
          { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'q' } },
        ],
      },
    ])
  })
})
