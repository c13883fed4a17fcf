import { describe, expect, it } from 'vitest'
import { compact } from '../../src/context/compact.ts'
import type { ContextManager, ContextView } from '../../src/context/context-manager.ts'
import { contextManagers } from '../../src/context/context-managers.ts'
import { estimateTokens } from '../../src/context/estimate-tokens.ts'
import { offloadResults } from '../../src/context/offload-results.ts'
import { slidingWindow } from '../../src/context/sliding-window.ts'
import { summarising } from '../../src/context/summarising.ts'
import { truncateResults } from '../../src/context/truncate-results.ts'
import { ContextOverflowError } from '../../src/errors.ts'
import { check } from '../../src/messages/check.ts'
import { text } from '../../src/messages/content.ts'
import type { Message, MessageInput } from '../../src/messages/message.ts'
import { repair } from '../../src/messages/repair.ts'
import { memoryResults } from '../../src/results/memory-results.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { fc, runs } from '../support/fast-check.ts'
import { assistant, call, result, user } from '../support/history.ts'

/** Prompts, turns of several calls with signed thoughts and results of any size; the last turn may be the results alone. */
const histories: fc.Arbitrary<readonly Message[]> = fc
  .array(
    fc.record({
      size: fc.integer({ min: 1, max: 400 }),
      calls: fc.array(fc.record({ count: fc.integer({ min: 1, max: 3 }), size: fc.constantFrom(1, 50, 900, 5000) }), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .chain((turns) => fc.record({ turns: fc.constant(turns), openEnd: fc.boolean() }))
  .map(({ turns, openEnd }) => {
    let serial = 0
    const messages: MessageInput[] = []
    turns.forEach(({ size, calls }, turn) => {
      messages.push(user('p'.repeat(size)))
      for (const { count, size: long } of calls) {
        const ids = Array.from({ length: count }, () => `c${serial++}`)
        messages.push(assistant({ type: 'reasoning', text: 'hm', signature: 'signed' }, ...ids.map((id) => call(id))))
        messages.push(user(...ids.map((id) => result(id, 'r'.repeat(long)))))
      }
      if (turn < turns.length - 1 || !openEnd) messages.push(assistant('a'.repeat(size)))
    })
    return repair(messages, { openCalls: 'keep' })
  })

const summaryModel = () => scriptedModel({ text: 'short notes' }, { text: 'short notes' })
const managers: readonly (readonly [name: string, make: () => ContextManager])[] = [
  ['slidingWindow()', () => slidingWindow()],
  ['slidingWindow({ messages })', () => slidingWindow({ messages: 4 })],
  ['slidingWindow({ pin })', () => slidingWindow({ messages: 8, pin: 2 })],
  ['slidingWindow({ pin: function })', () => slidingWindow({ tokens: 200, pin: ({ content }) => content.length === 3 })],
  ['summarising()', () => summarising({ model: summaryModel(), keep: 3, maxSummaryTokens: 50 })],
  ['truncateResults()', () => truncateResults({ keep: 1, maxChars: 100 })],
  ['offloadResults()', () => offloadResults({ keep: 1, minChars: 1100, previewChars: 100 })],
  ['contextManagers()', () => contextManagers([offloadResults({ keep: 1 }), truncateResults({ keep: 1, maxChars: 50 }), slidingWindow()])],
]

const view = (messages: readonly Message[], contextWindow = 500): ContextView => {
  const model = scriptedModel()
  const results = { store: memoryResults(), conversationId: 'c', reader: () => undefined }
  return { messages, tokens: estimateTokens(messages, model), contextWindow, model, results, signal: new AbortController().signal }
}
const error = new ContextOverflowError('too long')

describe.each(managers)('%s, whatever the history', { timeout: 300_000 }, (_, make) => {
  const all = async (messages: readonly Message[]): Promise<(readonly Message[] | undefined)[]> => [
    await make().before?.(view(messages)),
    await make().reduce({ ...view(messages), error }),
    (await compact(make(), { ...view(messages) })).messages,
  ]

  it('leaves a legal one that is not empty and ends as it did', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (messages) => {
        for (const made of await all(messages)) {
          if (!made) continue
          expect(check(made)).toEqual([])
          expect(made.length).toBeGreaterThan(0)
          expect(made.at(-1)!.id).toBe(messages.at(-1)!.id)
          // Legal as it is: nothing is left to repair, so no message is made anew.
          const stored = repair(made)
          expect(stored.map(({ content }) => content)).toEqual(made.map(({ content }) => content))
        }
      }),
      runs(30),
    )
  })

  it('never makes it longer, and keeps calls with their results and their signed thoughts', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (messages) => {
        const before = new Map(messages.filter(({ role }) => role === 'assistant').map((message) => [message.id, message]))
        for (const made of await all(messages)) {
          if (!made) continue
          expect(estimateTokens(made)).toBeLessThanOrEqual(estimateTokens(messages) + 20)
          for (const message of made) if (before.has(message.id)) expect(message).toBe(before.get(message.id))
        }
      }),
      runs(30),
    )
  })

  it('changes nothing where there is room', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (messages) => {
        if (messages.length > 4) return
        expect(await make().before?.({ ...view(messages, 1_000_000), tokens: 10 })).toBe(undefined)
      }),
      runs(30),
    )
  })
})

describe('a window that slides', () => {
  it('keeps the newest messages word for word where no result is too large', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (messages) => {
        const made = await slidingWindow({ messages: 5 }).before!(view(messages, 1_000_000))
        // All but the prompt that was kept in front is the end of the history.
        if (made) expect(made.slice(1)).toEqual(messages.slice(1 - made.length))
      }),
      runs(30),
    )
  })

  it('changes the beginning seldom', async () => {
    const manager = slidingWindow({ messages: 40 })
    let messages: readonly Message[] = repair([user('go')])
    let changes = 0
    for (let turn = 0; turn < 200; turn++) {
      const next = [assistant(call(`c${turn}`)), user(result(`c${turn}`))]
      messages = [...messages, ...next.map((message, i) => ({ id: `m${turn}-${i}`, ...message }) as Message)]
      const made = await manager.before!(view(messages, 1_000_000))
      if (made) changes++
      messages = made ?? messages
    }
    // 401 messages; at 41 it cuts down to 29, so 12 go at a time.
    expect(changes).toBe(31)
    expect(messages[0]!.content).toEqual([text('go')])
  })

  it.each([
    [
      'a prompt and three pairs in a window of four',
      [user('go'), assistant(call('a')), user(result('a')), assistant(call('b')), user(result('b')), assistant('well')],
    ],
    ['an assistant at the cut', [user('1'), assistant('2'), user('3'), assistant('4'), user('5')]],
  ])('begins with a user message: %s', async (_, history) => {
    const made = await slidingWindow({ messages: 4 }).before!(view(repair(history), 1_000_000))
    expect(check(made!)).toEqual([])
    expect(made!.length).toBeLessThanOrEqual(4)
    expect(made!.at(-1)!.content).toEqual(history.at(-1)!.content)
  })

  it('shortens the large result instead of leaving out what stands before it', async () => {
    const history = repair([
      user('go'),
      assistant(call('a'), call('b')),
      user(result('a', 'x'.repeat(50)), result('b', 'y'.repeat(400_000))),
    ])
    const made = await slidingWindow().reduce({ ...view(history, 200_000), error })
    expect(made!.map(({ id }) => id)).toEqual(history.map(({ id }) => id))
    expect(JSON.stringify(made)).toMatch(/\[\d+ characters of this result left out to save room\]/)
    expect(made![2]!.content[0]).toEqual(history[2]!.content[0])
    expect(estimateTokens(made!)).toBeLessThan(50_000)
  })

  it('says so when nothing can be done', async () => {
    expect(await slidingWindow().reduce({ ...view(repair([user('p'.repeat(9000))])), error })).toBe(undefined)
  })
})
