import { beforeAll, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/agent/events.ts'
import { HookError } from '../../src/errors.ts'
import { collect } from '../../src/testing/collect.ts'
import { tick } from '../../src/util/clock.ts'
import type { FullRun } from '../support/full-run.ts'
import { fullRun, resultsOf } from '../support/full-run.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { deferred } from '../support/promises.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch, typesOf } from '../support/sketch.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const kinds = [
  'invocation_start',
  'turn_start',
  'message_start',
  'text_start',
  'text_delta',
  'text_end',
  'reasoning_start',
  'reasoning_delta',
  'reasoning_end',
  'tool_input_start',
  'tool_input_delta',
  'tool_input_end',
  'message_end',
  'message_discarded',
  'retry',
  'tool_start',
  'tool_progress',
  'tool_end',
  'message_added',
  'warning',
  'resume',
  'turn_end',
  'invocation_end',
] satisfies AgentEvent['type'][]

let all: readonly AgentEvent[] = []
beforeAll(async () => {
  const { agent, model } = fullRun()
  const { events } = await collect(agent.stream('go'))
  all = events
  await holdsInvariant(agent, { requests: model.requests, expected: 6, events })
})

it('the run that is cut below tells every kind of event', () => {
  expect(new Set(all.map(({ type }) => type))).toEqual(new Set(kinds))
})

/**
 * Every tool that has ended has its result in the history, unless it was left behind, or only read while its message was still
 * being written; and was run once.
 */
function keepsWork({ agent, ran, reads }: FullRun): void {
  expect(new Set(ran).size).toBe(ran.length)
  const results = resultsOf(agent)
  for (const at of ran)
    if (results.has(at) || !reads.has(at)) expect(results.get(at), `the result of ${at}`).toMatchObject({ status: 'success' })
  for (const [at, { status }] of results) if (status === 'success') expect(ran).toContain(at)
}

/** What was seen is the beginning of the whole, no work is lost, and the agent can be used. */
async function holds(run: FullRun, seen: readonly AgentEvent[], requests: number): Promise<void> {
  expect(seen).toEqual(all.slice(0, seen.length))
  keepsWork(run)
  await holdsInvariant(run.agent, { requests: run.model.requests, expected: requests })
  keepsWork(run)
}

describe('leaving the loop ends the run', () => {
  it('at each event, by break', async () => {
    let cuts = 0
    for (let n = 0; n < all.length; n++) {
      const run = fullRun()
      const stream = run.agent.stream('go')
      const seen: AgentEvent[] = []
      let requests = 0
      for await (const event of stream) {
        seen.push(event)
        if (seen.length <= n) continue
        requests = run.model.requests.length
        break
      }
      expect(run.agent.isRunning).toBe(false)
      await settlesWithin(stream.result, 3, `stream.result after a break at ${all[n]!.type}`)
      // The run may be ahead of its reader by some events, but starts nothing once it has left.
      await holds(run, seen, requests)
      cuts++
    }
    expect(cuts).toBe(all.length)
  })

  it('at each event, by a throw', async () => {
    for (let n = 0; n < all.length; n++) {
      const run = fullRun()
      const stream = run.agent.stream('go')
      const seen: AgentEvent[] = []
      const mine = new Error('mine')
      const reading = async (): Promise<void> => {
        for await (const event of stream) {
          if (seen.push(event) <= n) continue
          requests = run.model.requests.length
          throw mine
        }
      }
      let requests = 0
      await expect(reading()).rejects.toBe(mine)
      expect(run.agent.isRunning).toBe(false)
      await settlesWithin(stream.result, 3, `stream.result after a throw at ${all[n]!.type}`)
      await holds(run, seen, requests)
    }
  })

  it('leaves a history that is closed, and says why', async () => {
    const { agent, model } = makeAgent([{ text: 'a long story' }, { text: 'The next answer.' }])
    const stream = agent.stream('go')
    for await (const { type } of stream) if (type === 'text_delta') break
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: "[The run was cancelled before the answer was complete: The consumer left the stream.]"',
    ])
    expect((await stream.result).stopReason).toBe('cancelled')
    await holdsInvariant(agent, { requests: model.requests, expected: 1, stream })
  })

  it('at the last event changes nothing any more', async () => {
    const { agent, model } = makeAgent([{ text: 'Done.' }, { text: 'The next answer.' }])
    const stream = agent.stream('go')
    for await (const { type } of stream) if (type === 'invocation_end') break
    expect((await stream.result).stopReason).toBe('end_turn')
    await holdsInvariant(agent, { requests: model.requests, expected: 1, stream })
  })
})

describe('onEvent that fails ends the run with its error', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('mine')
      },
    ],
    ['rejects', () => Promise.reject(new Error('mine'))],
  ] as [string, () => never | Promise<void>][])('%s at each event', async (_how, fail) => {
    const errors = new Set<string>()
    for (let n = 0; n < all.length; n++) {
      const run = fullRun()
      const seen: AgentEvent[] = []
      let requests = 0
      const onEvent = (event: AgentEvent): void | Promise<void> => {
        if (seen.push(event) <= n) return
        requests = run.model.requests.length
        return fail()
      }
      const settled = await settlesWithin(run.agent.invoke('go', { onEvent }), 200, `the run whose onEvent fails at ${all[n]!.type}`)
      expect(settled.status).toBe('rejected')
      const { reason } = settled as PromiseRejectedResult
      expect(reason).toBeInstanceOf(HookError)
      errors.add(`${(reason as HookError).code} ${(reason as HookError).hook} ${(reason as HookError).message}`)
      expect((reason as HookError).partial?.messages).toEqual(run.agent.messages)
      // It is not called again.
      expect(seen.length).toBe(n + 1)
      await holds(run, seen, requests)
    }
    expect([...errors]).toEqual(['hook_failed onEvent `onEvent` threw: mine'])
  })

  it('tells the reader of the stream, too', async () => {
    const { agent, model } = makeAgent([{ text: 'one two' }, { text: 'The next answer.' }])
    const { events, error } = await collect(
      agent.stream('go', {
        onEvent: ({ type }) => {
          if (type === 'text_delta') throw new Error('mine')
        },
      }),
    )
    expect(error?.message).toBe('`onEvent` threw: mine')
    expect(events.at(-1)).toEqual({ type: 'invocation_error', invocationId: 'inv_1', turn: 1, error })
    await holdsInvariant(agent, { requests: model.requests, expected: 1, events })
  })
})

describe('onEvent that fails when the answer is there', () => {
  it.each(['warning', 'message_added'] as const)('at the last %s: the reader gets the error as the last event', async (kind) => {
    const { agent, model } = makeAgent([{ text: 'one two' }, { text: 'The next answer.' }], {
      plugins: [{ name: 'p', setup: () => {}, flush: () => Promise.reject(new Error('disk full')) }],
    })
    const { events, error } = await collect(
      agent.stream('go', {
        onEvent: (event) => {
          if (event.type === kind && event.turn === 1) throw new Error('mine')
        },
      }),
    )
    expect(error?.message).toBe('`onEvent` threw: mine')
    expect(events.at(-1)).toEqual({ type: 'invocation_error', invocationId: 'inv_1', turn: 1, error })
    await holdsInvariant(agent, { requests: model.requests, expected: 1, events })
  })
})

describe('onEvent that takes its time', () => {
  it('gets one event after the other, in order, and holds the run back', async () => {
    const { agent, model } = fullRun()
    const seen: AgentEvent[] = []
    let busy = 0
    let worst = 0
    await agent.invoke('go', {
      onEvent: async (event) => {
        worst = Math.max(worst, ++busy)
        await tick()
        seen.push(event)
        busy--
      },
    })
    expect(worst).toBe(1)
    // Calls begin while the message goes on: how the two lie beside each other is a matter of who is slow.
    const kindsOf = (events: readonly AgentEvent[]): readonly string[] => events.map(({ type }) => type).sort()
    expect(kindsOf(seen)).toEqual(kindsOf(all))
    await holdsInvariant(agent, { requests: model.requests, expected: 6, events: seen })
  })
})

describe('back-pressure', () => {
  const words = 1000

  it('a run is at most 64 events ahead of its reader', async () => {
    let yielded = 0
    const { agent } = makeAgent([])
    const model = {
      provider: 'counting',
      id: 'counting',
      async *stream() {
        for (; yielded < words; yielded++) yield { type: 'block_delta', index: 0, delta: { type: 'text', text: 'a ' } } as const
        yield { type: 'message_stop', stopReason: 'end_turn' } as const
      },
    }
    const { agent: counted } = makeAgent([], { model })
    const ahead: number[] = []
    let read = 0
    for await (const { type } of counted.stream('go')) {
      if (type !== 'text_delta') continue
      read++
      if (read % 100 === 0) {
        for (let i = 0; i < 3; i++) await tick()
        ahead.push(yielded - read)
      }
    }
    expect(read).toBe(words)
    expect(Math.max(...ahead)).toBeLessThanOrEqual(64)
    expect(agent.isRunning).toBe(false)
  })

  it('holds tools back, too: each waits until its last progress was taken', async () => {
    let told = 0
    const { agent } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Done.' }], {
      tools: [
        look(async function* () {
          for (; told < words; told++) yield told
          return 'all'
        }),
      ],
    })
    const values: unknown[] = []
    let worst = 0
    for await (const event of agent.stream('go')) {
      if (event.type !== 'tool_progress') continue
      values.push(event.value)
      if (values.length % 100 !== 0) continue
      for (let i = 0; i < 3; i++) await tick()
      worst = Math.max(worst, told - values.length)
    }
    expect(values).toEqual(Array.from({ length: words }, (_, i) => i))
    expect(worst).toBeLessThanOrEqual(64)
  })

  it('ends when `result` is read: then nobody may be reading', async () => {
    const { agent } = makeAgent([{ text: 'a '.repeat(words) }])
    const stream = agent.stream('go')
    const { result } = stream
    let read = 0
    for await (const { type } of stream) {
      if (type === 'text_delta') read++
      if (read === 1) expect((await result).stopReason).toBe('end_turn')
    }
    expect(read).toBe(words)
  })
})

describe('reading a stream', () => {
  it('is cold: an unused one runs nothing and holds nothing', async () => {
    const { agent, model } = makeAgent([{ text: 'Done.' }])
    agent.stream('unused')
    await tick()
    expect([agent.isRunning, model.requests.length, agent.messages.length]).toEqual([false, 0, 0])
    expect((await agent.invoke('go')).text).toBe('Done.')
  })

  it('that was left before it began asks no model, even when the result is read', async () => {
    const { agent, model } = makeAgent([{ text: 'The next answer.' }])
    const stream = agent.stream('go')
    expect(await stream[Symbol.asyncIterator]().return?.()).toEqual({ done: true, value: undefined })
    expect(agent.messages).toEqual([])
    expect((await stream.result).stopReason).toBe('cancelled')
    await holdsInvariant(agent, { requests: model.requests, expected: 0, stream })
  })

  it('that was left before it began begins no more, however often it is asked', async () => {
    const { agent, model } = makeAgent([{ text: 'never' }])
    const reader = agent.stream('go')[Symbol.asyncIterator]()
    await reader.return!()
    expect([await reader.next(), await reader.next()]).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ])
    expect([agent.messages, model.requests.length]).toEqual([[], 0])
  })

  it('has one reader', async () => {
    const { agent } = makeAgent([{ text: 'Done.' }])
    const stream = agent.stream('go')
    await collect(stream)
    expect((await collect(stream)).error?.code).toBe('stream_already_read')
  })

  it('cannot begin after the run went on without a reader', async () => {
    const { agent } = makeAgent([{ text: 'Done.' }])
    const stream = agent.stream('go')
    await stream.result
    expect((await collect(stream)).error?.code).toBe('stream_already_started')
  })

  it('can begin in the same tick in which `result` was read', async () => {
    const { agent } = makeAgent([{ text: 'Done.' }])
    const stream = agent.stream('go')
    const { result } = stream
    const { events } = await collect(stream)
    expect(typesOf(events).length).toBeGreaterThan(5)
    expect((await result).text).toBe('Done.')
  })

  it('serves several next() at once, in order', async () => {
    const { agent } = makeAgent([{ text: 'one two' }])
    const iterator = agent.stream('go')[Symbol.asyncIterator]()
    const answers = await Promise.all(Array.from({ length: 14 }, () => iterator.next()))
    expect(typesOf(answers.flatMap(({ value }) => (value ? [value] : [])))).toEqual([
      'invocation_start',
      'message_added',
      'turn_start',
      'message_start',
      'text_start',
      'text_delta ×2',
      'text_end',
      'message_end',
      'message_added',
      'turn_end',
      'invocation_end',
    ])
    expect(answers.map(({ done }) => done)).toEqual([...Array.from({ length: 12 }, () => false), true, true])
  })

  it('ends a next() that is waiting when it is left', async () => {
    const { agent, model } = makeAgent([{ hang: true }, { text: 'The next answer.' }])
    const stream = agent.stream('go')
    const iterator = stream[Symbol.asyncIterator]()
    for (let i = 0; i < 4; i++) await iterator.next()
    const waiting = iterator.next()
    await iterator.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
    await holdsInvariant(agent, { requests: model.requests, expected: 1, stream })
  })

  it('throws what `result` rejects with, and an unread rejection is nobody else’s', async () => {
    const { agent } = makeAgent([{ error: new Error('no') }, { error: new Error('no again') }])
    const stream = agent.stream('go')
    const reading = (async () => {
      for await (const _event of stream);
    })()
    const error = await reading.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ code: 'model_error', message: 'The model failed: no' })
    await expect(stream.result).rejects.toBe(error)
    // Nobody looks at this one, and nothing comes of it but a failed run.
    void agent.stream('go').result
    await tick()
    expect(agent.isRunning).toBe(false)
  })
})

describe('one invocation at a time', () => {
  it('a second one is refused and the first is not harmed, whichever door it takes', async () => {
    const hold = deferred()
    const { agent, model } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Done.' }, { text: 'The next answer.' }], {
      tools: [
        look(async () => {
          await hold.promise
          return 'seen'
        }),
      ],
    })
    const first = agent.invoke('go')
    await tick()
    const refused = { code: 'concurrent_invocation', partial: undefined }
    await expect(agent.invoke('me too')).rejects.toMatchObject(refused)
    await expect(agent.stream('me too').result).rejects.toMatchObject(refused)
    expect(await collect(agent.stream('me too'))).toMatchObject({ events: [], result: undefined, error: refused })
    expect(() => agent.setMessages([])).toThrow(expect.objectContaining(refused))
    hold.resolve()
    expect((await first).text).toBe('Done.')
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: look#call_1 {"at":1}',
      'user: call_1 success "seen"',
      'assistant: "Done."',
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })

  it('not from inside either: a tool and a hook are refused', async () => {
    const codes: string[] = []
    const note = (error: { code: string }): void => void codes.push(error.code)
    const { agent, model } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Done.' }, { text: 'The next answer.' }], {
      tools: [
        look(async () => {
          await agent.invoke('inside').catch(note)
          return 'seen'
        }),
      ],
    })
    const off = agent.on('beforeModelCall', () => agent.invoke('inside').then(() => {}, note))
    expect((await agent.invoke('go')).text).toBe('Done.')
    off()
    expect(codes).toEqual(['concurrent_invocation', 'concurrent_invocation', 'concurrent_invocation'])
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })
})
