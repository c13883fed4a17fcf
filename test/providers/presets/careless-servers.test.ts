import { deflateRawSync, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ThrottledError } from '../../../src/errors.ts'
import { compatible } from '../../../src/providers/openai/index.ts'
import { fakeClock } from '../../../src/testing/fake-clock.ts'
import { answer } from '../support/answer.ts'
import { chunk } from '../support/fake-fetch.ts'
import { sends, streamServer } from '../support/stream-server.ts'

const server = await streamServer()
const now = Date.parse('2026-10-21T07:28:00Z')
const model = compatible('openrouter', 'm', { apiKey: 'k', baseURL: server.baseURL, clock: fakeClock(now) })
const waitOf = async (): Promise<number | undefined> => ((await answer(model)).error as ThrottledError).retryAfterMs

describe('a refusal of OpenRouter', () => {
  const reset = String(now + 42_000)
  const quota = { 'X-RateLimit-Limit': '20', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': reset }
  const refuses = (headers: Record<string, string>, metadata: object = {}, message = 'Rate limit exceeded: free-models-per-min.'): void => {
    server.handle = (_request, response) =>
      void response
        .writeHead(429, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ error: { message, code: 429, metadata } }))
  }

  it('says in a header when the quota is full again', async () => {
    refuses(quota)
    expect(await waitOf()).toBe(42_000)
  })

  it('or in its body, where it keeps the headers', async () => {
    refuses({}, { headers: quota })
    expect(await waitOf()).toBe(42_000)
    refuses({}, { headers: { ...quota, 'X-RateLimit-Reset': now + 1000 } })
    expect(await waitOf()).toBe(1000)
  })

  it('but what asks for a wait goes first', async () => {
    refuses({ ...quota, 'retry-after': '3' })
    expect(await waitOf()).toBe(3000)
    refuses(quota, {}, 'Rate limit reached. Please try again in 5s.')
    expect(await waitOf()).toBe(5000)
  })

  it('and what is no time, or of another quota, says nothing', async () => {
    refuses({ ...quota, 'X-RateLimit-Remaining': '7' })
    expect(await waitOf()).toBe(undefined)
    for (const headers of [null, 'x', [], { 'X-RateLimit-Reset': {} }, { 'X-RateLimit-Reset': String(now - 1) }]) {
      refuses({}, { headers })
      expect(await waitOf()).toBe(undefined)
    }
  })
})

describe('an answer', () => {
  const pieces = [chunk({ content: 'It is' }), chunk({ content: ' warm.' }), chunk({}, 'stop')]
  const lines = [...pieces.map((piece) => `data: ${JSON.stringify(piece)}`), 'data: [DONE]']
  const warm = [{ type: 'text', text: 'It is warm.' }]

  it.each([
    ['all in one event', `${lines.join('\n')}\n\n`],
    ['two to an event', `${lines.slice(0, 2).join('\n')}\n\n${lines.slice(2).join('\r\n')}\r\n\r\n`],
    ['an event each', `${lines.join('\n\n')}\n\n`],
  ])('whose lines of data are whole values, %s', async (_how, body) => {
    server.handle = sends(body)
    const { message, error } = await answer(model)
    expect([error, message?.content]).toEqual([undefined, warm])
  })

  it.each([
    ['of zlib', deflateSync],
    ['bare', deflateRawSync],
  ])('that is packed with deflate, %s', async (_kind, pack) => {
    server.handle = (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'deflate' })
        .end(pack(`${lines.join('\n\n')}\n\n`))
    const { message, error } = await answer(model)
    expect([error, message?.content]).toEqual([undefined, warm])
  })
})
