import { describe, expect, it } from 'vitest'
import { compact } from '../../src/context/compact.ts'
import type { ContextManager } from '../../src/context/context-manager.ts'
import { contextManagers } from '../../src/context/context-managers.ts'
import { estimateTokens } from '../../src/context/estimate-tokens.ts'
import { offloadResults } from '../../src/context/offload-results.ts'
import { slidingWindow } from '../../src/context/sliding-window.ts'
import { summarising } from '../../src/context/summarising.ts'
import { truncateResults } from '../../src/context/truncate-results.ts'
import { ContextOverflowError, ModelError } from '../../src/errors.ts'
import { check } from '../../src/messages/check.ts'
import type { MessageInput } from '../../src/messages/message.ts'
import { repair } from '../../src/messages/repair.ts'
import type { Model } from '../../src/models/model.ts'
import type { ModelEvent } from '../../src/models/model-events.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { assistant, call, result, user } from '../support/history.ts'
import { makeAgent } from '../support/make-agent.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const overflow = () => new ContextOverflowError('too long')
const times = (step: ScriptStep) => Array.from({ length: 12 }, () => step)
const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => `c${i}`)
const screenshot = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'aaaa' } } as const

const histories: readonly (readonly [name: string, messages: readonly MessageInput[]])[] = [
  ['no history', []],
  ['one huge message', [user('p'.repeat(900_000))]],
  ['a huge question and a huge answer', [user('p'.repeat(900_000)), assistant('q'.repeat(900_000))]],
  ['results that nobody asked for', [user(result('a', 'x'.repeat(300_000))), assistant('well')]],
  [
    'a hundred results at once',
    [user('go'), assistant(...ids(100).map((id) => call(id))), user(...ids(100).map((id) => result(id, 'z'.repeat(10_000))))],
  ],
  ['a huge input', [user('go'), assistant({ ...call('a'), input: { text: 'w'.repeat(900_000) } }), user(result('a')), assistant('done')]],
  [
    'screenshots',
    [
      user('go'),
      ...ids(40).flatMap((id) => [assistant(call(id)), user({ ...result(id), content: Array.from({ length: 5 }, () => screenshot) })]),
    ],
  ],
]

const bad = (stream: () => AsyncIterable<ModelEvent>): Model => ({ provider: 'bad', id: 'bad', stream })
const writers: readonly (readonly [name: string, make: () => Model])[] = [
  ['writes', () => scriptedModel(...times({ text: 'the notes' }))],
  [
    'throws',
    () =>
      bad(() => {
        throw new Error('broken')
      }),
  ],
  ['says nothing', () => scriptedModel(...times({ text: '' }))],
  ['calls a tool', () => scriptedModel(...times({ calls: [{ name: 'look', input: {} }] }))],
  ['writes without end', () => scriptedModel(...times({ text: 'l'.repeat(1_000_000) }))],
  ['finds it too long', () => scriptedModel(...times({ error: overflow() }))],
  ['gives no stream', () => bad(() => undefined as never)],
  [
    'gives what is no event',
    () =>
      bad(async function* () {
        yield null as never
      }),
  ],
]

/** Those that ask no model are tried with one alone. */
const managers: readonly (readonly [name: string, make: (writer: Model) => ContextManager, asks: boolean])[] = [
  ['slidingWindow()', () => slidingWindow(), false],
  ['slidingWindow() that pins all', () => slidingWindow({ pin: () => true }), false],
  [
    'slidingWindow() whose pin throws',
    () =>
      slidingWindow({
        pin: () => {
          throw new Error('no')
        },
      }),
    false,
  ],
  ['summarising()', (model) => summarising({ model }), true],
  ['offloadResults()', () => offloadResults(), false],
  ['truncateResults()', () => truncateResults(), false],
  ['all of them', (model) => contextManagers([offloadResults(), truncateResults(), summarising({ model }), slidingWindow()]), true],
]

describe.each(managers)('%s', { timeout: 60_000 }, (_, make, asks) => {
  describe.each(histories)('over %s', (__, messages) => {
    it.each(asks ? writers : writers.slice(0, 1))(
      'and a model for summaries that %s: the history is legal, and the provider error is all that comes of it',
      async (___, writer) => {
        const { agent, model } = makeAgent(
          [{ error: overflow() }, { error: overflow() }, { text: 'one' }, { text: 'two' }, { text: 'three' }],
          {
            context: make(writer()),
            messages: repair(messages),
          },
        )
        Object.assign(model, { contextWindow: 50_000 })
        for (const prompt of ['next', 'and then?']) {
          const { error } = await agent.invoke(prompt).then(
            () => ({ error: undefined }),
            (thrown: unknown) => ({ error: thrown }),
          )
          if (error !== undefined) expect(error).toBeInstanceOf(ContextOverflowError)
          expect(check(agent.messages)).toEqual([])
          expect(agent.messages.length).toBeGreaterThan(0)
        }
        const asked = await agent.compact().then(
          () => undefined,
          (thrown: { readonly code?: unknown }) => thrown,
        )
        if (asked && !(asked instanceof Error && asked.message === 'no')) expect(typeof asked.code).toBe('string')
        expect(check(agent.messages)).toEqual([])
      },
    )
  })
})

it.each<[string, ContextManager]>([
  ['a window', slidingWindow()],
  ['a summary', summarising({ model: scriptedModel(...times({ text: 'the notes' })) })],
])('%s makes the results of one turn fit that are too large together, the large ones first', async (_, manager) => {
  const small = result('small', 'seen')
  const messages = repair([
    user('go'),
    assistant(...ids(100).map((id) => call(id)), call('small')),
    user(...ids(100).map((id) => result(id, 'z'.repeat(10_000))), small),
  ])
  const model = scriptedModel()
  const view = { messages, tokens: estimateTokens(messages, model), contextWindow: 50_000, model, signal: new AbortController().signal }
  const made = (await manager.before!(view))!
  expect(estimateTokens(made, model)).toBeLessThan(40_000)
  expect(check(made)).toEqual([])
  expect(made.at(-1)!.content.length).toBe(101)
  expect(made.at(-1)!.content.at(-1)).toEqual(small)
})

it('an agent without a history has nothing to shorten, however long its instructions are', async () => {
  const { agent } = makeAgent([], { context: slidingWindow(), instructions: 'Be brief. '.repeat(50_000) })
  const { messages, changed } = await agent.compact()
  expect([messages, changed]).toEqual([[], false])
})

it.each([0, -1, Number.NaN])('a model that says it takes %s tokens is one that does not know', async (contextWindow) => {
  const { agent, model } = makeAgent(
    [...[1, 2, 3].map((at): ScriptStep => ({ calls: [{ name: 'look', input: { at } }] })), { text: 'Done.' }],
    { context: slidingWindow(), tools: [look()] },
  )
  Object.assign(model, { contextWindow })
  await agent.invoke('go')
  expect(agent.messages.length).toBe(8)
  expect((await compact(slidingWindow(), { messages: agent.messages, model })).tokensBefore).toBeGreaterThan(0)
})

it('a summary that is no shorter than what it stands for is not paid for again at once', async () => {
  const writer = scriptedModel(...times({ text: 'the notes '.repeat(50) }))
  const { agent, model } = makeAgent([{ error: overflow() }, { text: 'one' }, { error: overflow() }, { text: 'two' }], {
    context: summarising({ model: writer }),
    // What is older than the newest turn is next to nothing.
    messages: repair([
      user('go'),
      assistant(...ids(100).map((id) => call(id))),
      user(...ids(100).map((id) => result(id, 'z'.repeat(10_000)))),
    ]),
  })
  Object.assign(model, { contextWindow: 50_000 })
  await agent.invoke('next')
  await agent.invoke('and then?')
  expect(writer.requests.length).toBe(1)
})

it('what a broken model throws at compact() is an error that can be told apart', async () => {
  const model = scriptedModel()
  const messages = repair([user('go'), ...ids(12).flatMap((id) => [assistant(call(id)), user(result(id))]), assistant('well')])
  const writer = bad(() => undefined as never)
  await expect(compact(summarising({ model: writer, keep: 2 }), { messages, model })).rejects.toBeInstanceOf(ModelError)
})

it.each([true, 'deaf'] as const)('a summary that never comes does not keep a cancelled run (hang: %s)', async (hang) => {
  const writer = scriptedModel({ text: 'half', hang, after: 1 })
  const { agent, model } = makeAgent([], {
    context: summarising({
      at: 0.1,
      keep: 2,
      model: { ...writer, stream: (request, options) => (setImmediate(() => agent.cancel()), writer.stream(request, options)) },
    }),
    messages: repair([
      user('go'),
      ...ids(12).flatMap((id) => [assistant(call(id)), user(result(id, 'words '.repeat(200)))]),
      assistant('well'),
    ]),
  })
  Object.assign(model, { contextWindow: 10_000 })
  expect((await agent.invoke('next')).stopReason).toBe('cancelled')
  expect([writer.requests.length, check(agent.messages)]).toEqual([1, []])
})
