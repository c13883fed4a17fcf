// What a model is called with, and what it gives, against the types of the specification. Types alone.
import type { LanguageModelV4CallOptions, LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { LanguageModelV3StreamPart } from 'ai-sdk-provider-3'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/answer.ts'
import { answerTo, assistant, called, failure, history, optionsOf, result, spec, user } from './support/ask.ts'
import type { Part } from './support/scripted.ts'
import { calls, finish, says } from './support/scripted.ts'

it('a call with calls made together, settings, an output and a tool choice is one of the specification', async () => {
  const expected: Omit<LanguageModelV4CallOptions, 'abortSignal'> = {
    maxOutputTokens: 99,
    temperature: 0.5,
    topP: 0.9,
    stopSequences: ['END'],
    reasoning: 'low',
    responseFormat: { type: 'json', name: 'place', schema: { type: 'object' } },
    toolChoice: { type: 'tool', toolName: 'look' },
    tools: [{ type: 'function', name: 'look', description: 'The tool look.', inputSchema: { type: 'object' } }],
    includeRawChunks: false,
    prompt: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Both.' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: { at: 1 } },
          { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: { at: 1 } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'look', output: { type: 'text', value: 'done' } },
          { type: 'tool-result', toolCallId: 'b', toolName: 'look', output: { type: 'error-text', value: 'Error: late' } },
        ],
      },
    ],
  }
  const asked = await optionsOf({
    system: [{ type: 'text', text: 'Be brief.' }],
    tools: [spec('look')],
    toolChoice: { name: 'look' },
    output: { name: 'place', schema: { type: 'object' } },
    settings: { maxTokens: 99, temperature: 0.5, topP: 0.9, stopSequences: ['END'], thinking: { effort: 'low' } },
    messages: history(user('go'), assistant('Both.', called('a'), called('b')), user(result('a', 'done'), failure('b', 'Error: late'))),
  })
  expect({ includeRawChunks: false, ...asked }).toEqual(expected)
})

type Type = LanguageModelV4StreamPart['type'] | LanguageModelV3StreamPart['type']
const end = finish()
const call = [...calls('look', '{"at":1}', 'a'), finish('tool-calls')]
const source: Part = { type: 'source', sourceType: 'url', id: 's', url: 'https://a.example', title: 't' }
const server: Part = { type: 'tool-call', toolCallId: 'w', toolName: 'search', input: '{}', providerExecuted: true }
const thought: readonly Part[] = [
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'hm' },
  { type: 'reasoning-end', id: 'r', providerMetadata: { test: { signature: 'S' } } },
]
/** An answer that is another one without its part of this type, or why there is none. */
const answers: { readonly [Of in Type]: readonly Part[] | 'says nothing of the answer' | 'opens what its piece opens too' } = {
  'response-metadata': [{ type: 'response-metadata', id: 'r1', modelId: 'm-2' }, ...says('said'), end],
  'text-delta': [...says('said'), end],
  'text-end': [...says('a', '0'), { type: 'text-delta', id: '0', delta: 'b' }, end],
  'reasoning-delta': [...thought, end],
  'reasoning-end': [...thought, end],
  'tool-input-delta': call.filter(({ type }) => type !== 'tool-call'),
  'tool-input-start': call.filter(({ type }) => type !== 'tool-call'),
  'tool-call': [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{"at":1}' }, finish('tool-calls')],
  'tool-result': [server, { type: 'tool-result', toolCallId: 'w', toolName: 'search', result: { n: 1 } }, end],
  file: [{ type: 'file', mediaType: 'image/png', data: 'AA==' }, ...says('said'), end],
  source: [{ type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: 'said' }, source, { type: 'text-end', id: '0' }, end],
  finish: [...says('said'), finish('length')],
  error: [...says('said'), { type: 'error', error: new Error('no') }],
  'text-start': 'opens what its piece opens too',
  'reasoning-start': 'opens what its piece opens too',
  'tool-input-end': 'says nothing of the answer',
  'stream-start': 'says nothing of the answer',
  raw: 'says nothing of the answer',
  ping: 'says nothing of the answer',
  'tool-approval-request': [...says('said'), { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'w' }, end],
  'reasoning-file': [{ type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: 'AA==' } }, ...says('said'), end],
  custom: [{ type: 'custom', kind: 'test.note' }, ...says('said'), end],
}
const outcome = ({ message, error, events }: Answer): unknown => [
  message?.content,
  message?.stopReason,
  error && String(error),
  events.find(({ type }) => type === 'message_start'),
]
describe('a part', () => {
  const rows = Object.entries(answers).flatMap(([type, parts]) => (typeof parts === 'string' ? [] : [[type, parts] as const]))
  it.each(rows)('%s has an effect', async (type, parts) =>
    expect(outcome(await answerTo(parts.filter((part) => part.type !== type)))).not.toEqual(outcome(await answerTo(parts))),
  )
})

const reasons: { readonly [Reason in LanguageModelV4FinishReason['unified']]: string } = {
  stop: 'end_turn',
  length: 'max_tokens',
  'content-filter': 'content_filtered',
  // Corrected: there is no call in this answer.
  'tool-calls': 'end_turn',
  error: 'an error',
  interrupted: 'an error',
  other: 'end_turn',
}
it.each(Object.entries(reasons))('the reason %s is %s here', async (reason, ours) => {
  const { message, error } = await answerTo([...says('said'), finish(reason)])
  expect(message?.stopReason ?? (error instanceof Error && 'an error')).toBe(ours)
})
