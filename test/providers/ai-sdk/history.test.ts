import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { assistant, called, failure, history, own, promptOf, result, user } from './support/ask.ts'

/** What goes out of a message of the assistant. */
async function contentOf(...content: readonly (string | object)[]): Promise<LanguageModelV4Message['content']> {
  return (await promptOf({ messages: history(user('go'), assistant(...content), user('on')) }))[1]!.content
}

describe('a prompt', () => {
  it('has the instructions as one message, and results before what the user says', async () => {
    const messages = history(
      user('look twice'),
      assistant('I look.', called('call_1'), called('call_2', 'peek')),
      user(result('call_1', 'one'), result('call_2', 'two'), 'and?'),
    )
    expect(
      await promptOf({
        system: [
          { type: 'text', text: 'Be kind.' },
          { type: 'text', text: 'Be brief.' },
        ],
        messages,
      }),
    ).toEqual([
      { role: 'system', content: 'Be kind.\n\nBe brief.' },
      { role: 'user', content: [{ type: 'text', text: 'look twice' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', toolCallId: 'call_1', toolName: 'look', input: { at: 1 } },
          { type: 'tool-call', toolCallId: 'call_2', toolName: 'peek', input: { at: 1 } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'call_1', toolName: 'look', output: { type: 'text', value: 'one' } },
          { type: 'tool-result', toolCallId: 'call_2', toolName: 'peek', output: { type: 'text', value: 'two' } },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'and?' }] },
    ] satisfies LanguageModelV4Message[])
  })

  it('gives the provider its own ids back, but not one that is another call’s', async () => {
    const calls = [
      called('call_1', 'look', { id: 'a' }),
      called('call_2', 'look', { id: 'b' }),
      called('call_3', 'look', { id: 'a' }),
      called('call_4'),
    ]
    const ids = ['call_1', 'call_2', 'call_3', 'call_4']
    const prompt = await promptOf({ messages: history(user('go'), assistant(...calls), user(...ids.map((id) => result(id, id)))) })
    const sent = prompt.slice(1).map(({ content }) => (content as { toolCallId: string }[]).map(({ toolCallId }) => toolCallId))
    expect(sent).toEqual([
      ['a', 'b', 'call_3', 'call_4'],
      ['a', 'b', 'call_3', 'call_4'],
    ])
  })
})

describe('a result goes out', () => {
  const outputOf = async (answer: object): Promise<unknown> => {
    const prompt = await promptOf({ messages: history(user('go'), assistant(called('call_1')), user(answer)) })
    expect(prompt).toHaveLength(3)
    return (prompt[2]!.content[0] as { readonly output: unknown }).output
  }
  const json = { type: 'json', value: { n: 1 } }

  it.each([
    ['as text', result('call_1', 'a', 'b'), { type: 'text', value: 'a\nb' }],
    ['as JSON', result('call_1', json), { type: 'json', value: { n: 1 } }],
    ['as text where JSON is but a part', result('call_1', 'a', json), { type: 'text', value: 'a\n{"n":1}' }],
    ['as the text of an error', failure('call_1', 'a', json), { type: 'error-text', value: 'a\n{"n":1}' }],
    ['as the JSON of an error', failure('call_1', json), { type: 'error-json', value: { n: 1 } }],
    ['as a placeholder', result('call_1', ' '), { type: 'text', value: '[no content]' }],
  ])('%s', async (_how, answer, output) => {
    expect(await outputOf(answer)).toEqual(output)
  })
})

describe('what the provider gave goes back to it', () => {
  it('as options of the part that it came with', async () => {
    expect(
      await contentOf(
        { type: 'reasoning', text: 'hm', ...own({ metadata: { anthropic: { signature: 'SIG' } } }) },
        { type: 'reasoning', text: '', ...own({ metadata: { anthropic: { redactedData: 'DATA' } } }) },
        { type: 'reasoning', text: 'plain', ...own() },
        { type: 'text', text: 'said', ...own({ metadata: { openai: { itemId: 'msg_1' } } }) },
        called('call_1', 'look', { id: 'fc_1', metadata: { google: { thoughtSignature: 'T' } } }),
      ),
    ).toEqual([
      { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'SIG' } } },
      { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'DATA' } } },
      { type: 'reasoning', text: 'plain' },
      { type: 'text', text: 'said', providerOptions: { openai: { itemId: 'msg_1' } } },
      { type: 'tool-call', toolCallId: 'fc_1', toolName: 'look', input: { at: 1 }, providerOptions: { google: { thoughtSignature: 'T' } } },
    ] satisfies LanguageModelV4Message['content'])
  })

  it('also tools that it ran, and what has no name with us', async () => {
    const ran = (id: string, content: unknown, more = {}): object => ({
      type: 'server_tool_result',
      toolUseId: id,
      content,
      ...own({ toolName: 'search', ...more }),
    })
    const kept = (part: object): object => ({ type: 'server_tool_result', toolUseId: '', content: null, ...own({ part: part as never }) })
    const blocks = [
      { type: 'server_tool_use', id: 's1', name: 'search', input: { q: 'x' }, ...own({ metadata: { acme: { n: 1 } } }) },
      ran('s1', [{ url: 'u' }], { metadata: { acme: { n: 2 } } }),
      ran('s2', 'found'),
      ran('s3', { code: 'no' }, { isError: true }),
      kept({ type: 'custom', kind: 'acme.summary', metadata: { acme: { text: 'so far' } } }),
      kept({ type: 'reasoning-file', mediaType: 'image/png', source: { type: 'base64', data: 'aGk=' } }),
      kept({ type: 'reasoning-file', mediaType: 'image/png', source: { type: 'url', url: 'https://x.test/a.png' } }),
    ]
    const result = { type: 'tool-result', toolName: 'search' } as const
    expect(await contentOf(...blocks)).toEqual([
      {
        type: 'tool-call',
        toolCallId: 's1',
        toolName: 'search',
        input: { q: 'x' },
        providerExecuted: true,
        providerOptions: { acme: { n: 1 } },
      },
      { ...result, toolCallId: 's1', output: { type: 'json', value: [{ url: 'u' }] }, providerOptions: { acme: { n: 2 } } },
      { ...result, toolCallId: 's2', output: { type: 'text', value: 'found' } },
      { ...result, toolCallId: 's3', output: { type: 'error-json', value: { code: 'no' } } },
      { type: 'custom', kind: 'acme.summary', providerOptions: { acme: { text: 'so far' } } },
      { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } },
      { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'url', url: new URL('https://x.test/a.png') } },
    ] satisfies LanguageModelV4Message['content'])
    const v3 = await promptOf({ messages: history(user('go'), assistant(...blocks), user('on')) }, {}, { version: 'v3' })
    expect(v3[1]!.content).toHaveLength(4)
  })

  it('also what it drew', async () => {
    const drawn = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'aGk=' } }
    const written = { type: 'document', mediaType: 'text/csv', source: { type: 'text', text: 'é' } }
    const blocks = [
      { ...drawn, ...own({ metadata: { google: { thoughtSignature: 'T' } } }) },
      { ...written, ...own() },
    ]
    expect(await contentOf(...blocks)).toEqual([
      {
        type: 'file',
        mediaType: 'image/png',
        data: { type: 'data', data: 'aGk=' },
        providerOptions: { google: { thoughtSignature: 'T' } },
      },
      { type: 'file', mediaType: 'text/csv', data: { type: 'data', data: 'w6k=' } },
    ])
    const v3 = await promptOf({ messages: history(user('go'), assistant(...blocks), user('on')) }, {}, { version: 'v3' })
    expect(v3[1]!.content).toEqual([
      { type: 'file', mediaType: 'image/png', data: 'aGk=', providerOptions: { google: { thoughtSignature: 'T' } } },
      { type: 'file', mediaType: 'text/csv', data: 'w6k=' },
    ])
  })
})

describe('what another provider gave', () => {
  const theirs = { provider: { anthropic: { id: 'toolu_1', type: 'thinking', metadata: { anthropic: { signature: 'x' } } } } }

  it('stays out, but for texts and calls', async () => {
    expect(
      await contentOf(
        { type: 'reasoning', text: 'secret', signature: 'theirs', ...theirs },
        { type: 'reasoning', text: 'of nobody' },
        { type: 'server_tool_use', id: 's', name: 'search', input: {}, ...theirs },
        { type: 'server_tool_result', toolUseId: 's', content: 'r', ...theirs },
        { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'aGk=' } },
        { type: 'text', text: 'said', ...theirs },
        { ...called('call_1'), ...theirs },
      ),
    ).toEqual([
      { type: 'text', text: 'said' },
      { type: 'tool-call', toolCallId: 'call_1', toolName: 'look', input: { at: 1 } },
    ])
  })

  it('leaves no message empty, nor one that holds thoughts alone', async () => {
    const placeholder = { type: 'text', text: '[no content]' }
    expect(await contentOf({ type: 'reasoning', text: 'secret', ...theirs })).toEqual([placeholder])
    expect(await contentOf({ type: 'reasoning', text: 'mine', ...own() })).toEqual([{ type: 'reasoning', text: 'mine' }, placeholder])
  })
})
