import type { Model } from '../../../../src/models/model.ts'
import { anthropic } from '../../../../src/providers/anthropic/index.ts'
import { bedrock } from '../../../../src/providers/bedrock/index.ts'
import { google } from '../../../../src/providers/google/index.ts'
import { openai } from '../../../../src/providers/openai/index.ts'
import type { Clock } from '../../../../src/util/clock.ts'
import type { JsonObject } from '../../../../src/util/json.ts'
import * as messages from '../../../providers/anthropic/support/sse.ts'
import * as converse from '../../../providers/bedrock/support/frames.ts'
import * as generate from '../../../providers/google/support/sse.ts'
import * as responses from '../../../providers/openai-responses/support/sse.ts'
import { chunk, chunks } from '../../../providers/support/fake-fetch.ts'

type Options = {
  readonly fetch: typeof globalThis.fetch
  readonly clock?: Clock
  readonly headersTimeoutMs?: number
  readonly idleTimeoutMs?: number
}
export type Call = { readonly name: string; readonly input: string }

/** One of the wires that are spoken here. */
export type Wire = {
  readonly name: string
  readonly contentType: string
  readonly model: (options: Options) => Model
  /** A whole answer: what it says, and what it calls. */
  readonly answer: (text: string, ...calls: readonly Call[]) => Uint8Array<ArrayBuffer>
  /** The first bytes of an answer, whose end never comes. */
  readonly begun: (text: string) => Uint8Array<ArrayBuffer>
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const events = 'text/event-stream'

export const wires: readonly Wire[] = [
  {
    name: 'Messages',
    contentType: events,
    model: (options) => anthropic('claude-sonnet-4-5', { apiKey: 'k', ...options }),
    answer: (text, ...calls) =>
      bytes(
        messages.sse(
          messages.begins(),
          ...(text === '' ? [] : messages.says(0, text)),
          ...calls.flatMap(({ name, input }, i) => messages.calls(i + 1, name, input)),
          ...messages.ends(calls.length > 0 ? 'tool_use' : 'end_turn'),
        ),
      ),
    begun: (text) => bytes(messages.sse(messages.begins(), ...messages.says(0, text))),
  },
  {
    name: 'Responses',
    contentType: events,
    model: (options) => openai('gpt-5.2', { apiKey: 'k', ...options }),
    answer: (text, ...calls) =>
      bytes(
        responses.sse(
          responses.begins(),
          ...(text === ''
            ? []
            : [responses.adds(0, responses.message('')), responses.says(0, text), responses.ends(0, responses.message(text))]),
          ...calls.flatMap(({ name, input }, i) => {
            const item = responses.call(input, { name, id: `fc_${i}`, call_id: `call_${i}` })
            return [responses.adds(i + 1, { ...item, arguments: '' }), responses.passes(i + 1, input), responses.ends(i + 1, item)]
          }),
          responses.completed(),
        ),
      ),
    begun: (text) => bytes(responses.sse(responses.begins(), responses.adds(0, responses.message('')), responses.says(0, text))),
  },
  {
    name: 'Chat Completions',
    contentType: events,
    model: (options) => openai('gpt-4.1', { api: 'chat', apiKey: 'k', ...options }),
    answer: (text, ...calls) =>
      bytes(
        chunks(
          chunk({ content: text }),
          ...calls.map(({ name, input }, index) =>
            chunk({ tool_calls: [{ index, id: `call_${index}`, function: { name, arguments: input } }] }),
          ),
          chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
        ),
      ),
    begun: (text) => bytes(`data: ${JSON.stringify(chunk({ content: text }))}\n\n`),
  },
  {
    name: 'Gemini',
    contentType: events,
    model: (options) => google('gemini-2.5-flash', { apiKey: 'k', ...options }),
    answer: (text, ...calls) =>
      bytes(
        generate.sse(
          generate.ends(
            'STOP',
            ...(text === '' ? [] : [generate.text(text)]),
            ...calls.map(({ name, input }) => generate.call(name, JSON.parse(input) as JsonObject)),
          ),
        ),
      ),
    begun: (text) => bytes(generate.sse(generate.parts(generate.text(text)))),
  },
  {
    name: 'Converse',
    contentType: 'application/vnd.amazon.eventstream',
    model: (options) =>
      bedrock('us.anthropic.claude-sonnet-4-5-20250929-v1:0', {
        region: 'us-east-1',
        credentials: { accessKeyId: 'AKID', secretAccessKey: 'SECRET' },
        ...options,
      }),
    answer: (text, ...calls) =>
      converse.frames(
        converse.begins,
        ...(text === '' ? [] : converse.says(0, text)),
        ...calls.flatMap(({ name, input }, i) => converse.calls(i + 1, name, input)),
        ...converse.ends(calls.length > 0 ? 'tool_use' : 'end_turn'),
      ),
    begun: (text) => converse.frames(converse.begins, converse.adds(0, { text })),
  },
]

export type Body = { readonly json: JsonObject; readonly text: string }
type Reply = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | Response

/** A `fetch` that gives these answers, one a request, the last one for ever, and notes what it was sent. */
export function playing(
  wire: Wire,
  ...replies: readonly (Reply | (() => Reply))[]
): { readonly fetch: typeof globalThis.fetch; readonly bodies: Body[] } {
  const bodies: Body[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const text = new TextDecoder().decode(init!.body as Uint8Array)
    bodies.push({ text, json: JSON.parse(text) as JsonObject })
    const next = replies[Math.min(bodies.length, replies.length) - 1]!
    const reply = typeof next === 'function' ? next() : next
    return reply instanceof Response ? reply : new Response(reply, { headers: { 'content-type': wire.contentType } })
  }
  return { fetch, bodies }
}

/** A body that gives these pieces and then breaks, or stays open. */
export const streamed = (pieces: readonly Uint8Array[], end?: 'breaks' | 'stays open'): ReadableStream<Uint8Array> => {
  const left = [...pieces]
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift()
      if (piece) return controller.enqueue(piece)
      if (end === 'breaks') return controller.error(new Error('reset by peer'))
      if (end === undefined) return controller.close()
      return new Promise<void>(() => {})
    },
  })
}
