import { describe, expect, it } from 'vitest'
import type { ModelError } from '../../../src/errors.ts'
import { google } from '../../../src/providers/google/index.ts'
import type { Answer } from '../support/answer.ts'
import { answer } from '../support/answer.ts'
import { sends, streamServer } from '../support/stream-server.ts'
import { ends, parts, text } from './support/sse.ts'

const server = await streamServer()
const chunks = [parts(text('{"a": "')), parts(text('}]\\"ü😀')), ends('STOP', text('."'))]

/** The answer of a server that does not know of events, in pieces of so many bytes. */
async function answerOf(body: string, size: number): Promise<Answer> {
  const bytes = new TextEncoder().encode(body)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size))
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = pieces.shift()
      if (next) controller.enqueue(next)
      else controller.close()
    },
  })
  return answer(
    google('m', {
      apiKey: 'k',
      fetch: async () => new Response(stream, { headers: { 'content-type': 'application/json; charset=UTF-8' } }),
    }),
  )
}

describe('an answer as a list of JSON', () => {
  it.each([1, 7, 100_000])('is read like events, in pieces of %i', async (size) => {
    for (const body of [JSON.stringify(chunks), JSON.stringify(chunks, null, 2).replaceAll('\n', '\r\n')]) {
      const { message, error } = await answerOf(body, size)
      if (!message) throw error
      expect([message.content, message.stopReason]).toEqual([[{ type: 'text', text: '{"a": "}]\\"ü😀."' }], 'end_turn'])
    }
  })

  it('may be one object', async () => {
    const { message } = await answerOf(JSON.stringify(ends('STOP', text('hi'))), 5)
    expect(message!.content).toEqual([{ type: 'text', text: 'hi' }])
  })

  it('is an error where it holds one', async () => {
    const { error, partialText } = await answerOf(
      JSON.stringify([chunks[0], { error: { code: 503, status: 'UNAVAILABLE', message: 'gone' } }]),
      9,
    )
    expect([(error as ModelError).code, (error as ModelError).message, partialText]).toEqual([
      'overloaded',
      'google: gone (HTTP 503)',
      '{"a": "',
    ])
  })

  it('is an error where it is cut', async () => {
    const body = JSON.stringify(chunks)
    const cut = async (length: number): Promise<string> => ((await answerOf(body.slice(0, length), 50)).error as ModelError).message
    expect([await cut(40), await cut(JSON.stringify(chunks.slice(0, 2)).length - 1), await cut(0)]).toEqual([
      'google: the stream ended amid its JSON.',
      'The stream ended before the message was complete.',
      'The stream ended before the message was complete.',
    ])
  })

  it('is told as it comes', async () => {
    server.handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(`[${JSON.stringify(chunks[0])},`)
      release = () => response.end(`${JSON.stringify(chunks[2])}]`)
    }
    let release = (): void => {}
    const told: string[] = []
    for await (const event of google('m', { apiKey: 'k', baseURL: server.baseURL }).stream(
      { system: [], messages: [], tools: [], toolChoice: 'auto', settings: {} },
      { signal: new AbortController().signal },
    )) {
      if (event.type !== 'block_delta' || event.delta.type !== 'text') continue
      told.push(event.delta.text)
      release()
    }
    expect(told).toEqual(['{"a": "', '."'])
  })

  it('is no answer when it is of another kind', async () => {
    server.handle = sends('{"message":"welcome"}', 'application/json')
    const { error } = await answer(google('m', { apiKey: 'k', baseURL: server.baseURL }))
    expect((error as ModelError).code).toBe('incomplete_stream')
  })
})
