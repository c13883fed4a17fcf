import { describe, expect, it } from 'vitest'
import type { AssistantBlock, ToolResultContent, UserBlock } from '../../../src/messages/content.ts'
import type { SendableMessage } from '../../../src/messages/normalise.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer, request } from '../support/answer.ts'
import { fakeFetch } from '../support/fake-fetch.ts'

/** The messages on the wire. */
async function sent(...messages: readonly SendableMessage[]): Promise<readonly unknown[]> {
  const { fetch, asked } = fakeFetch()
  const { error } = await answer(openai('gpt', { api: 'chat', apiKey: 'k', fetch }), request({ messages }))
  if (error) throw error
  return (JSON.parse(asked[0]!.body) as { messages: readonly unknown[] }).messages
}

const user = (...content: readonly UserBlock[]): SendableMessage => ({ role: 'user', content })
const assistant = (...content: readonly AssistantBlock[]): SendableMessage => ({ role: 'assistant', content })
const result = (toolUseId: string, ...content: readonly ToolResultContent[]): UserBlock => ({
  type: 'tool_result',
  toolUseId,
  status: 'success',
  content,
})
const call = (id: string, provider?: Record<string, Record<string, string>>): AssistantBlock => ({
  type: 'tool_use',
  id,
  name: 'add',
  input: { a: 1 },
  ...(provider && { provider }),
})
const wireCall = (id: string): unknown => ({ id, type: 'function', function: { name: 'add', arguments: '{"a":1}' } })
const text = (value: string): { readonly type: 'text'; readonly text: string } => ({ type: 'text', text: value })

describe('what a user says', () => {
  const pdf = 'JVBERi0='
  it.each<readonly [string, readonly UserBlock[], unknown]>([
    ['one text', [text('hi')], 'hi'],
    ['several texts', [text('hi'), text('there')], [text('hi'), text('there')]],
    ['a cache point', [text('hi'), { type: 'cache_point' }], 'hi'],
    [
      'an image as data',
      [{ type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AAA=' } }],
      [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAA=' } }],
    ],
    [
      'an image by URL',
      [text('look'), { type: 'image', mediaType: 'image/png', source: { type: 'url', url: 'https://x.test/a.png' } }],
      [text('look'), { type: 'image_url', image_url: { url: 'https://x.test/a.png' } }],
    ],
    [
      'a PDF',
      [{ type: 'document', mediaType: 'application/pdf', source: { type: 'base64', data: pdf }, title: 'a.pdf' }],
      [{ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` } }],
    ],
    [
      'a PDF without a title',
      [{ type: 'document', mediaType: 'application/pdf', source: { type: 'base64', data: pdf } }],
      [{ type: 'file', file: { filename: 'document.pdf', file_data: `data:application/pdf;base64,${pdf}` } }],
    ],
    [
      'a text document',
      [{ type: 'document', mediaType: 'text/plain', source: { type: 'text', text: 'words' }, title: 'notes' }],
      'notes:\n\nwords',
    ],
    [
      'a text document as data',
      [{ type: 'document', mediaType: 'text/markdown', source: { type: 'base64', data: btoa('# caf\u00c3\u00a9') } }],
      '# café',
    ],
    [
      'a document by URL',
      [{ type: 'document', mediaType: 'application/pdf', source: { type: 'url', url: 'https://x.test/a.pdf' }, title: 'A' }],
      'A: https://x.test/a.pdf',
    ],
  ])('%s', async (_what, blocks, content) => expect(await sent(user(...blocks))).toEqual([{ role: 'user', content }]))

  it('is well-formed, though it was cut inside a character', async () => {
    expect(await sent(user(text('a\ud83d')))).toEqual([{ role: 'user', content: 'a\ufffd' }])
  })
})

describe('what the model said', () => {
  it.each<readonly [string, readonly AssistantBlock[], unknown]>([
    ['texts', [text('one '), text('two')], { role: 'assistant', content: 'one two' }],
    [
      'text and calls',
      [text('go'), call('call_1'), call('call_2')],
      { role: 'assistant', content: 'go', tool_calls: [wireCall('call_1'), wireCall('call_2')] },
    ],
    ['a call alone', [call('call_1')], { role: 'assistant', content: null, tool_calls: [wireCall('call_1')] }],
    ['text between calls', [text('a'), call('call_1'), text('b')], { role: 'assistant', content: 'ab', tool_calls: [wireCall('call_1')] }],
    ['reasoning is left out', [{ type: 'reasoning', text: 'hm', signature: 's' }, text('so')], { role: 'assistant', content: 'so' }],
    ['reasoning alone', [{ type: 'reasoning', text: 'hm' }], { role: 'assistant', content: '[no content]' }],
    [
      'tools of another provider are left out',
      [
        { type: 'server_tool_use', id: 'x', name: 'search', input: {} },
        { type: 'server_tool_result', toolUseId: 'x', content: [] },
        text('so'),
      ],
      { role: 'assistant', content: 'so' },
    ],
    [
      'a call that could not be read',
      [{ type: 'tool_use', id: 'call_1', name: 'add', input: {}, invalidInput: { text: '{"a":', error: 'cut' } }],
      { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'add', arguments: '{}' } }] },
    ],
    [
      'what the provider wants back with a call',
      [
        {
          type: 'tool_use',
          id: 'call_1',
          name: 'add',
          input: { a: 1 },
          provider: { openai: { extra_content: { google: { thought_signature: 's' } } } },
        },
      ],
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ ...(wireCall('call_1') as object), extra_content: { google: { thought_signature: 's' } } }],
      },
    ],
  ])('%s', async (_what, blocks, message) =>
    expect(await sent(user(text('hi')), assistant(...blocks))).toEqual([{ role: 'user', content: 'hi' }, message]),
  )
})

describe('results', () => {
  it('are a message each, in order, before what the user says', async () => {
    expect(
      await sent(
        assistant(call('call_1'), call('call_2')),
        user(result('call_1', text('one'), text('two')), result('call_2', { type: 'json', value: { n: 6 } }), text('and now?')),
      ),
    ).toEqual([
      { role: 'assistant', content: null, tool_calls: [wireCall('call_1'), wireCall('call_2')] },
      { role: 'tool', tool_call_id: 'call_1', content: 'one\ntwo' },
      { role: 'tool', tool_call_id: 'call_2', content: '{"n":6}' },
      { role: 'user', content: 'and now?' },
    ])
  })

  it('that are errors say so in their own words', async () => {
    expect(
      (
        await sent(
          assistant(call('call_1')),
          user({ type: 'tool_result', toolUseId: 'call_1', status: 'error', code: 'timeout', content: [text('Too slow.')] }),
        )
      )[1],
    ).toEqual({ role: 'tool', tool_call_id: 'call_1', content: 'Too slow.' })
  })

  it('with images and files show them in the user message behind all results', async () => {
    const image = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AAA=' } } as const
    const file = { type: 'document', mediaType: 'application/pdf', source: { type: 'base64', data: 'BBB=' } } as const
    const note = { type: 'document', mediaType: 'text/plain', source: { type: 'text', text: 'words' } } as const
    const messages = await sent(
      assistant(call('call_1'), call('call_2')),
      user(result('call_1', text('seen'), image, note), result('call_2', file), text('well?')),
    )
    expect(messages.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: 'seen\n[image, image/png: in the next user message]\nwords' },
      { role: 'tool', tool_call_id: 'call_2', content: '[document, application/pdf: in the next user message]' },
      {
        role: 'user',
        content: [
          text('The image that belongs to the result of call call_1:'),
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAA=' } },
          text('The document that belongs to the result of call call_2:'),
          { type: 'file', file: { filename: 'document.pdf', file_data: 'data:application/pdf;base64,BBB=' } },
          text('well?'),
        ],
      },
    ])
  })
})

describe('the id of a call', () => {
  it.each<readonly [string, Record<string, Record<string, string>> | undefined, string]>([
    ["is the provider's own", { openai: { id: 'functions.add:0' } }, 'functions.add:0'],
    ['is ours when it gave none', undefined, 'call_1'],
    ['is ours when another provider gave one', { anthropic: { id: 'toolu_1' } }, 'call_1'],
    ['is ours when the one it gave is empty', { openai: { id: '' } }, 'call_1'],
    ['is ours when the one it gave has spaces', { openai: { id: 'a b' } }, 'call_1'],
    ['is ours when the one it gave is too long', { openai: { id: 'x'.repeat(65) } }, 'call_1'],
  ])('%s', async (_what, provider, id) => {
    expect(await sent(assistant(call('call_1', provider)), user(result('call_1', text('1'))))).toEqual([
      { role: 'assistant', content: null, tool_calls: [wireCall(id)] },
      { role: 'tool', tool_call_id: id, content: '1' },
    ])
  })

  it('is ours for the second of two that have the same', async () => {
    const same = { openai: { id: 'x' } }
    expect(
      await sent(assistant(call('call_1', same), call('call_2', same)), user(result('call_1', text('1')), result('call_2', text('2')))),
    ).toEqual([
      { role: 'assistant', content: null, tool_calls: [wireCall('x'), wireCall('call_2')] },
      { role: 'tool', tool_call_id: 'x', content: '1' },
      { role: 'tool', tool_call_id: 'call_2', content: '2' },
    ])
  })
})
