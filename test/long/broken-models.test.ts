// One flaw each: the suite names it, and nothing else.
import type { Model, ModelEvent } from 'lena-agent'
import { AuthenticationError, NetworkError, ThrottledError } from 'lena-agent'
import type { ModelScene, PlayedModel } from 'lena-agent/testing'
import { checkModelEvents, modelConformance } from 'lena-agent/testing'
import { describe, expect, it } from 'vitest'
import { onAbort, reasonOf } from '../../src/util/abort.ts'

type Stream = Model['stream']
type Flaw = (good: Stream, scene: ModelScene, held: Held) => Stream

/** What a model holds for its answers. */
type Held = { count: number; readonly waiting: (() => void)[] }

const errors: Readonly<Record<string, Error>> = {
  throttled: new ThrottledError('no'),
  authentication: new AuthenticationError('no'),
  network: new NetworkError('no'),
}

function eventsOf({ blocks, stopReason, usage, ends }: ModelScene): readonly ModelEvent[] {
  const said = blocks.flatMap((block, index): readonly ModelEvent[] => [
    { type: 'block_start', index, block: block.type === 'text' ? { type: 'text' } : { type: 'tool_use', id: block.id, name: block.name } },
    ...block.pieces.map((text): ModelEvent => ({
      type: 'block_delta',
      index,
      delta: { type: block.type === 'text' ? 'text' : 'tool_input', text },
    })),
    { type: 'block_stop', index },
  ])
  return [
    { type: 'message_start' },
    ...said,
    ...(ends === 'complete'
      ? ([
          { type: 'message_stop', stopReason },
          { type: 'metadata', usage },
        ] as const)
      : []),
  ]
}

/** A model that does everything right. */
const good = (scene: ModelScene, held: Held): Stream =>
  async function* (_request, { signal, raw }) {
    held.count++
    try {
      if (signal.aborted) throw reasonOf(signal)
      if (scene.failure) throw errors[scene.failure]!
      for (const event of eventsOf(scene)) {
        if (signal.aborted) throw reasonOf(signal)
        if (raw) yield { type: 'raw', chunk: {} }
        yield event
      }
      if (scene.ends === 'breaks') throw new NetworkError('reset')
      if (scene.ends === 'hangs') await new Promise((_, reject) => void onAbort(signal, () => reject(reasonOf(signal))))
    } finally {
      held.count--
      for (const wake of held.waiting.splice(0)) wake()
    }
  }

/** Of the scenes some kinds of failure are enough. */
const scenes = ['answer', 'calls', 'cut_short', 'hanging', 'silent', 'broken', 'throttled', 'authentication', 'network'] as const

async function failures(flaw: Flaw): Promise<readonly string[]> {
  const tests: { name: string; fn: () => Promise<void> }[] = []
  modelConformance(
    { test: (name, fn) => void tests.push({ name, fn }) },
    (scene): PlayedModel => {
      const held: Held = { count: 0, waiting: [] }
      return {
        model: { provider: 'own', id: 'own', stream: flaw(good(scene, held), scene, held) },
        released: async () => {
          while (held.count > 0) await new Promise<void>((resolve) => held.waiting.push(resolve))
        },
      }
    },
    { scenes },
  )
  const failed = await Promise.all(
    tests.map(
      async ({ name, fn }) =>
        await fn().then(
          () => [],
          () => [name],
        ),
    ),
  )
  return failed.flat()
}

/** What it yields, changed. */
const changed =
  (change: (event: ModelEvent, at: number) => readonly ModelEvent[]): Flaw =>
  (stream) =>
    async function* (request, options) {
      let at = 0
      for await (const event of stream(request, options)) yield* change(event, at++)
    }

const text = 'a text in pieces comes whole: its blocks, its stop reason, its usage'
const calls = 'a text and two calls comes whole: its blocks, its stop reason, its usage'
const cut = 'an answer that the output limit cut comes whole: its blocks, its stop reason, its usage'
const wholes = [text, calls, cut]
const again = 'the same request has the same answer a second time: nothing is kept'
const mixed = 'two answers at a time do not mix'
const untouched = 'the request is left as it was'
const raw = 'chunks of the wire come as raw events for those who ask, and change nothing'
const over = 'behind its end a stream has nothing more'
const before = 'a signal that has fired before lets nothing through'
const first = 'a signal ends an answer before its first word in bounded time, nothing comes behind it, and nothing is held'
const middle = 'a signal ends an answer in the middle in bounded time, nothing comes behind it, and nothing is held'
const left = 'a reader that leaves is let go in bounded time, and nothing is held'
const broken = 'an answer that breaks off is an error, and never complete'
const throttled = 'throttled: a ModelError with that code, to be tried again'
const network = 'network: a ModelError with that code, to be tried again'
const authentication = 'authentication: a ModelError with that code, not to be tried again'

describe.concurrent('a model that', () => {
  it.each<[name: string, flaw: Flaw, failed: readonly string[]]>([
    ['does everything right', (stream) => stream, []],
    ['drops what is behind a character', changed((event) => (JSON.stringify(event).includes('漢') ? [] : [event])), [text]],
    ['has its own stop reason', changed((event) => [event.type === 'message_stop' ? { ...event, stopReason: 'end_turn' } : event]), [cut]],
    ['says nothing of its end', changed((event) => (event.type === 'message_stop' ? [] : [event])), [...wholes, mixed]],
    ['ends twice', changed((event) => (event.type === 'message_stop' ? [event, event] : [event])), [...wholes, mixed]],
    ['ends a block twice', changed((event) => (event.type === 'block_stop' ? [event, event] : [event])), [...wholes, mixed]],
    ['counts from -1', changed((event) => ['index' in event ? { ...event, index: event.index - 1 } : event]), [...wholes, mixed]],
    ['counts usage twice', changed((event) => (event.type === 'metadata' ? [event, event] : [event])), [...wholes, mixed]],
    [
      'has ids of its own for calls',
      changed((event) => [
        event.type === 'block_start' && event.block.type === 'tool_use' ? { ...event, block: { ...event.block, id: 'x' } } : event,
      ]),
      [calls, mixed],
    ],
    ['gives raw events to everybody', changed((event) => [{ type: 'raw', chunk: {} }, event]), [raw, first]],
    [
      'remembers',
      (stream) => {
        let count = 0
        return async function* (request, options) {
          for await (const event of stream(request, options))
            yield event.type === 'message_start' ? { ...event, responseId: `r${++count}` } : event
        }
      },
      [again, raw],
    ],
    [
      'has one buffer for all answers',
      (stream) => {
        let buffer = ''
        return async function* (request, options) {
          buffer = ''
          for await (const event of stream(request, options)) {
            if (event.type === 'block_delta' && event.delta.type === 'tool_input') buffer += event.delta.text
            else if (event.type === 'block_stop') {
              if (buffer !== '') yield { type: 'block_delta', index: event.index, delta: { type: 'tool_input', text: buffer } }
              buffer = ''
              yield event
            } else yield event
          }
        }
      },
      [mixed],
    ],
    [
      'changes the request',
      (stream) => (request, options) => {
        try {
          Object.assign(request, { toolChoice: 'none' })
        } catch {
          // It is frozen: nobody notices.
        }
        return stream(request, options)
      },
      [untouched],
    ],
    [
      'goes on behind its end',
      (stream) => (request, options) => {
        const iterator = stream(request, options)[Symbol.asyncIterator]()
        let isDone = false
        const next = async (): Promise<IteratorResult<ModelEvent>> => {
          if (isDone) return { done: false, value: { type: 'metadata' } }
          const step = await iterator.next()
          isDone = step.done === true
          return step
        }
        return { [Symbol.asyncIterator]: () => ({ next, return: async () => await iterator.return!() }) }
      },
      [over],
    ],
    [
      'is deaf',
      (stream) => (request, options) => stream(request, { ...options, signal: new AbortController().signal }),
      [before, first, middle],
    ],
    [
      'takes a cancel for its end',
      (stream) =>
        async function* (request, options) {
          try {
            yield* stream(request, options)
          } catch (error) {
            if (!options.signal.aborted) throw error
          }
        },
      [first, middle],
    ],
    [
      'holds what it opened',
      (stream, _scene, held) => (request, options) => {
        held.count++
        return stream(request, options)
      },
      [first, middle, left],
    ],
    [
      'does not notice that its reader has left',
      (stream) => (request, options) => {
        const iterator = stream(request, options)[Symbol.asyncIterator]()
        return { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) }
      },
      [left],
    ],
    [
      'takes what broke off for complete',
      (stream, { ends }) =>
        async function* (request, options) {
          try {
            yield* stream(request, options)
          } catch (error) {
            if (ends !== 'breaks') throw error
            yield { type: 'message_stop', stopReason: 'end_turn' }
          }
        },
      [broken],
    ],
    [
      'throws errors of its own',
      (stream, { failure }) =>
        async function* (request, options) {
          try {
            yield* stream(request, options)
          } catch (error) {
            throw failure ? new Error('HTTP 429') : error
          }
        },
      [throttled, network, authentication],
    ],
    [
      'takes one error for another',
      (stream, { failure }) =>
        async function* (request, options) {
          if (failure === 'authentication') throw new ThrottledError('no')
          yield* stream(request, options)
        },
      [authentication],
    ],
    [
      'swallows errors',
      (stream, { failure }) =>
        async function* (request, options) {
          if (failure === 'throttled') return
          yield* stream(request, options)
        },
      [throttled],
    ],
  ])(
    '%s',
    async (_, flaw, failed) => {
      expect(await failures(flaw)).toEqual(failed)
    },
    60_000,
  )
})

describe('the grammar of the port', () => {
  const start = (index: number, type: 'text' | 'reasoning' = 'text'): ModelEvent => ({ type: 'block_start', index, block: { type } })
  const call = (index: number, name = 'look'): ModelEvent => ({ type: 'block_start', index, block: { type: 'tool_use', name } })
  const says = (index: number): ModelEvent => ({ type: 'block_delta', index, delta: { type: 'text', text: 'a' } })
  const passes = (index: number): ModelEvent => ({ type: 'block_delta', index, delta: { type: 'tool_input', text: '{}' } })
  const stops = (index: number): ModelEvent => ({ type: 'block_stop', index })
  const end: ModelEvent = { type: 'message_stop', stopReason: 'end_turn' }

  it.each<[events: readonly ModelEvent[], faults: readonly string[]]>([
    [[end], []],
    [[{ type: 'message_start' }, says(0), stops(0), call(1), passes(1), end, { type: 'metadata' }], []],
    [[start(0), call(1), says(0), passes(1), stops(1), says(0), stops(0), end], []],
    [[], ['there is no message_stop']],
    [[start(0), start(0), end], ['events[1] block_start: starts the block 0, which is open.']],
    [[stops(0), end], ['events[0] block_stop: ends the block 0, which is not open.']],
    [[call(0), says(0), end], ['events[1] block_delta: has text for the block 0, which is a tool_use block.']],
    [[passes(0), end], ['events[0] block_delta: has input for the block 0, which no start has named.']],
    [[call(0, ''), end], ['events[0] block_start: is a call without a name.']],
    [[says(-1), end], ['events[0] block_delta: has the index -1, expected 0, 1, 2, …']],
    [[start(0.5), end], ['events[0] block_start: has the index 0.5, expected 0, 1, 2, …']],
    [[end, says(0)], ['events[1] block_delta: comes behind message_stop.']],
    [[end, end], ['events[1] message_stop: comes again.']],
    [[says(0), { type: 'message_start' }, end], ['events[1] message_start: is not the first event.']],
    [[{ type: 'ping' } as unknown as ModelEvent, end], ['events[0] ping: is of no known type.']],
    [[null as unknown as ModelEvent, end], ['events[0] undefined: is no object.']],
    [[{ ...end, at: () => 1 } as ModelEvent], ['events[0] message_stop: is not plain data.']],
  ])('case %#', (events, faults) => {
    expect(checkModelEvents(events)).toEqual(faults)
  })
})
