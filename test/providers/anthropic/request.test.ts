import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../src/providers/anthropic/index.ts'
import type { ModelRequest, ToolSpec } from '../../../src/models/model.ts'
import { answer, request } from '../support/answer.ts'
import type { Sent } from './support/ask.ts'
import { assistant, bodyOf, called, fetchOf, history, result, sentBy, user } from './support/ask.ts'
import { saying } from './support/sse.ts'

const tools: readonly ToolSpec[] = [
  { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { at: { type: 'number' } } } },
]
const hello = [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }]
const plain = { model: 'claude-sonnet-4-5', max_tokens: 32_000, stream: true, messages: hello }
const pdf = { type: 'document', mediaType: 'application/pdf' }

describe('a request', () => {
  it('goes to the Messages API with its version and the key', async () => {
    const { url, headers } = await sentBy({})
    expect([url, headers]).toEqual([
      'https://api.anthropic.com/v1/messages',
      { 'content-type': 'application/json', accept: 'text/event-stream', 'anthropic-version': '2023-06-01', 'x-api-key': 'k' },
    ])
  })

  it.each([
    ['https://gate.example', 'https://gate.example/v1/messages'],
    ['https://gate.example/v1/', 'https://gate.example/v1/messages'],
    ['https://gate.example/anthropic?tenant=7', 'https://gate.example/anthropic/v1/messages?tenant=7'],
  ])('goes from the base %s to %s', async (baseURL, expected) => expect((await sentBy({}, 'm', { baseURL })).url).toBe(expected))

  it('names betas, beside those in the headers of the user', async () => {
    const { headers } = await sentBy({}, 'm', { betas: ['a-1', 'b-2'], headers: { 'Anthropic-Beta': 'c-3', 'X-Team': 'blue' } })
    expect([headers['anthropic-beta'], headers['x-team']]).toEqual(['a-1,b-2,c-3', 'blue'])
  })

  const rows: readonly (readonly [name: string, asked: Partial<ModelRequest>, fields: object])[] = [
    ['nothing but the message', {}, {}],
    [
      'a system prompt',
      {
        system: [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: ' ' },
          { type: 'text', text: 'Be kind.' },
        ],
      },
      {
        system: [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: 'Be kind.' },
        ],
      },
    ],
    [
      'settings',
      { settings: { maxTokens: 99, temperature: 0.5, stopSequences: ['END'] } },
      { max_tokens: 99, temperature: 0.5, stop_sequences: ['END'] },
    ],
    ['top_p', { settings: { topP: 0.9 } }, { top_p: 0.9 }],
    [
      'tools',
      { tools },
      { tools: [{ name: 'look', description: 'Looks.', input_schema: tools[0]!.inputSchema }], tool_choice: { type: 'auto' } },
    ],
    ['any tool', { tools, toolChoice: 'required' }, { tools: expect.anything(), tool_choice: { type: 'any' } }],
    ['one tool', { tools, toolChoice: { name: 'look' } }, { tools: expect.anything(), tool_choice: { type: 'tool', name: 'look' } }],
    ['no tool now', { tools, toolChoice: 'none' }, { tools: expect.anything(), tool_choice: { type: 'none' } }],
    ['a choice without tools', { toolChoice: 'required' }, {}],
    [
      'what a tool says beside',
      { tools: [{ ...tools[0]!, description: '', defer_loading: true } as ToolSpec] },
      { tools: [{ name: 'look', input_schema: tools[0]!.inputSchema, defer_loading: true }], tool_choice: { type: 'auto' } },
    ],
    [
      'fields of the user',
      { settings: { extra: { top_k: 3, max_tokens: 5, metadata: { user_id: 'u' } } } },
      { top_k: 3, max_tokens: 5, metadata: { user_id: 'u' } },
    ],
    [
      'tools that the server runs',
      { tools, settings: { extra: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] } } },
      {
        tools: [
          { name: 'look', description: 'Looks.', input_schema: expect.anything() },
          { type: 'web_search_20250305', name: 'web_search' },
        ],
        tool_choice: { type: 'auto' },
      },
    ],
    [
      'an output',
      { output: { name: 'out', schema: { type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] } } },
      {
        output_config: {
          format: {
            type: 'json_schema',
            schema: {
              type: 'object',
              properties: { n: { type: 'integer', description: '{"minimum":3}' } },
              required: ['n'],
              additionalProperties: false,
            },
          },
        },
      },
    ],
    [
      'an output beside fields of the user',
      { output: { name: 'out', schema: { type: 'object' } }, settings: { extra: { output_config: { effort: 'max' } } } },
      { output_config: { effort: 'max', format: { type: 'json_schema', schema: { type: 'object', additionalProperties: false } } } },
    ],
  ]
  it.each(rows)('holds %s', async (_name, asked, fields) => expect(await bodyOf(asked)).toEqual({ ...plain, ...fields }))

  it('holds the settings and the body of the model, under those of the request', async () => {
    const body = await bodyOf({ settings: { maxTokens: 1 } }, 'm', {
      maxTokens: 2,
      topP: 0.3,
      extra: { a: 2 },
      body: { a: 1, service_tier: 'auto' },
    })
    expect(body).toEqual({ model: 'm', max_tokens: 1, top_p: 0.3, a: 2, service_tier: 'auto', stream: true, messages: hello })
  })

  const bytes = { type: 'base64', data: 'aGk=' }
  const media: readonly (readonly [name: string, block: object, wire: object])[] = [
    [
      'bytes of an image',
      { type: 'image', mediaType: 'image/png', source: bytes },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
    ],
    [
      'an image by its address',
      { type: 'image', mediaType: 'image/png', source: { type: 'url', url: 'https://e.example/a.png' } },
      { type: 'image', source: { type: 'url', url: 'https://e.example/a.png' } },
    ],
    [
      'bytes of a PDF',
      { ...pdf, source: bytes, title: 'Plan' },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' }, title: 'Plan' },
    ],
    [
      'a document by its address',
      { ...pdf, source: { type: 'url', url: 'https://e.example/a.pdf' } },
      { type: 'document', source: { type: 'url', url: 'https://e.example/a.pdf' } },
    ],
    [
      'a text as a document',
      { ...pdf, mediaType: 'text/plain', source: { type: 'text', text: 'hi' }, title: 'Note' },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' }, title: 'Note' },
    ],
    [
      'bytes of a text',
      { ...pdf, mediaType: 'text/markdown', source: bytes },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' } },
    ],
  ]
  it.each(media)('holds %s', async (_name, block, wire) => {
    const { messages } = await bodyOf({ messages: history(user('look:', block)) })
    expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'look:' }, wire] }])
  })

  it('holds results first, in order, and then what was said', async () => {
    const image = { type: 'image', mediaType: 'image/png', source: bytes }
    const { messages } = await bodyOf({
      messages: history(
        user('go'),
        assistant(
          'Let me see.',
          called('call_1', 'look', { id: 'toolu_a' }),
          called('call_2', 'look', { id: 'toolu_b' }),
          called('call_3'),
        ),
        user(
          { type: 'tool_result', toolUseId: 'call_1', status: 'success', content: [{ type: 'json', value: { n: 1 } }, image] },
          {
            type: 'tool_result',
            toolUseId: 'call_2',
            status: 'error',
            code: 'timeout',
            content: [{ type: 'text', text: 'too late' }, image],
          },
          result('call_3', ' '),
          'and now?',
        ),
      ),
    })
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'toolu_a', name: 'look', input: { at: 1 } },
          { type: 'tool_use', id: 'toolu_b', name: 'look', input: { at: 1 } },
          { type: 'tool_use', id: 'call_3', name: 'look', input: { at: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_a',
            content: [
              { type: 'text', text: '{"n":1}' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
            ],
          },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_b',
            is_error: true,
            content: [
              { type: 'text', text: 'too late' },
              { type: 'text', text: '[image, image/png: behind the results]' },
            ],
          },
          { type: 'tool_result', tool_use_id: 'call_3', content: [{ type: 'text', text: '[no content]' }] },
          { type: 'text', text: 'The image that belongs to the result of call toolu_b:' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
          { type: 'text', text: 'and now?' },
        ],
      },
    ])
  })

  it('follows what changes between two turns of one conversation', async () => {
    const seen: Sent[] = []
    const model = anthropic('claude-sonnet-4-5', { apiKey: 'k', fetch: fetchOf(() => new Response(saying('ok')), seen) })
    const same = request({ system: [{ type: 'text', text: 'Be brief.' }] })
    const output = { name: 'out', schema: { type: 'object' } }
    for (const change of [{}, { tools }, { tools, toolChoice: 'required' as const }, { settings: { temperature: 1 } }, { output }, {}])
      await answer(model, { ...same, ...change })
    expect(
      seen.map(({ body }) => [body['tools'] !== undefined, body['tool_choice'], body['temperature'], body['output_config'] !== undefined]),
    ).toEqual([
      [false, undefined, undefined, false],
      [true, { type: 'auto' }, undefined, false],
      [true, { type: 'any' }, undefined, false],
      [false, undefined, 1, false],
      [false, undefined, undefined, true],
      [false, undefined, undefined, false],
    ])
  })

  it('is well-formed even where a text was cut inside a character', async () => {
    const { text } = await sentBy({ system: [{ type: 'text', text: 'half \ud83d' }] })
    expect(text).toContain('half \ufffd')
  })
})

describe('anthropic()', () => {
  it('refuses what is no name and no URL', () => {
    expect(() => anthropic('')).toThrow('anthropic(): expected the name of a model, such as "claude-sonnet-4-6", got "".')
    expect(() => anthropic('m', { baseURL: 'here' })).toThrow(
      'anthropic({ baseURL }): expected a URL such as "https://api.anthropic.com", got "here".',
    )
  })

  it.each([
    ['claude-opus-5-5', 'native', 1_000_000],
    ['claude-sonnet-4-6', 'native', 1_000_000],
    ['claude-haiku-4-5-20251001', 'native', 200_000],
    ['claude-opus-4-1', 'native', 200_000],
    ['claude-sonnet-4-20250514', 'forced_tool', 200_000],
    ['claude-3-7-sonnet-latest', 'forced_tool', 200_000],
    ['kimi-k2', 'forced_tool', undefined],
  ])('knows %s', (id, output, contextWindow) => {
    const model = anthropic(id)
    expect([model.provider, model.id, model.abilities, model.contextWindow]).toEqual([
      'anthropic',
      id,
      { output, images: true, documents: true },
      contextWindow,
    ])
    expect(anthropic(id, { contextWindow: 7 }).contextWindow).toBe(7)
  })
})
