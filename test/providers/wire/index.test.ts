import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { httpError, networkError, sse } from '../../../src/providers/wire/index.ts'

let play: (response: ServerResponse) => void
const server = createServer((_request, response) => play(response))
let url: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const never = new AbortController().signal

it('gives the events of a response, whatever ends its lines', async () => {
  play = (response) => response.end(': hello\r\nevent: a\r\ndata: {"n":1}\r\n\r\ndata: two\ndata: lines\n\ndata: cut off')
  const events = []
  for await (const event of sse(await fetch(url), { signal: never })) events.push({ event: event.event, data: event.data })
  expect(events).toEqual([
    { event: 'a', data: '{"n":1}' },
    { event: undefined, data: 'two\nlines' },
  ])
})

it('closes the connection when the loop is left', async () => {
  const closed = new Promise<void>((resolve) => {
    play = (response) => {
      response.on('close', resolve)
      response.write('data: 1\n\n')
    }
  })
  for await (const { data } of sse(await fetch(url), { signal: never })) {
    expect(data).toBe('1')
    break
  }
  await closed
})

it('ends with the reason when the signal fires, and closes the connection', async () => {
  const closed = new Promise<void>((resolve) => {
    play = (response) => {
      response.on('close', resolve)
      response.write('data: 1\n\n')
    }
  })
  const controller = new AbortController()
  const reading = async (): Promise<void> => {
    for await (const _event of sse(await fetch(url), { signal: controller.signal })) controller.abort(new Error('enough'))
  }
  await expect(reading()).rejects.toThrow('enough')
  await closed
})

it('is an incomplete stream when the connection breaks', async () => {
  play = (response) => {
    response.write('data: 1\n\n', () => setImmediate(() => response.destroy()))
  }
  const reading = async (): Promise<void> => {
    for await (const _event of sse(await fetch(url), { signal: never, provider: 'acme' }));
  }
  await expect(reading()).rejects.toMatchObject({ code: 'incomplete_stream', provider: 'acme', retryable: true })
})

it('types the error of a response', async () => {
  play = (response) => response.writeHead(429, { 'retry-after': '3' }).end('{"error":{"message":"slow down"}}')
  expect(await httpError(await fetch(url), 'acme')).toMatchObject({ code: 'throttled', provider: 'acme', status: 429, retryAfterMs: 3000 })
})

it('types a request that did not get through', () => {
  expect(networkError(new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') }), 'acme', 'acme.example')).toMatchObject({
    code: 'network',
    message: 'acme: could not reach acme.example: connect ECONNREFUSED.',
    retryable: true,
  })
})
