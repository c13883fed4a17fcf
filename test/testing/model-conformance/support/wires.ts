import type { Model } from 'lena-agent'
import type { ModelScene, SceneBlock, SceneFailure } from 'lena-agent/testing'
import { anthropic } from '../../../../src/providers/anthropic/index.ts'
import { bedrock } from '../../../../src/providers/bedrock/index.ts'
import { google } from '../../../../src/providers/google/index.ts'
import { openai } from '../../../../src/providers/openai/index.ts'
import * as messages from '../../../providers/anthropic/support/sse.ts'
import { claude, eventStreamType, keys } from '../../../providers/bedrock/support/ask.ts'
import * as converse from '../../../providers/bedrock/support/frames.ts'
import * as gemini from '../../../providers/google/support/sse.ts'
import * as responses from '../../../providers/openai-responses/support/sse.ts'
import type { JsonObject } from '../../../../src/util/json.ts'

/** How one wire says what a scene is. */
export type Wire = {
  readonly model: (origin: string) => Model
  readonly contentType: string
  readonly begin: (scene: ModelScene) => string | Uint8Array
  readonly end: (scene: ModelScene) => string | Uint8Array
  readonly failure: (failure: SceneFailure) => readonly [status: number, body: unknown]
}

const indexed = <T>(scene: ModelScene, say: (block: SceneBlock, index: number) => readonly T[]): readonly T[] => scene.blocks.flatMap(say)
const eventStream = 'text/event-stream'

const anthropicWire: Wire = {
  model: (origin) => anthropic('claude-x', { apiKey: 'k', baseURL: `${origin}/v1` }),
  contentType: eventStream,
  begin: (scene) =>
    messages.sse(
      messages.begins({ usage: { input_tokens: scene.usage.inputTokens, output_tokens: 1 } }),
      ...indexed(scene, (block, i) => [
        messages.opens(
          i,
          block.type === 'text' ? { type: 'text', text: '' } : { type: 'tool_use', id: block.id, name: block.name, input: {} },
        ),
        ...block.pieces.map((piece) =>
          messages.adds(i, block.type === 'text' ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece }),
        ),
        messages.closes(i),
      ]),
    ),
  end: ({ stopReason, usage }) =>
    messages.sse(
      { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: usage.outputTokens } },
      { type: 'message_stop' },
    ),
  failure: (failure) => {
    const said = (type: string, message = 'No.') => ({ type: 'error', error: { type, message } })
    if (failure === 'throttled') return [429, said('rate_limit_error')]
    if (failure === 'overloaded') return [529, said('overloaded_error')]
    if (failure === 'authentication') return [401, said('authentication_error')]
    return [
      400,
      said('invalid_request_error', failure === 'context_overflow' ? 'prompt is too long: 210000 tokens > 200000 maximum' : 'No.'),
    ]
  },
}

const openaiFailure = (failure: SceneFailure): readonly [number, unknown] => {
  const said = (code: string) => ({ error: { message: 'No.', type: code, code } })
  if (failure === 'throttled') return [429, said('rate_limit_exceeded')]
  if (failure === 'overloaded') return [503, said('server_error')]
  if (failure === 'authentication') return [401, said('invalid_api_key')]
  return [400, said(failure === 'context_overflow' ? 'context_length_exceeded' : 'invalid_value')]
}

const data = (...chunks: readonly unknown[]): string => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
const chunk = (delta: JsonObject, finish: string | null = null): unknown => ({
  id: 'c1',
  model: 'm-1',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

const chatWire: Wire = {
  model: (origin) => openai('m', { apiKey: 'k', baseURL: `${origin}/v1`, provider: 'p' }),
  contentType: eventStream,
  begin: (scene) => {
    let call = -1
    return data(
      chunk({ role: 'assistant' }),
      ...indexed(scene, (block) => {
        if (block.type === 'text') return block.pieces.map((content) => chunk({ content }))
        const index = ++call
        return [
          chunk({ tool_calls: [{ index, id: block.id, type: 'function', function: { name: block.name, arguments: '' } }] }),
          ...block.pieces.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
        ]
      }),
    )
  },
  end: ({ stopReason, usage }) =>
    data(chunk({}, { end_turn: 'stop', tool_use: 'tool_calls', max_tokens: 'length' }[stopReason]), {
      id: 'c1',
      choices: [],
      usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens },
    }) + 'data: [DONE]\n\n',
  failure: openaiFailure,
}

const responsesWire: Wire = {
  model: (origin) => openai('gpt-5.2', { apiKey: 'k', baseURL: `${origin}/v1`, api: 'responses' }),
  contentType: eventStream,
  begin: (scene) =>
    responses.sse(
      responses.begins(),
      ...indexed(scene, (block, i) => {
        const whole = block.pieces.join('')
        if (block.type === 'text')
          return [
            responses.adds(i, responses.message('')),
            ...block.pieces.map((piece) => responses.says(i, piece)),
            responses.ends(i, responses.message(whole)),
          ]
        const item = (input: string) => responses.call(input, { id: `fc_${i}`, call_id: block.id, name: block.name })
        return [
          responses.adds(i, item('')),
          ...block.pieces.map((piece) => responses.passes(i, piece)),
          responses.passed(i, whole),
          responses.ends(i, item(whole)),
        ]
      }),
    ),
  end: ({ stopReason, usage }) => {
    const counts = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }
    if (stopReason !== 'max_tokens') return responses.sse(responses.completed({ usage: counts }))
    const { type, response } = responses.incomplete('max_output_tokens') as { readonly type: string; readonly response: JsonObject }
    return responses.sse({ type, response: { ...response, usage: counts } })
  },
  failure: openaiFailure,
}

const googleWire: Wire = {
  model: (origin) => google('gemini-x', { apiKey: 'k', baseURL: `${origin}/v1beta` }),
  contentType: eventStream,
  begin: (scene) =>
    gemini.sse(
      ...indexed(scene, (block) =>
        block.type === 'text'
          ? block.pieces.map((piece) => gemini.parts(gemini.text(piece)))
          : [gemini.parts({ functionCall: { id: block.id, name: block.name, args: JSON.parse(block.pieces.join('')) as JsonObject } })],
      ),
    ),
  end: ({ stopReason, usage }) =>
    gemini.sse({
      ...gemini.ends(stopReason === 'max_tokens' ? 'MAX_TOKENS' : 'STOP'),
      usageMetadata: { promptTokenCount: usage.inputTokens, candidatesTokenCount: usage.outputTokens },
    }),
  failure: (failure) => {
    const said = (code: number, status: string, message = 'No.') => [code, { error: { code, status, message } }] as const
    if (failure === 'throttled') return said(429, 'RESOURCE_EXHAUSTED')
    if (failure === 'overloaded') return said(503, 'UNAVAILABLE')
    if (failure === 'authentication') return said(401, 'UNAUTHENTICATED')
    if (failure === 'context_overflow')
      return said(400, 'INVALID_ARGUMENT', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).')
    return said(400, 'INVALID_ARGUMENT')
  },
}

const bedrockWire: Wire = {
  model: (origin) => bedrock(claude, { region: 'us-east-1', credentials: keys, endpoint: origin }),
  contentType: eventStreamType,
  begin: (scene) =>
    converse.frames(
      converse.begins,
      ...indexed(scene, (block, i) =>
        block.type === 'text'
          ? [...block.pieces.map((piece) => converse.adds(i, { text: piece })), converse.closes(i)]
          : [
              converse.opens(i, { toolUse: { toolUseId: block.id, name: block.name } }),
              ...block.pieces.map((piece) => converse.adds(i, { toolUse: { input: piece } })),
              converse.closes(i),
            ],
      ),
    ),
  end: ({ stopReason, usage }) => converse.frames(converse.stops(stopReason), converse.counts({ ...usage, totalTokens: 0 })),
  failure: (failure) => {
    if (failure === 'throttled') return [429, { __type: 'ThrottlingException', message: 'Slow down.' }]
    if (failure === 'overloaded') return [503, { __type: 'ServiceUnavailableException', message: 'No.' }]
    if (failure === 'authentication') return [403, { __type: 'UnrecognizedClientException', message: 'No.' }]
    return [
      400,
      { __type: 'ValidationException', message: failure === 'context_overflow' ? 'Input is too long for requested model.' : 'No.' },
    ]
  },
}

/** The wires of every provider that speaks one. */
export const wires: Readonly<Record<string, Wire>> = {
  anthropic: anthropicWire,
  'openai responses': responsesWire,
  'openai chat': chatWire,
  google: googleWire,
  bedrock: bedrockWire,
}
