// What others do around a request, as their users reported it. The short ids stand in docs/regressions.md, too.
import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { ContextManager } from '../../../src/context/context-manager.ts'
import { check } from '../../../src/messages/check.ts'
import type { Model } from '../../../src/models/model.ts'
import { google } from '../../../src/providers/google/index.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { collect } from '../../../src/testing/collect.ts'
import { systemClock } from '../../../src/util/clock.ts'
import { autoClock } from '../../support/auto-clock.ts'
import * as converse from '../../providers/bedrock/support/ask.ts'
import { useOwnEnvironment } from '../../providers/bedrock/support/env.ts'
import { chunk, chunks, fakeFetch } from '../../providers/support/fake-fetch.ts'
import { answer, request } from '../../providers/support/answer.ts'
import type { Wire } from './support/wires.ts'
import { playing, wires } from './support/wires.ts'

useOwnEnvironment()

converse.environment()

const refusal =
  (wire: Wire, status: number, message: string, headers: Record<string, string> = {}) =>
  (): Response =>
    new Response(JSON.stringify(wire.name === 'Converse' ? { message } : { error: { message } }), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    })

describe.each(wires)('on the wire of $name', (wire: Wire) => {
  it.each([
    ['in seconds', '3'],
    ['as a date', 'Mon, 30 Nov 2026 10:00:03 GMT'],
  ])('the wait that the server asks for is kept each time, %s (BUG-23)', async (_form, after) => {
    const clock = autoClock(Date.parse('2026-11-30T10:00:00Z'))
    const slow = refusal(wire, 429, 'Slow down.', { 'retry-after': after })
    const { fetch, bodies } = playing(wire, slow, slow, wire.answer('yes'))
    // What the provider itself waits for comes by the real clock.
    const model = wire.model({ fetch, clock: { ...systemClock, now: () => clock.now() } })
    const agent = new Agent({ model, clock })
    const { events, result } = await collect(agent.stream('go'))
    // A date is the same one the second time: by then it has come.
    const second = after === '3' ? 3000 : 0
    expect(events.flatMap((event) => (event.type === 'retry' ? event.delayMs : []))).toEqual([3000, second])
    expect([result?.text, bodies.length]).toEqual(['yes', 3])
  })

  it('an overflow behind three overloads still has the history shortened, and the run goes on (BUG-47)', async () => {
    const considered: number[] = []
    const dropping: ContextManager = {
      name: 'dropping',
      before: async ({ messages }) => void considered.push(messages.length),
      reduce: async ({ messages }) => (messages.length > 2 ? messages.slice(2) : undefined),
    }
    const busy = refusal(wire, 503, 'Overloaded.')
    const long = refusal(wire, 400, 'prompt is too long: 210000 tokens > 200000 maximum')
    const { fetch, bodies } = playing(wire, wire.answer('one'), busy, busy, busy, long, wire.answer('fits'))
    const agent = new Agent({ model: wire.model({ fetch }), clock: autoClock(), context: dropping })
    await agent.invoke('first')
    expect((await agent.invoke('second')).text).toBe('fits')
    expect(bodies.length).toBe(6)
    expect(bodies.map(({ text }) => text.includes('first'))).toEqual([true, true, true, true, true, false])
    expect(considered.slice(0, 2)).toEqual([1, 3])
    expect(check(agent.messages)).toEqual([])
  })
})

it('a model that counts nothing has its tokens estimated', async () => {
  const seen: number[] = []
  const watching: ContextManager = {
    name: 'watching',
    before: async ({ tokens }) => void seen.push(tokens),
    reduce: async () => undefined,
  }
  const { fetch } = fakeFetch(chunks(chunk({ content: 'word '.repeat(2000) }, 'stop')))
  const agent = new Agent({ model: openai('m', { api: 'chat', apiKey: 'k', fetch }), context: watching, retry: false })
  await agent.invoke('one')
  await agent.invoke('two')
  expect(seen[0]).toBeLessThan(10)
  expect(seen[1]).toBeGreaterThan(1500)
})

describe('a run that is given up while its key is fetched', () => {
  const models: readonly (readonly [name: string, make: (fetch: typeof globalThis.fetch, key: () => Promise<void>) => Model])[] = [
    [
      'a token of Vertex AI',
      (fetch, key) =>
        google('gemini-2.5-flash', {
          vertex: {
            project: 'p',
            location: 'l',
            accessToken: async () => {
              await key()
              return 't'
            },
          },
          fetch,
        }),
    ],
    [
      'credentials of AWS',
      (fetch, key) =>
        converse.modelOf(fetch, undefined, {
          credentials: async () => {
            await key()
            return converse.keys
          },
        }),
    ],
  ]
  it.each(models)('sends nothing: %s', async (_name, make) => {
    const stop = new AbortController()
    const { fetch, asked } = fakeFetch()
    let fetched = 0
    const model = make(fetch, async () => {
      fetched++
      stop.abort()
      await new Promise((resolve) => void setImmediate(resolve))
    })
    const { error } = await answer(model, request(), { signal: stop.signal })
    await new Promise((resolve) => void setImmediate(() => void setImmediate(resolve)))
    expect([fetched, error, asked]).toEqual([1, stop.signal.reason, []])
  })
})
