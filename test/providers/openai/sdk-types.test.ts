// Chat Completions against the types of the official SDK, both ways. Types alone: not a line of it is loaded.
import type { OpenAI } from 'openai'
import { describe, expect, it } from 'vitest'
import type { AssistantBlock, UserBlock } from '../../../src/messages/content.ts'
import type { SendableMessage } from '../../../src/messages/normalise.ts'
import type { ModelRequest } from '../../../src/models/model.ts'
import type { OpenAIOptions } from '../../../src/providers/openai/index.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import type { Answer } from '../support/answer.ts'
import { answer, request } from '../support/answer.ts'
import { chunks, fakeFetch } from '../support/fake-fetch.ts'

type Body = OpenAI.Chat.ChatCompletionCreateParamsStreaming
type Chunk = OpenAI.Chat.ChatCompletionChunk
type Choice = OpenAI.Chat.ChatCompletionChunk.Choice
type Delta = OpenAI.Chat.ChatCompletionChunk.Choice.Delta
type Case = readonly [name: string, asked: Partial<ModelRequest>, expected: Body, options?: OpenAIOptions]

const user = (...content: readonly UserBlock[]): SendableMessage => ({ role: 'user', content })
const assistant = (...content: readonly AssistantBlock[]): SendableMessage => ({ role: 'assistant', content })
const text = (value: string) => ({ type: 'text', text: value }) as const
const png = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AA==' } } as const
const plain = { model: 'gpt', stream: true, stream_options: { include_usage: true } } as const
const hello = { role: 'user', content: 'hello' } satisfies OpenAI.Chat.ChatCompletionMessageParam
const look = { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { at: { type: 'number' } } } }
const wireLook = {
  type: 'function',
  function: { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { at: { type: 'number' } } } },
} satisfies OpenAI.Chat.ChatCompletionTool

const cases: readonly Case[] = [
  [
    'texts, pictures and documents',
    {
      system: [text('Be brief.')],
      messages: [
        user(text('see'), png, {
          type: 'document',
          mediaType: 'application/pdf',
          source: { type: 'base64', data: 'AA==' },
          title: 'a.pdf',
        }),
      ],
    },
    {
      ...plain,
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } },
          ],
        },
      ],
    },
  ],
  [
    'calls made together, with results of each kind',
    {
      tools: [look],
      messages: [
        user(text('go')),
        assistant(
          text('Both.'),
          { type: 'tool_use', id: 'a', name: 'look', input: { at: 1 }, provider: { openai: { id: 'call_A' } } },
          { type: 'tool_use', id: 'b', name: 'look', input: {} },
        ),
        user(
          { type: 'tool_result', toolUseId: 'a', status: 'error', code: 'timeout', content: [text('Error: late')] },
          { type: 'tool_result', toolUseId: 'b', status: 'success', content: [{ type: 'json', value: { n: 1 } }, png] },
        ),
      ],
    },
    {
      ...plain,
      tools: [wireLook],
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: 'Both.',
          tool_calls: [
            { id: 'call_A', type: 'function', function: { name: 'look', arguments: '{"at":1}' } },
            { id: 'b', type: 'function', function: { name: 'look', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_A', content: 'Error: late' },
        { role: 'tool', tool_call_id: 'b', content: '{"n":1}\n[image, image/png: in the next user message]' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'The image that belongs to the result of call b:' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          ],
        },
      ],
    },
  ],
  [
    'settings, an output with a schema, thinking and fields of the user',
    {
      output: {
        name: 'place',
        schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
      },
      settings: { maxTokens: 99, temperature: 0.5, topP: 0.9, stopSequences: ['END'], thinking: { effort: 'low' }, extra: { seed: 1 } },
    },
    {
      ...plain,
      max_completion_tokens: 99,
      temperature: 0.5,
      top_p: 0.9,
      stop: ['END'],
      reasoning_effort: 'low',
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'place',
          schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
          strict: true,
        },
      },
      seed: 1,
      messages: [hello],
    },
  ],
  [
    'a limit, to a server of others',
    { settings: { maxTokens: 99 } },
    { ...plain, max_tokens: 99, messages: [hello] },
    { baseURL: 'http://localhost/v1' },
  ],
  ...(
    [
      [{ name: 'look' }, { type: 'function', function: { name: 'look' } }],
      ['required', 'required'],
      ['none', 'none'],
    ] as const satisfies readonly (readonly [ModelRequest['toolChoice'], OpenAI.Chat.ChatCompletionToolChoiceOption])[]
  ).map(([toolChoice, choice]): Case => [
    `the choice of tools ${JSON.stringify(toolChoice)}`,
    { tools: [look], toolChoice },
    { ...plain, tools: [wireLook], tool_choice: choice, messages: [hello] },
  ]),
]

for (const [name, asked, expected, options] of cases)
  it(`a body with ${name} is one that the SDK would send`, async () => {
    const { fetch, asked: seen } = fakeFetch()
    await answer(openai('gpt', { api: 'chat', apiKey: 'k', fetch, ...options }), request(asked))
    expect(JSON.parse(seen[0]!.body)).toEqual(expected)
  })

const answerTo = (...sent: readonly Chunk[]): Promise<Answer> =>
  answer(openai('gpt', { api: 'chat', apiKey: 'k', fetch: fakeFetch(chunks(...sent)).fetch }))
const chunk = (delta: Delta, finish: Choice['finish_reason'] = null): Chunk => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'gpt',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

describe('a piece of an answer', () => {
  const call = { index: 0, id: 'call_A', type: 'function', function: { name: 'look', arguments: '{"at":1}' } } as const
  const fields: { readonly [Field in keyof Delta]-?: readonly [sample: Delta, content: readonly unknown[]] } = {
    content: [{ content: 'said' }, [{ type: 'text', text: 'said' }]],
    refusal: [{ refusal: 'no' }, [{ type: 'text', text: 'no' }]],
    tool_calls: [
      { tool_calls: [call] },
      [{ type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 }, provider: { openai: { id: 'call_A' } } }],
    ],
    function_call: [{ function_call: call.function }, [{ type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 } }]],
    // There is but one who speaks, and nobody asked for sound.
    role: [{ role: 'assistant' }, []],
    audio: [{ audio: { id: 'a', data: 'AA==' } }, []],
  }
  it.each(Object.entries(fields))('in the field %s is what it is here', async (_field, [sample, content]) =>
    expect((await answerTo(chunk(sample), chunk({}, 'stop'))).message?.content).toEqual(content),
  )
})

const reasons: { readonly [Reason in NonNullable<Choice['finish_reason']>]: string } = {
  stop: 'end_turn',
  length: 'max_tokens',
  content_filter: 'content_filtered',
  // Corrected: there is no call in this answer.
  tool_calls: 'end_turn',
  function_call: 'end_turn',
}
it.each(Object.entries(reasons))('the reason %s is %s here', async (reason, ours) =>
  expect((await answerTo(chunk({ content: 'said' }), chunk({}, reason as Choice['finish_reason']))).message?.stopReason).toBe(ours),
)

it('the counts of a whole answer are read under the names of the SDK', async () => {
  const usage = {
    prompt_tokens: 10,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens: 20,
    completion_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 30,
  } satisfies OpenAI.CompletionUsage
  const { message } = await answerTo(chunk({ content: 'said' }, 'stop'), { ...chunk({}), choices: [], usage })
  expect(message?.usage).toEqual({ inputTokens: 10, outputTokens: 20, totalTokens: 30, cacheReadTokens: 4, reasoningTokens: 5 })
})
