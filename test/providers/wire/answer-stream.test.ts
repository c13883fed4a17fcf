// What servers, and what stands in between, send in the place of a stream, or into it.
import { describe, expect, it } from 'vitest'
import type { Model } from '../../../src/models/model.ts'
import { anthropic } from '../../../src/providers/anthropic/index.ts'
import { google } from '../../../src/providers/google/index.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer, errorOf } from '../support/answer.ts'
import { sends, streamServer } from '../support/stream-server.ts'

const server = await streamServer()
const { baseURL } = server

/** How a wire begins an answer that says "Hel", and how it gives one whole that says "Hello". */
type Wire = { readonly model: Model; readonly begun: readonly object[]; readonly whole: object }
const wires: Readonly<Record<string, Wire>> = {
  'openai chat': {
    model: openai('m', { baseURL, provider: 'p' }),
    begun: [{ id: 'c', choices: [{ index: 0, delta: { content: 'Hel' } }] }],
    whole: {
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    },
  },
  'openai responses': {
    model: openai('m', { baseURL, provider: 'p', api: 'responses' }),
    begun: [{ type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0, delta: 'Hel' }],
    whole: {
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }],
      usage: { input_tokens: 3, output_tokens: 2 },
    },
  },
  anthropic: {
    model: anthropic('claude-sonnet-4-5', { apiKey: 'k', baseURL }),
    begun: [
      { type: 'message_start', message: { id: 'm' } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hel' } },
    ],
    whole: {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 2 },
    },
  },
  google: {
    model: google('gemini-3-pro', { apiKey: 'k', baseURL }),
    begun: [{ candidates: [{ content: { parts: [{ text: 'Hel' }] } }] }],
    whole: {
      candidates: [{ content: { parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 },
    },
  },
}

const stream = (events: readonly object[]): string => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
const refusal = JSON.stringify({ error: { message: 'No room.', type: 'server_error', code: 503 } })

describe.each(Object.entries(wires))('over the wire of %s', (name, { model, begun, whole }) => {
  it.each(['', '\n\n', ' \r\n\t', '\ufeff', '\ufeff\n'])('an error with a good status is told, with %j in front of it', async (before) => {
    server.handle = sends(before + refusal, 'application/json')
    expect(await errorOf(model)).toMatchObject({ name: 'OverloadedError', status: 503 })
    // The type may be that of the stream which it was to be.
    if (name === 'google') return
    server.handle = sends(before + refusal)
    expect(await errorOf(model)).toMatchObject({ name: 'OverloadedError', status: 503 })
  })

  it.each([
    ['as plain JSON', `${refusal}\n`],
    ['as plain JSON, without an end of the line', refusal],
    ...(name === 'google' ? [] : [['in a field of its own', 'error: {"code":503,"message":"No room.","type":"unavailable_error"}\n\n']]),
  ])('an error that is written into the stream %s is told, after what came before', async (_how, written) => {
    server.handle = sends(stream(begun) + written)
    const { error, partialText } = await answer(model)
    expect([error, partialText]).toEqual([expect.objectContaining({ name: 'OverloadedError', status: 503 }), 'Hel'])
  })

  it.runIf(name === 'openai chat')('what stands behind the end is not looked at', async () => {
    server.handle = sends(`${stream(begun)}data: [DONE]\n\n${refusal}\nerror: late\n\n`)
    expect((await answer(model)).message?.content).toEqual([{ type: 'text', text: 'Hel' }])
  })

  it('an answer of a server that gives it whole is taken', async () => {
    for (const before of ['', '\n']) {
      server.handle = sends(before + JSON.stringify(whole), 'application/json')
      const { message, error } = await answer(model)
      expect(error).toBe(undefined)
      expect([message?.content.map((block) => block.type === 'text' && block.text), message?.stopReason, message?.usage]).toEqual([
        ['Hello'],
        'end_turn',
        { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
      ])
    }
  })

  it('JSON that is no answer, and a page, are shown', async () => {
    for (const body of ['{"status":"ok"}', '["ok"]', '\n<html>Please log in</html>']) {
      server.handle = sends(body, body.includes('html') ? 'text/html' : 'application/json')
      const error = await errorOf(model)
      if (name === 'google' && body.includes('ok')) expect(error.message).toContain('before the message was complete')
      else expect([error.name, error.message]).toEqual(['IncompleteStreamError', expect.stringContaining(body.trim())])
    }
  })

  it.each([undefined, globalThis.fetch])('a redirect is not followed, and says where to', async (fetch) => {
    const before = server.requests.length
    server.handle = (_request, response) =>
      void response.writeHead(307, { location: `${baseURL}/elsewhere?key=secret` }).end('<html>moved</html>')
    const asked = fetch ? remade(name, fetch) : model
    const error = await errorOf(asked)
    expect([error.name, error.message.includes(`${baseURL}/elsewhere (HTTP 307)`), error.message.includes('secret')]).toEqual([
      'InvalidRequestError',
      true,
      false,
    ])
    expect(server.requests.length).toBe(before + 1)
  })
})

/** The same model over the platform's own client. */
function remade(name: string, fetch: typeof globalThis.fetch): Model {
  if (name === 'anthropic') return anthropic('claude-sonnet-4-5', { apiKey: 'k', baseURL, fetch })
  if (name === 'google') return google('gemini-3-pro', { apiKey: 'k', baseURL, fetch })
  return openai('m', { baseURL, provider: 'p', fetch, api: name === 'openai chat' ? 'chat' : 'responses' })
}
