import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../../src/models/model.ts'
import type { OpenAIOptions } from '../../../src/providers/openai/index.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer } from '../support/answer.ts'
import type { Sent } from './support/ask.ts'
import { bodyOf, fetchOf } from './support/ask.ts'

const hello = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }
const always = { model: 'gpt-5.2', store: false, include: ['reasoning.encrypted_content'], stream: true, input: [hello] }
const specs = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }]
const wireTools = [{ type: 'function', name: 'add', description: 'Adds.', parameters: specs[0]!.inputSchema, strict: false }]
const closed = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false }
const loose = { type: 'object', properties: { name: { type: 'string', minLength: 1 } } }

const requests: readonly (readonly [what: string, parts: Partial<ModelRequest>, options: OpenAIOptions, more: Record<string, unknown>])[] =
  [
    ['nothing but the prompt', {}, {}, {}],
    ['a system prompt', { system: [{ type: 'text', text: 'Be brief.' }] }, {}, { instructions: 'Be brief.' }],
    [
      'a system prompt of several texts',
      { system: [{ type: 'text', text: 'Be brief.' }, { type: 'cache_point' }, { type: 'text', text: 'Be kind.' }] },
      {},
      { instructions: 'Be brief.\n\nBe kind.' },
    ],
    ['tools', { tools: specs }, {}, { tools: wireTools }],
    ['tools and no choice', { tools: specs, toolChoice: 'none' }, {}, { tools: wireTools, tool_choice: 'none' }],
    ['tools of which one must be used', { tools: specs, toolChoice: 'required' }, {}, { tools: wireTools, tool_choice: 'required' }],
    [
      'a tool that must be used',
      { tools: specs, toolChoice: { name: 'add' } },
      {},
      { tools: wireTools, tool_choice: { type: 'function', name: 'add' } },
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
      { max_output_tokens: 5, temperature: 0, top_p: 0.5, reasoning: { effort: 'low', summary: 'auto' } },
    ],
    ['thinking without an effort', { settings: { thinking: {} } }, {}, { reasoning: { summary: 'auto' } }],
    ['thinking that is off', { settings: { thinking: false } }, { thinking: { effort: 'high' } }, {}],
    ['settings of the model', {}, { maxTokens: 5, temperature: 1 }, { max_output_tokens: 5, temperature: 1 }],
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
      { settings: { extra: { store: true } } },
      { body: { include: undefined } },
      { store: true, include: undefined },
    ],
    [
      'fields of the user beside ours',
      { settings: { thinking: { effort: 'low' } }, output: { name: 'city', schema: closed } },
      { body: { reasoning: { summary: 'detailed' }, text: { verbosity: 'low' }, include: ['web_search_call.action.sources'] } },
      {
        reasoning: { effort: 'low', summary: 'detailed' },
        text: { format: { type: 'json_schema', name: 'city', schema: closed, strict: true }, verbosity: 'low' },
        include: ['reasoning.encrypted_content', 'web_search_call.action.sources'],
      },
    ],
    ['fields that make the wire', { settings: { extra: { stream: false, input: [] } } }, {}, {}],
    [
      'an output schema that strict mode takes',
      { output: { name: 'city', schema: closed } },
      {},
      { text: { format: { type: 'json_schema', name: 'city', schema: closed, strict: true } } },
    ],
    [
      'an output schema that it would refuse',
      { output: { name: 'city', schema: loose } },
      {},
      { text: { format: { type: 'json_schema', name: 'city', schema: loose, strict: false } } },
    ],
  ]

describe('a request', () => {
  it.each(requests)('with %s', async (_what, parts, options, more) => {
    expect(await bodyOf(parts, options)).toEqual(JSON.parse(JSON.stringify({ ...always, ...more })))
  })

  it.each(['gpt-4o', 'gpt-4.1-mini', 'gpt-3.5-turbo', 'chatgpt-4o-latest', 'gpt-5-chat-latest', 'ft:gpt-4o-mini:me'])(
    'does not ask for thoughts where they would be refused: %s',
    async (id) => expect((await bodyOf({}, {}, id))['include']).toBe(undefined),
  )

  it.each(['gpt-5', 'o3', 'gpt-5.1-codex', 'grok-4', 'my-deployment'])('asks for thoughts: %s', async (id) =>
    expect((await bodyOf({}, {}, id))['include']).toEqual(['reasoning.encrypted_content']),
  )
})

describe('where it goes', () => {
  const own = { 'content-type': 'application/json', accept: 'text/event-stream' }

  it.each<readonly [OpenAIOptions, string, Record<string, string>]>([
    [{}, 'https://api.openai.com/v1/responses', { ...own, authorization: 'Bearer k' }],
    [{ baseURL: 'http://localhost:1/v1/', api: 'responses', apiKey: undefined }, 'http://localhost:1/v1/responses', own],
    [
      { baseURL: 'http://localhost:1/v1?api-version=2', api: 'responses' },
      'http://localhost:1/v1/responses?api-version=2',
      { ...own, authorization: 'Bearer k' },
    ],
    [
      { headers: { Authorization: 'Own', 'X-A': '1' } },
      'https://api.openai.com/v1/responses',
      { ...own, authorization: 'Own', 'x-a': '1' },
    ],
    [{ api: 'chat' }, 'https://api.openai.com/v1/chat/completions', { ...own, authorization: 'Bearer k' }],
    [{ baseURL: 'http://localhost:1/v1', apiKey: undefined }, 'http://localhost:1/v1/chat/completions', own],
  ])('%j', async (options, url, headers) => {
    const seen: Sent[] = []
    // What is answered is of one API: here only counts where the request goes.
    await answer(openai('gpt-5.2', { apiKey: 'k', fetch: fetchOf('', seen), ...options }))
    expect(seen.map((sent) => ({ url: sent.url, headers: sent.headers }))).toEqual([{ url, headers }])
  })
})
