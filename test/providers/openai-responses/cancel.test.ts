import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../../src/models/model-events.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { answer, request } from '../support/answer.ts'
import { hangsAfter, sends, streamServer } from '../support/stream-server.ts'
import { adds, begins, completed, message, says, sse } from './support/sse.ts'

refuseUnhandled()
const server = await streamServer()
const model = openai('m', { baseURL: server.baseURL, provider: 'p', api: 'responses' })
const words = (...texts: readonly string[]): string => sse(begins(), adds(0, message('')), ...texts.map((text) => says(0, text)))
const answered = (...texts: readonly string[]): string => words(...texts) + sse(completed())

describe('a cancel', () => {
  it('before the first event sends nothing', async () => {
    const before = server.requests.length
    const reason = new Error('stop')
    expect((await answer(model, request(), { signal: AbortSignal.abort(reason) })).error).toBe(reason)
    expect(server.requests.length).toBe(before)
  })

  it('in the middle of the stream ends it with the reason, closes the socket, and leaves no listener', async () => {
    server.handle = hangsAfter(words('Hel', 'lo'))
    const controller = new AbortController()
    const reason = new Error('stop')
    const texts: string[] = []
    const run = async (): Promise<void> => {
      for await (const event of model.stream(request(), { signal: controller.signal })) {
        if (event.type !== 'block_delta' || event.delta.type !== 'text') continue
        texts.push(event.delta.text)
        if (texts.length === 2) setImmediate(() => controller.abort(reason))
      }
    }
    await expect(run()).rejects.toBe(reason)
    expect(texts).toEqual(['Hel', 'lo'])
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    await server.requests.at(-1)!.closed
  })

  it('is seen before each event, though more of them are there already', async () => {
    server.handle = sends(answered('a', 'b', 'c'))
    const controller = new AbortController()
    const reason = new Error('stop')
    const texts: string[] = []
    const run = async (): Promise<void> => {
      for await (const event of model.stream(request(), { signal: controller.signal })) {
        if (event.type !== 'block_delta' || event.delta.type !== 'text') continue
        texts.push(event.delta.text)
        controller.abort(reason)
      }
    }
    await expect(run()).rejects.toBe(reason)
    expect(texts).toEqual(['a'])
  })
})

describe('an iteration that is left', () => {
  it('closes the socket, and leaves no listener', async () => {
    server.handle = hangsAfter(words('Hel', 'lo'))
    const { signal } = new AbortController()
    const seen: ModelEvent['type'][] = []
    for await (const { type } of model.stream(request(), { signal })) {
      seen.push(type)
      if (type === 'block_delta') break
    }
    expect(seen).toEqual(['message_start', 'block_start', 'block_delta'])
    expect(getEventListeners(signal, 'abort')).toEqual([])
    await server.requests.at(-1)!.closed
  })
})

describe('a signal that serves many requests', () => {
  it('has no listener of theirs afterwards, and their connection is used again', async () => {
    server.handle = sends(answered('a'))
    const { signal } = new AbortController()
    await answer(model, request(), { signal })
    const before = server.connections()
    for (let i = 0; i < 20; i++) await answer(model, request(), { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(server.connections() - before).toBeLessThanOrEqual(2)
  })
})
