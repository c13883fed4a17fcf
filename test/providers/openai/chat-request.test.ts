import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../../src/models/model.ts'
import type { OpenAIOptions } from '../../../src/providers/openai/index.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer, request } from '../support/answer.ts'
import { fakeFetch } from '../support/fake-fetch.ts'

/** The body that is sent for this request. */
async function bodyOf(parts: Partial<ModelRequest>, options: Partial<OpenAIOptions> = {}): Promise<Record<string, unknown>> {
  const { fetch, asked } = fakeFetch()
  const { error } = await answer(openai('gpt', { api: 'chat', apiKey: 'k', fetch, ...options }), request(parts))
  if (error) throw error
  return JSON.parse(asked[0]!.body) as Record<string, unknown>
}

const hello = { role: 'user', content: 'hello' }
const always = { model: 'gpt', stream: true, stream_options: { include_usage: true }, messages: [hello] }
const specs = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }]
const wireTools = [{ type: 'function', function: { name: 'add', description: 'Adds.', parameters: specs[0]!.inputSchema } }]

const requests: readonly (readonly [
  what: string,
  parts: Partial<ModelRequest>,
  options: Partial<OpenAIOptions>,
  more: Record<string, unknown>,
])[] = [
  ['nothing but the prompt', {}, {}, {}],
  [
    'a system prompt',
    { system: [{ type: 'text', text: 'Be brief.' }] },
    {},
    { messages: [{ role: 'system', content: 'Be brief.' }, hello] },
  ],
  [
    'a system prompt of several texts',
    { system: [{ type: 'text', text: 'Be brief.' }, { type: 'cache_point' }, { type: 'text', text: 'Be kind.' }] },
    {},
    { messages: [{ role: 'system', content: 'Be brief.\n\nBe kind.' }, hello] },
  ],
  ['tools', { tools: specs }, {}, { tools: wireTools }],
  ['tools and no choice', { tools: specs, toolChoice: 'none' }, {}, { tools: wireTools, tool_choice: 'none' }],
  ['tools of which one must be used', { tools: specs, toolChoice: 'required' }, {}, { tools: wireTools, tool_choice: 'required' }],
  [
    'a tool that must be used',
    { tools: specs, toolChoice: { name: 'add' } },
    {},
    { tools: wireTools, tool_choice: { type: 'function', function: { name: 'add' } } },
  ],
  ['a choice without tools', { toolChoice: 'required' }, {}, {}],
  [
    'tools of the server beside ours',
    { tools: specs, settings: { extra: { tools: [{ type: 'web_search' }] } } },
    {},
    { tools: [...wireTools, { type: 'web_search' }] },
  ],
  ['tools of the server alone', { settings: { extra: { tools: [{ type: 'web_search' }] } } }, {}, { tools: [{ type: 'web_search' }] }],
  [
    'all settings',
    { settings: { maxTokens: 5, temperature: 0, topP: 0.5, stopSequences: ['END'], thinking: { effort: 'low' } } },
    {},
    { max_completion_tokens: 5, temperature: 0, top_p: 0.5, stop: ['END'], reasoning_effort: 'low' },
  ],
  [
    'thinking that is off, and no stop sequence',
    { settings: { thinking: false, stopSequences: [] } },
    { thinking: { effort: 'high' } },
    {},
  ],
  ['settings of the model', {}, { maxTokens: 5, temperature: 1 }, { max_completion_tokens: 5, temperature: 1 }],
  [
    "the request's settings before the model's",
    { settings: { temperature: 0 } },
    { temperature: 1, topP: 1 },
    { temperature: 0, top_p: 1 },
  ],
  [
    'unknown fields',
    { settings: { extra: { seed: 2, c: 3 } } },
    { body: { seed: 1, a: 1 }, extra: { b: 2 } },
    { seed: 2, a: 1, b: 2, c: 3 },
  ],
  [
    'fields of the user before ours',
    { settings: { maxTokens: 5, extra: { max_completion_tokens: 7 } } },
    { body: { stream_options: undefined } },
    { max_completion_tokens: 7, stream_options: undefined },
  ],
  ['fields that make the wire', { settings: { extra: { stream: false, messages: [] } } }, {}, {}],
  [
    'the older name for the limit, for servers of others',
    { settings: { maxTokens: 5 } },
    { baseURL: 'http://localhost:1/v1' },
    { max_tokens: 5 },
  ],
  [
    'the newer name for the limit, for Azure',
    { settings: { maxTokens: 5 } },
    { baseURL: 'https://x.openai.azure.com/openai/v1' },
    { max_completion_tokens: 5 },
  ],
  [
    'an output schema that strict mode takes',
    {
      output: {
        name: 'city',
        schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false },
      },
    },
    {},
    {
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'city',
          strict: true,
          schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false },
        },
      },
    },
  ],
  [
    'an output schema that it would refuse',
    { output: { name: 'city', schema: { type: 'object', properties: { name: { type: 'string', minLength: 1 } } } } },
    {},
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'city', schema: { type: 'object', properties: { name: { type: 'string', minLength: 1 } } } },
      },
    },
  ],
]

describe('a request', () => {
  it.each(requests)('with %s', async (_what, parts, options, more) => {
    expect(await bodyOf(parts, options)).toEqual(JSON.parse(JSON.stringify({ ...always, ...more })))
  })
})

describe('where it goes', () => {
  const sent = async (options: OpenAIOptions): Promise<{ readonly url: string; readonly headers: Record<string, string> }> => {
    const { fetch, asked } = fakeFetch()
    const { error } = await answer(openai('gpt', { api: 'chat', fetch, ...options }))
    if (error) throw error
    return { url: asked[0]!.url, headers: asked[0]!.headers }
  }
  const own = { 'content-type': 'application/json', accept: 'text/event-stream' }

  it.each<readonly [OpenAIOptions, string, Record<string, string>]>([
    [{ apiKey: 'k' }, 'https://api.openai.com/v1/chat/completions', { ...own, authorization: 'Bearer k' }],
    [{ baseURL: 'http://localhost:1/v1/' }, 'http://localhost:1/v1/chat/completions', own],
    [
      { baseURL: 'http://localhost:1/v1?api-version=2', apiKey: 'k' },
      'http://localhost:1/v1/chat/completions?api-version=2',
      { ...own, authorization: 'Bearer k' },
    ],
    [
      { headers: { Authorization: 'Own', 'X-A': '1' } },
      'https://api.openai.com/v1/chat/completions',
      { ...own, authorization: 'Own', 'x-a': '1' },
    ],
  ])('%j', async (options, url, headers) => expect(await sent(options)).toEqual({ url, headers }))
})
