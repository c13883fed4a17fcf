// Request bodies against the types of the official SDK. Types alone: not a line of it is loaded.
import type { Anthropic } from '@anthropic-ai/sdk'
import { expect, it } from 'vitest'
import type { ModelRequest } from '../../../src/models/model.ts'
import type { AnthropicOptions } from '../../../src/providers/anthropic/index.ts'
import { assistant, bodyOf, called, history, point, result, user } from './support/ask.ts'

/** Models before 4.7 take two fields that the newest SDK no longer names. */
type Body = Anthropic.MessageCreateParamsStreaming & { readonly temperature?: number; readonly top_p?: number }
type Case = readonly [name: string, asked: Partial<ModelRequest>, expected: Body, id?: string, options?: AnthropicOptions]

const model = 'claude-sonnet-4-5'
const plain = { model, max_tokens: 32_000, stream: true } as const
const hello = { role: 'user', content: [{ type: 'text', text: 'hello' }] } satisfies Anthropic.MessageParam
const look = { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { at: { type: 'number' } } } }
const wireLook = {
  name: 'look',
  description: 'Looks.',
  input_schema: { type: 'object', properties: { at: { type: 'number' } } },
} satisfies Anthropic.ToolUnion
const own = (type: string): object => ({ provider: { anthropic: { type } } })
const png = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AA==' } } as const
const pdf = { type: 'document', mediaType: 'application/pdf' } as const

const cases: readonly Case[] = [
  [
    'texts, pictures and documents',
    {
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: history(
        user(
          'see',
          png,
          { ...png, source: { type: 'url', url: 'https://a.example/b.png' } },
          { ...pdf, source: { type: 'base64', data: 'AA==' }, title: 'Paper' },
          { ...pdf, source: { type: 'url', url: 'https://a.example/b.pdf' } },
          { ...pdf, mediaType: 'text/plain', source: { type: 'text', text: 'note' } },
        ),
      ),
    },
    {
      ...plain,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
            { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
            { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' }, title: 'Paper' },
            { type: 'document', source: { type: 'url', url: 'https://a.example/b.pdf' } },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'note' } },
          ],
        },
      ],
    },
  ],
  [
    'calls made together, with results of each kind',
    {
      tools: [look],
      messages: history(
        user('go'),
        assistant('Both.', called('a'), called('b'), called('c')),
        user(
          result('a'),
          {
            type: 'tool_result',
            toolUseId: 'b',
            status: 'error',
            code: 'timeout',
            content: [{ type: 'text', text: 'Error: late' }, png],
          },
          { type: 'tool_result', toolUseId: 'c', status: 'success', content: [{ type: 'json', value: { n: 1 } }, png] },
        ),
      ),
    },
    {
      ...plain,
      tools: [wireLook],
      tool_choice: { type: 'auto' },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'go' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Both.' },
            { type: 'tool_use', id: 'a', name: 'look', input: { at: 1 } },
            { type: 'tool_use', id: 'b', name: 'look', input: { at: 1 } },
            { type: 'tool_use', id: 'c', name: 'look', input: { at: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'done' }] },
            {
              type: 'tool_result',
              tool_use_id: 'b',
              is_error: true,
              content: [
                { type: 'text', text: 'Error: late' },
                { type: 'text', text: '[image, image/png: behind the results]' },
              ],
            },
            {
              type: 'tool_result',
              tool_use_id: 'c',
              content: [
                { type: 'text', text: '{"n":1}' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
              ],
            },
            { type: 'text', text: 'The image that belongs to the result of call b:' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
          ],
        },
      ],
    },
  ],
  [
    'thinking with a budget, what was thought, and a forced tool that is therefore not forced',
    {
      tools: [look],
      toolChoice: { name: 'look' },
      settings: { thinking: { budgetTokens: 2000 }, maxTokens: 5000 },
      messages: history(
        user('go'),
        assistant(
          { type: 'reasoning', text: 'a', signature: 'SIG1', ...own('thinking') },
          { type: 'reasoning', text: '', redacted: 'DATA', ...own('redacted_thinking') },
          'said',
        ),
        user('on'),
      ),
    },
    {
      ...plain,
      max_tokens: 5000,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      tools: [wireLook],
      tool_choice: { type: 'auto' },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'go' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'a', signature: 'SIG1' },
            { type: 'redacted_thinking', data: 'DATA' },
            { type: 'text', text: 'said' },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'on' }] },
      ],
    },
  ],
  [
    'thinking by effort',
    { settings: { thinking: { effort: 'low' } } },
    {
      ...plain,
      model: 'claude-opus-4-8',
      max_tokens: 64_000,
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'low' },
      messages: [hello],
    },
    'claude-opus-4-8',
  ],
  [
    'no thinking',
    { settings: { thinking: false } },
    { ...plain, model: 'claude-opus-4-8', max_tokens: 64_000, thinking: { type: 'disabled' }, messages: [hello] },
    'claude-opus-4-8',
  ],
  ...(
    [
      [{ name: 'look' }, { type: 'tool', name: 'look' }],
      ['required', { type: 'any' }],
      ['none', { type: 'none' }],
    ] as const satisfies readonly (readonly [ModelRequest['toolChoice'], Anthropic.ToolChoice])[]
  ).map(([toolChoice, choice]): Case => [
    `the choice of tools ${JSON.stringify(toolChoice)}`,
    { tools: [look], toolChoice },
    { ...plain, tools: [wireLook], tool_choice: choice, messages: [hello] },
  ]),
  [
    'settings, an output with a schema, and a tool of the server',
    {
      output: { name: 'place', schema: { type: 'object', properties: { city: { type: 'string', minLength: 1 } }, required: ['city'] } },
      settings: { maxTokens: 99, temperature: 0.5, stopSequences: ['END'], extra: { metadata: { user_id: 'u' }, service_tier: 'auto' } },
    },
    {
      ...plain,
      max_tokens: 99,
      temperature: 0.5,
      stop_sequences: ['END'],
      output_config: {
        format: {
          type: 'json_schema',
          schema: {
            type: 'object',
            properties: { city: { type: 'string', description: '{"minLength":1}' } },
            required: ['city'],
            additionalProperties: false,
          },
        },
      },
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      tool_choice: { type: 'auto' },
      metadata: { user_id: 'u' },
      service_tier: 'auto',
      messages: [hello],
    },
    model,
    { body: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] } },
  ],
  [
    'cache points behind tools, system prompt and messages',
    {
      tools: [look],
      system: [point(), { type: 'text', text: 'Be brief.' }, point('1h')] as ModelRequest['system'],
      messages: history(user('one', point('5m')), assistant('two'), user('three', point())),
    },
    {
      ...plain,
      tools: [{ ...wireLook, cache_control: { type: 'ephemeral' } }],
      tool_choice: { type: 'auto' },
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'one', cache_control: { type: 'ephemeral', ttl: '5m' } }] },
        { role: 'assistant', content: [{ type: 'text', text: 'two' }] },
        { role: 'user', content: [{ type: 'text', text: 'three', cache_control: { type: 'ephemeral' } }] },
      ],
    },
  ],
]

for (const [name, asked, expected, id = model, options] of cases)
  it(`a body with ${name} is one that the SDK would send`, async () => expect(await bodyOf(asked, id, options)).toEqual(expected))
