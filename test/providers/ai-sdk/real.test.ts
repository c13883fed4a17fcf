import { getEventListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { IncompleteStreamError } from '../../../src/errors.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { look } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { outlineOf } from '../openai/expected.ts'
import { answer, errorOf, request } from '../support/answer.ts'
import { breaksOffAfter, hangsAfter, sends, streamServer } from '../support/stream-server.ts'
import { spec } from './support/ask.ts'
import { realModels } from './support/real.ts'

refuseUnhandled()
const server = await streamServer()
/** One of whose connections none may stay: the other keeps some for the next request. */
const hangingServer = await streamServer()
const recording = (name: string): string => readFileSync(new URL(`../../recordings/ai-sdk/${name}.sse`, import.meta.url), 'utf8')
const twoCalls = recording('two-calls')
const models = realModels(server.baseURL, { temperature: 0, stopSequences: ['END'], providerOptions: { acme: { user: 'me', top_k: 5 } } })
const sentLast = (): unknown => JSON.parse(server.requests.at(-1)!.body)

describe.each(models)('a real model of %s', (version, model) => {
  it.each(['two-calls', 'answer', 'refusal'])('reads %s as the provider of ours does', async (name) => {
    server.handle = sends(recording(name))
    const [read, ours] = [await answer(model), await answer(openai('m', { baseURL: server.baseURL, provider: 'p' }))]
    const [outline, expected] = [
      outlineOf(read.message!, model.provider, { withIds: true }),
      outlineOf(ours.message!, 'p', { withIds: true }),
    ]
    expect(outline).toEqual(expected)
    expect(read.message!.model).toBe('acme-1')
  })

  it('says what it means in its own words', async () => {
    server.handle = sends(recording('answer'))
    const output = { name: 'answer', schema: { type: 'object', properties: {}, additionalProperties: false } }
    await answer(
      model,
      request({ system: [{ type: 'text', text: 'Be kind.' }], tools: [spec('look')], toolChoice: { name: 'look' }, output }),
    )
    expect(server.requests.at(-1)!.headers.authorization).toBe('Bearer k')
    expect(sentLast()).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      stop: ['END'],
      user: 'me',
      top_k: 5,
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'hello' },
      ],
      tools: [{ type: 'function', function: { name: 'look', description: 'The tool look.', parameters: { type: 'object' } } }],
      tool_choice: { type: 'function', function: { name: 'look' } },
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: output.schema } },
    })
  })

  it('runs in an agent: model, tools, model', async () => {
    const answers = [twoCalls, recording('answer')]
    server.handle = (seen, response) => sends(answers.shift()!)(seen, response)
    const agent = new Agent({ model, tools: [look()] })
    const result = await agent.invoke('Look at 1 and 2.')
    expect([result.stopReason, String(result), result.usage]).toEqual([
      'end_turn',
      'Both are fine – 🐢.',
      { inputTokens: 90, outputTokens: 26, totalTokens: 116, cacheReadTokens: 60, reasoningTokens: 8 },
    ])
    const call = (id: string, at: number): object => ({ id, type: 'function', function: { name: 'look', arguments: `{"at":${at}}` } })
    expect((sentLast() as { readonly messages: unknown }).messages).toEqual([
      { role: 'user', content: 'Look at 1 and 2.' },
      {
        role: 'assistant',
        content: 'I look at both. ',
        reasoning_content: 'Two places, two looks.',
        tool_calls: [call('call_a', 1), call('call_b', 2)],
      },
      { role: 'tool', tool_call_id: 'call_a', content: 'seen 1' },
      { role: 'tool', tool_call_id: 'call_b', content: 'seen 2' },
    ])
  })

  it('whose connection breaks, or whose stream ends, before the answer is complete gives none', async () => {
    const events = twoCalls.split(/(?<=\n\n)/)
    const complete = events.findIndex((event) => event.includes('"finish_reason":"tool_calls"')) + 1
    for (let count = 0; count <= events.length; count++) {
      const part = events.slice(0, count).join('')
      server.handle = breaksOffAfter(part)
      expect(await errorOf(model), `broken after event ${count}`).toBeInstanceOf(IncompleteStreamError)
      server.handle = sends(part)
      const { message, error } = await answer(model)
      expect([message?.stopReason, error === undefined], `ended after event ${count}`).toEqual(
        count < complete ? [undefined, false] : ['tool_use', true],
      )
    }
  })

  it('that is given up, or whose reader leaves, closes its connection and leaves no listener', async () => {
    hangingServer.handle = hangsAfter(twoCalls.slice(0, twoCalls.indexOf('"call_b"')))
    const [, hanging] = realModels(hangingServer.baseURL).find(([v]) => v === version)!
    const controller = new AbortController()
    const reason = new Error('enough')
    const reading = (async () => {
      for await (const event of hanging.stream(request({ tools: [spec('look')] }), { signal: controller.signal }))
        if (event.type === 'block_delta' && event.delta.type === 'tool_input') setImmediate(() => controller.abort(reason))
    })()
    await expect(reading).rejects.toBe(reason)
    await hangingServer.requests.at(-1)!.closed

    const { signal } = new AbortController()
    for await (const event of hanging.stream(request(), { signal })) if (event.type === 'block_delta') break
    await hangingServer.requests.at(-1)!.closed
    expect([getEventListeners(controller.signal, 'abort'), getEventListeners(signal, 'abort')]).toEqual([[], []])
  })

  it('uses its connection again', async () => {
    server.handle = sends(recording('answer'))
    const before = server.connections()
    for (let i = 0; i < 8; i++) await answer(model)
    expect(server.connections() - before).toBeLessThan(4)
  })

  it('tells what the server refuses, and that there is no server', async () => {
    server.handle = (_request, response) =>
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '3' }).end('{"error":{"message":"Slow down."}}')
    expect(await errorOf(model)).toMatchObject({
      code: 'throttled',
      retryAfterMs: 3000,
      message: 'ai-sdk.acme.chat: Slow down. (HTTP 429)',
    })
    const [, nowhere] = realModels('http://127.0.0.1:9/v1').find(([v]) => v === version)!
    expect(await errorOf(nowhere)).toMatchObject({ code: 'network', retryable: true })
  })

  it('passes raw chunks on', async () => {
    server.handle = sends(recording('answer'))
    const { events } = await answer(model, request(), { raw: true })
    expect(events.flatMap((event) => (event.type === 'raw' ? [JSON.stringify(event.chunk)] : []))).toEqual(
      recording('answer')
        .split('\n\n')
        .slice(0, -2)
        .map((line) => line.slice('data: '.length)),
    )
  })
})
