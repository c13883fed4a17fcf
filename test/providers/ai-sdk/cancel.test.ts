import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../../src/models/model-events.ts'
import { aiSdk } from '../../../src/providers/ai-sdk/index.ts'
import { tick } from '../../../src/util/clock.ts'
import { testClock } from '../../support/clock.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { answer, errorOf, request } from '../support/answer.ts'
import { name } from './support/ask.ts'
import type { Part, Scripted } from './support/scripted.ts'
import { finish, says, scripted, streamOf } from './support/scripted.ts'

refuseUnhandled()

type Open = Scripted & { readonly cancelled: unknown[]; readonly controller: ReadableStreamDefaultController<Part> }

/** A model whose stream stays open behind these parts. */
function open(parts: readonly Part[] = says('hi')): Open {
  const cancelled: unknown[] = []
  let controller!: ReadableStreamDefaultController<Part>
  const stream = new ReadableStream<Part>({
    start(given) {
      controller = given
      for (const part of parts) given.enqueue(part)
    },
    cancel(reason) {
      cancelled.push(reason)
    },
  })
  return { ...scripted([() => ({ stream })]), cancelled, controller }
}

/** Reads until the end; tells of each event. */
async function read(model: ReturnType<typeof aiSdk>, signal: AbortSignal, onEvent: (event: ModelEvent) => void): Promise<void> {
  for await (const event of model.stream(request(), { signal })) onEvent(event)
}
const enough = new Error('enough')

describe('a run that is given up', () => {
  it('ends with the reason, cancels the stream and the model’s signal in the same tick, and leaves no listener', async () => {
    const { model, asked, cancelled } = open()
    const controller = new AbortController()
    const seen: string[] = []
    const reading = read(aiSdk(model), controller.signal, ({ type }) => seen.push(type))
    await tick()
    expect([seen, cancelled]).toEqual([['message_start', 'block_start', 'block_delta'], []])
    controller.abort(enough)
    expect([cancelled, asked[0]!.abortSignal!.aborted, asked[0]!.abortSignal!.reason]).toEqual([[enough], true, enough])
    await expect(reading).rejects.toBe(enough)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('yields nothing more once the signal has fired', async () => {
    const controller = new AbortController()
    const seen: string[] = []
    const reading = read(aiSdk(scripted([[...says('hi'), finish()]]).model), controller.signal, ({ type }) => {
      seen.push(type)
      controller.abort(enough)
    })
    await expect(reading).rejects.toBe(enough)
    expect([seen, getEventListeners(controller.signal, 'abort')]).toEqual([['message_start'], []])
  })

  it('before it began asks nobody', async () => {
    const { model, asked } = scripted([[finish()]], { supportedUrls: new Promise(() => {}) })
    expect([(await answer(aiSdk(model), request(), { signal: AbortSignal.abort(enough) })).error, asked.length]).toEqual([enough, 0])
  })

  it('while the model thinks of beginning does not wait for it, and cancels what comes late', async () => {
    let begin!: (result: unknown) => void
    const { model, asked } = scripted([() => new Promise((resolve) => (begin = resolve))])
    const controller = new AbortController()
    const reading = read(aiSdk(model), controller.signal, () => {})
    await tick()
    controller.abort(enough)
    await expect(reading).rejects.toBe(enough)
    expect([asked[0]!.abortSignal!.aborted, getEventListeners(controller.signal, 'abort')]).toEqual([true, []])
    const cancelled: unknown[] = []
    begin({ stream: new ReadableStream({ cancel: (reason) => void cancelled.push(reason) }) })
    await tick()
    expect(cancelled).toEqual([enough])
  })

  it('in any moment of its beginning cancels what began', async () => {
    for (let moments = 0; moments < 20; moments++) {
      const controller = new AbortController()
      const cancelled: unknown[] = []
      const { model } = scripted([
        () => {
          let left = moments
          const count = (): void => (left-- > 0 ? queueMicrotask(count) : controller.abort(enough))
          count()
          return { stream: new ReadableStream<Part>({ cancel: (reason) => void cancelled.push(reason) }) }
        },
      ])
      await expect(read(aiSdk(model), controller.signal, () => {})).rejects.toBe(enough)
      await tick()
      expect(cancelled, `after ${moments} moments`).toEqual([enough])
    }
  })

  it('takes what the model says of it for what it is', async () => {
    const { model } = scripted([
      ({ abortSignal }) =>
        new Promise((_resolve, reject) => abortSignal!.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))),
    ])
    const controller = new AbortController()
    const reading = read(aiSdk(model), controller.signal, () => {})
    await tick()
    controller.abort(enough)
    await expect(reading).rejects.toBe(enough)
  })

  it('while the model says which addresses it fetches never asks it', async () => {
    let tell!: (urls: object) => void
    const { model, asked } = scripted([[finish()]], { supportedUrls: new Promise((resolve) => (tell = resolve as typeof tell)) })
    const controller = new AbortController()
    const reading = read(aiSdk(model), controller.signal, () => {})
    await tick()
    controller.abort(enough)
    await expect(reading).rejects.toBe(enough)
    tell({})
    await tick()
    expect(asked).toEqual([])
  })

  it('minds neither a stream that will not be cancelled nor one that has failed', async () => {
    const stubborn = new ReadableStream<Part>({ cancel: () => Promise.reject(new Error('no')) })
    const late = new ReadableStream<Part>({ cancel: () => new Promise(() => {}) })
    for (const stream of [stubborn, late]) {
      const controller = new AbortController()
      const reading = read(aiSdk(scripted([() => ({ stream })]).model), controller.signal, () => {})
      await tick()
      controller.abort(enough)
      await expect(reading).rejects.toBe(enough)
    }
  })
})

describe('an answer', () => {
  it('whose reader leaves is cancelled', async () => {
    const { model, asked, cancelled } = open()
    const { signal } = new AbortController()
    for await (const event of aiSdk(model).stream(request(), { signal })) if (event.type === 'block_delta') break
    expect(cancelled).toEqual([expect.objectContaining({ message: 'The answer is no longer wanted.' })])
    expect([asked[0]!.abortSignal!.aborted, getEventListeners(signal, 'abort')]).toEqual([true, []])
  })

  it('that is broken off by an error of its own is cancelled', async () => {
    const { model, cancelled } = open([...says('hi'), { type: 'error', error: 'oops' }])
    expect((await errorOf(aiSdk(model))).message).toBe(`${name}: oops`)
    expect(cancelled.length).toBe(1)
  })

  it('that is complete lets its stream end, and cuts what does not end', async () => {
    const { signal } = new AbortController()
    const clock = testClock()
    const whole = scripted([[...says('hi'), finish()]])
    await answer(aiSdk(whole.model, { clock }), request(), { signal })
    expect([whole.asked[0]!.abortSignal!.aborted, clock.sleeping(), getEventListeners(signal, 'abort')]).toEqual([false, 0, []])

    const { model, cancelled, controller } = open([...says('hi'), finish()])
    let ended = false
    const asking = answer(aiSdk(model, { clock }), request(), { signal }).finally(() => (ended = true))
    await clock.advance(99)
    expect([ended, cancelled]).toEqual([false, []])
    controller.enqueue({ type: 'text-delta', id: '9', delta: 'too late' })
    await clock.advance(100)
    expect((await asking).message?.content).toEqual([{ type: 'text', text: 'hi' }])
    expect([cancelled.length, clock.sleeping(), getEventListeners(signal, 'abort')]).toEqual([1, 0, []])
  })

  it('of many shares no listener with the others', async () => {
    const { signal } = new AbortController()
    const model = aiSdk(scripted([() => ({ stream: streamOf([...says('hi'), finish()]) })]).model)
    await Promise.all(Array.from({ length: 20 }, () => answer(model, request(), { signal })))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('a model that is silent for too long is given up', () => {
  it('before its stream begins', async () => {
    const clock = testClock()
    const { model, asked } = scripted([() => new Promise(() => {})])
    const asking = errorOf(aiSdk(model, { clock, headersTimeoutMs: 60_000 }))
    await clock.advance(60_000)
    expect(await asking).toMatchObject({
      code: 'network',
      retryable: true,
      message: `${name}: the model did not begin to answer within 60 s (headersTimeoutMs).`,
    })
    expect([asked[0]!.abortSignal!.aborted, clock.sleeping()]).toEqual([true, 0])
  })

  it('in its stream, where a ping is a word', async () => {
    const clock = testClock()
    const { model, cancelled, controller } = open()
    const asking = errorOf(aiSdk(model, { clock, idleTimeoutMs: 60_000 }))
    await clock.advance(59_000)
    controller.enqueue({ type: 'ping' })
    await clock.advance(59_000)
    expect(cancelled).toEqual([])
    await clock.advance(1000)
    expect(await asking).toMatchObject({ code: 'network', message: `${name}: nothing came for 60 s (idleTimeoutMs).` })
    expect([cancelled.length, clock.sleeping()]).toEqual([1, 0])
  })
})
