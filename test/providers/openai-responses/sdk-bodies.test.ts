// Request bodies against the types of the official SDK. Types alone: not a line of it is loaded.
import type { OpenAI } from 'openai'
import { expect, it } from 'vitest'
import type { ModelRequest } from '../../../src/models/model.ts'
import type { OpenAIOptions } from '../../../src/providers/openai/index.ts'
import { assistant, bodyOf, history, user } from './support/ask.ts'

type Responses = OpenAI.Responses.ResponseInputItem
/** What a model said without an id, another provider's too, goes back without one. The SDK's types name none such. */
type Unnamed<Item> = Item extends { id: string }
  ? Omit<Item, 'id' | 'status'> & { readonly id?: string; readonly status?: 'completed' }
  : never
type Item = Responses | Unnamed<OpenAI.Responses.ResponseOutputMessage> | Unnamed<OpenAI.Responses.ResponseReasoningItem>
type Body = Omit<OpenAI.Responses.ResponseCreateParamsStreaming, 'input'> & { readonly input: readonly Item[] }
type Case = readonly [name: string, asked: Partial<ModelRequest>, expected: Body, options?: OpenAIOptions]

const plain = { model: 'gpt-5.2', store: false, stream: true, include: ['reasoning.encrypted_content'] } satisfies Omit<Body, 'input'>
const hello = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] } satisfies Item
const says = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }) satisfies Item
const look = { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { at: { type: 'number' } } } }
const wireLook = {
  type: 'function',
  name: 'look',
  description: 'Looks.',
  parameters: { type: 'object', properties: { at: { type: 'number' } } },
  strict: false,
} satisfies OpenAI.Responses.Tool
const png = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AA==' } } as const
const pdf = { type: 'document', mediaType: 'application/pdf' } as const
const called = (id: string, own?: object): object => ({
  type: 'tool_use',
  id,
  name: 'look',
  input: { at: 1 },
  ...(own && { provider: { openai: own } }),
})

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
      instructions: 'Be brief.',
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'see' },
            { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AA==' },
            { type: 'input_image', detail: 'auto', image_url: 'https://a.example/b.png' },
            { type: 'input_file', filename: 'Paper', file_data: 'data:application/pdf;base64,AA==' },
            { type: 'input_file', file_url: 'https://a.example/b.pdf' },
            { type: 'input_text', text: 'note' },
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
        assistant('Both.', called('a', { id: 'call_A', itemId: 'fc_1' }), called('b')),
        user(
          { type: 'tool_result', toolUseId: 'a', status: 'error', code: 'timeout', content: [{ type: 'text', text: 'Error: late' }] },
          { type: 'tool_result', toolUseId: 'b', status: 'success', content: [{ type: 'json', value: { n: 1 } }, png] },
        ),
      ),
    },
    {
      ...plain,
      tools: [wireLook],
      input: [
        says('go'),
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Both.', annotations: [] }] },
        { type: 'function_call', id: 'fc_1', status: 'completed', call_id: 'call_A', name: 'look', arguments: '{"at":1}' },
        { type: 'function_call', call_id: 'b', name: 'look', arguments: '{"at":1}' },
        { type: 'function_call_output', call_id: 'call_A', output: 'Error: late' },
        {
          type: 'function_call_output',
          call_id: 'b',
          output: [
            { type: 'input_text', text: '{"n":1}' },
            { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AA==' },
          ],
        },
      ],
    },
  ],
  [
    'what was thought, said, cited and refused',
    {
      messages: history(
        user('go'),
        assistant(
          { type: 'reasoning', text: 'sum', signature: 'ENC', provider: { openai: { itemId: 'rs_1', part: 'summary' } } },
          {
            type: 'text',
            text: 'said',
            citations: [{ url: 'u', provider: { openai: { type: 'url_citation', url: 'u', title: 't', start_index: 0, end_index: 1 } } }],
            provider: { openai: { itemId: 'msg_1', phase: 'commentary' } },
          },
          { type: 'text', text: 'no', provider: { openai: { itemId: 'msg_2', refusal: true } } },
        ),
        user('on'),
      ),
    },
    {
      ...plain,
      input: [
        says('go'),
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'sum' }], encrypted_content: 'ENC' },
        {
          type: 'message',
          role: 'assistant',
          id: 'msg_1',
          status: 'completed',
          phase: 'commentary',
          content: [
            {
              type: 'output_text',
              text: 'said',
              annotations: [{ type: 'url_citation', url: 'u', title: 't', start_index: 0, end_index: 1 }],
            },
          ],
        },
        { type: 'message', role: 'assistant', id: 'msg_2', status: 'completed', content: [{ type: 'refusal', refusal: 'no' }] },
        says('on'),
      ],
    },
  ],
  [
    'settings, an output with a schema, thinking, and a tool of the server',
    {
      tools: [look],
      output: {
        name: 'place',
        schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
      },
      settings: {
        maxTokens: 99,
        temperature: 0.5,
        topP: 0.9,
        thinking: { effort: 'low' },
        extra: { prompt_cache_key: 'p', metadata: { team: 'blue' }, text: { verbosity: 'low' } },
      },
    },
    {
      ...plain,
      max_output_tokens: 99,
      temperature: 0.5,
      top_p: 0.9,
      reasoning: { effort: 'low', summary: 'auto' },
      text: {
        verbosity: 'low',
        format: {
          type: 'json_schema',
          name: 'place',
          schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
          strict: true,
        },
      },
      prompt_cache_key: 'p',
      metadata: { team: 'blue' },
      tools: [wireLook, { type: 'web_search' }],
      input: [hello],
    },
    { body: { tools: [{ type: 'web_search' }] } },
  ],
  ...(
    [
      [{ name: 'look' }, { type: 'function', name: 'look' }],
      ['required', 'required'],
      ['none', 'none'],
    ] as const satisfies readonly (readonly [ModelRequest['toolChoice'], Body['tool_choice']])[]
  ).map(([toolChoice, choice]): Case => [
    `the choice of tools ${JSON.stringify(toolChoice)}`,
    { tools: [look], toolChoice },
    { ...plain, tools: [wireLook], tool_choice: choice, input: [hello] },
  ]),
]

for (const [name, asked, expected, options] of cases)
  it(`a body with ${name} is one that the SDK would send`, async () => expect(await bodyOf(asked, options)).toEqual(expected))
