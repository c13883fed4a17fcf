// Bodies as they stand on the wire, and events, against the types of the official SDK. Types alone.
import type {
  ContentBlockDelta,
  ContentBlockStart,
  ConverseStreamCommandInput,
  ConverseStreamOutput,
  ReasoningContentBlockDelta,
  StopReason,
  TokenUsage,
} from '@aws-sdk/client-bedrock-runtime'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../../src/models/model.ts'
import type { BedrockOptions } from '../../../src/providers/bedrock/index.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import type { Answer } from '../support/answer.ts'
import { answerTo, assistant, bodyOf, called, history, point, result, user } from './support/ask.ts'
import type { WireEvent } from './support/frames.ts'
import { adds, begins, closes, counts, ends, opens, says, stops } from './support/frames.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

type Body = Omit<ConverseStreamCommandInput, 'modelId'>
type Case = readonly [name: string, asked: Partial<ModelRequest>, expected: Body, options?: BedrockOptions]

const bytes = Uint8Array.of(0)
/** Bytes are base64 on the wire. */
const onWire = (value: unknown): JsonObject =>
  JSON.parse(JSON.stringify(value, (_key, of: unknown) => (of instanceof Uint8Array ? btoa(String.fromCharCode(...of)) : of))) as JsonObject

const hello = { role: 'user', content: [{ text: 'hello' }] } satisfies NonNullable<Body['messages']>[number]
const look = { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { at: { type: 'number' } } } }
const wireLook = {
  toolSpec: { name: 'look', description: 'Looks.', inputSchema: { json: { type: 'object', properties: { at: { type: 'number' } } } } },
} as const
const own = { provider: { bedrock: { maker: 'anthropic' } } }
const png = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AA==' } } as const

const cases: readonly Case[] = [
  [
    'texts, pictures, documents and cache points',
    {
      system: [{ type: 'text', text: 'Be brief.' }, point() as { readonly type: 'cache_point' }],
      messages: history(
        user(
          'see',
          png,
          { type: 'document', mediaType: 'application/pdf', source: { type: 'base64', data: 'AA==' }, title: 'Paper' },
          point('1h'),
        ),
      ),
    },
    {
      system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }],
      messages: [
        {
          role: 'user',
          content: [
            { text: 'see' },
            { image: { format: 'png', source: { bytes } } },
            { document: { format: 'pdf', name: 'Paper', source: { bytes } } },
            { cachePoint: { type: 'default', ttl: '1h' } },
          ],
        },
      ],
    },
  ],
  [
    'what was thought, calls made together, and results of each kind',
    {
      tools: [look],
      settings: { thinking: { budgetTokens: 2000 }, maxTokens: 5000 },
      messages: history(
        user('go'),
        assistant(
          { type: 'reasoning', text: 'hm', signature: 'SIG', ...own },
          { type: 'reasoning', text: '', redacted: 'AA==', ...own },
          called('a'),
          called('b'),
          called('c'),
        ),
        user(result('a'), result('b', 'Error: late', 'error'), {
          type: 'tool_result',
          toolUseId: 'c',
          status: 'success',
          content: [{ type: 'json', value: { n: 1 } }, png],
        }),
      ),
    },
    {
      toolConfig: { tools: [wireLook] },
      inferenceConfig: { maxTokens: 5000 },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2000 } },
      messages: [
        { role: 'user', content: [{ text: 'go' }] },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'hm', signature: 'SIG' } } },
            { reasoningContent: { redactedContent: bytes } },
            { toolUse: { toolUseId: 'a', name: 'look', input: { at: 1 } } },
            { toolUse: { toolUseId: 'b', name: 'look', input: { at: 1 } } },
            { toolUse: { toolUseId: 'c', name: 'look', input: { at: 1 } } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'a', content: [{ text: 'done' }] } },
            { toolResult: { toolUseId: 'b', content: [{ text: 'Error: late' }], status: 'error' } },
            {
              toolResult: { toolUseId: 'c', content: [{ json: { n: 1 } }, { image: { format: 'png', source: { bytes } } }] },
            },
          ],
        },
      ],
    },
  ],
  [
    'settings, an output with a schema, a guardrail, and fields of the user',
    {
      output: { name: 'place', schema: { type: 'object', properties: { city: { type: 'string' } } } },
      settings: { maxTokens: 99, temperature: 0.5, stopSequences: ['END'], extra: { requestMetadata: { team: 'blue' } } },
    },
    {
      inferenceConfig: { maxTokens: 99, temperature: 0.5, stopSequences: ['END'] },
      outputConfig: {
        textFormat: {
          type: 'json_schema',
          structure: {
            jsonSchema: {
              name: 'place',
              schema: '{"type":"object","properties":{"city":{"type":"string"}},"additionalProperties":false}',
            },
          },
        },
      },
      guardrailConfig: { guardrailIdentifier: 'g', guardrailVersion: '1', trace: 'enabled', streamProcessingMode: 'sync' },
      requestMetadata: { team: 'blue' },
      messages: [hello],
    },
    { guardrail: { id: 'g', version: '1', trace: 'enabled', mode: 'sync' } },
  ],
  ...(
    [
      [{ name: 'look' }, { tool: { name: 'look' } }],
      ['required', { any: {} }],
    ] as const satisfies readonly (readonly [ModelRequest['toolChoice'], object])[]
  ).map(([toolChoice, choice]): Case => [
    `the choice of tools ${JSON.stringify(toolChoice)}`,
    { tools: [look], toolChoice },
    { toolConfig: { tools: [wireLook], toolChoice: choice }, messages: [hello] },
  ]),
]

for (const [name, asked, expected, options] of cases)
  it(`a body with ${name} is one that the SDK would send`, async () =>
    expect(await bodyOf(asked, undefined, options)).toEqual(onWire(expected)))

type Known<Union> = Exclude<keyof Union, '$unknown'> & string
const outcome = ({ message, error }: Answer): unknown => [message?.content, message?.stopReason, message?.usage, error && String(error)]

const call = { toolUse: { toolUseId: 'tooluse_1', name: 'look' } }
/** An answer, and which of its events is left out. */
type Left = { readonly all: readonly WireEvent[]; readonly at: number }
const failed = (name: string): Left => ({ all: [begins, ...says(0, 'said'), [name, { message: 'no' }], ...ends()], at: 3 })
const calling = [begins, opens(0, call), adds(0, { toolUse: { input: '{"at":1}' } }), closes(0), stops('tool_use'), counts()] as const
const events: { readonly [Name in Known<ConverseStreamOutput>]: Left | 'says nothing but that it begins' } = {
  messageStart: 'says nothing but that it begins',
  contentBlockStart: { all: calling, at: 1 },
  contentBlockDelta: { all: calling, at: 2 },
  // Two texts, or one.
  contentBlockStop: { all: [begins, adds(0, { text: 'a' }), closes(0), adds(0, { text: 'b' }), closes(0), ...ends()], at: 2 },
  messageStop: { all: calling, at: 4 },
  metadata: { all: calling, at: 5 },
  internalServerException: failed('internalServerException'),
  modelStreamErrorException: failed('modelStreamErrorException'),
  serviceUnavailableException: failed('serviceUnavailableException'),
  throttlingException: failed('throttlingException'),
  validationException: failed('validationException'),
}
describe('an event', () => {
  const rows = Object.entries(events).flatMap(([name, left]) => (typeof left === 'string' ? [] : [[name, left] as const]))
  it.each(rows)('%s has an effect', async (name, { all, at }) => {
    expect(all[at]![0]).toBe(name)
    expect(outcome(await answerTo(all.filter((_, i) => i !== at)))).not.toEqual(outcome(await answerTo(all)))
  })
})

describe('a block', () => {
  const starts: { readonly [Name in Known<ContentBlockStart>]: ContentBlockStart } = {
    toolUse: { toolUse: { toolUseId: 'tooluse_1', name: 'look' } },
    toolResult: { toolResult: { toolUseId: 'tooluse_1', type: 'web_search', status: 'success' } },
    image: { image: { format: 'png' } },
  }
  const deltas: {
    readonly [Name in Known<ContentBlockDelta>]: readonly [ContentBlockDelta, begun: readonly WireEvent[], content: object]
  } = {
    text: [{ text: 'said' }, [], { type: 'text', text: 'said' }],
    toolUse: [
      { toolUse: { input: '{"at":1}' } },
      [opens(0, onWire(starts.toolUse))],
      { type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 }, provider: { bedrock: { id: 'tooluse_1' } } },
    ],
    reasoningContent: [{ reasoningContent: { text: 'hm' } }, [], { type: 'reasoning', text: 'hm' }],
    citation: [
      { citation: { title: 't', sourceContent: [{ text: 'q' }], location: { web: { url: 'https://a.example' } } } },
      [adds(0, { text: 'said' })],
      { type: 'text', text: 'said', citations: [{ title: 't', quote: 'q', url: 'https://a.example' }] },
    ],
    toolResult: [
      { toolResult: [{ text: 'found' }] },
      [opens(0, onWire(starts.toolResult))],
      { type: 'server_tool_result', toolUseId: 'tooluse_1', content: [{ text: 'found' }] },
    ],
    image: [
      { image: { source: { bytes } } },
      [opens(0, onWire(starts.image))],
      { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AA==' } },
    ],
  }
  it.each(Object.entries(deltas))('with a piece of %s is what it is here', async (_name, [delta, begun, content]) => {
    const { message } = await answerTo([begins, ...begun, adds(0, onWire(delta)), closes(0), ...ends()])
    expect(message!.content).toMatchObject([content])
  })

  const thoughts: { readonly [Name in Known<ReasoningContentBlockDelta>]: readonly [ReasoningContentBlockDelta, content: object] } = {
    text: [{ text: 'hm' }, { type: 'reasoning', text: 'hm' }],
    signature: [{ signature: 'SIG' }, { type: 'reasoning', text: '', signature: 'SIG' }],
    redactedContent: [{ redactedContent: bytes }, { type: 'reasoning', text: '', redacted: 'AA==' }],
  }
  it.each(Object.entries(thoughts))('with a %s of thoughts is what it is here', async (_name, [delta, content]) => {
    const { message } = await answerTo([begins, adds(0, { reasoningContent: onWire(delta) }), closes(0), ...ends()])
    expect(message!.content).toMatchObject([content])
  })
})

const reasons: { readonly [Reason in StopReason]: string } = {
  end_turn: 'end_turn',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  // Corrected: there is no call in this answer.
  tool_use: 'end_turn',
  content_filtered: 'content_filtered',
  guardrail_intervened: 'guardrail_intervened',
  model_context_window_exceeded: 'context_window_exceeded',
  malformed_model_output: 'an error',
  malformed_tool_use: 'an error',
}
it.each(Object.entries(reasons))('the reason %s is %s here', async (reason, ours) => {
  const { message, error } = await answerTo([begins, ...says(0, 'said'), ...ends(reason)])
  expect(message?.stopReason ?? (String(error).includes(`"${reason}"`) ? 'an error' : error)).toBe(ours)
})

it('the counts of a whole answer are read under the names of the SDK', async () => {
  const usage = {
    inputTokens: 1,
    outputTokens: 20,
    totalTokens: 4321,
    cacheReadInputTokens: 4000,
    cacheWriteInputTokens: 300,
  } satisfies TokenUsage
  const { message } = await answerTo([begins, ...says(0, 'said'), stops('end_turn'), counts(usage)])
  expect(message!.usage).toEqual({ inputTokens: 4301, outputTokens: 20, totalTokens: 4321, cacheReadTokens: 4000, cacheWriteTokens: 300 })
})
