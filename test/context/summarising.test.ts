import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { summarising } from '../../src/context/summarising.ts'
import { contextManagers } from '../../src/context/context-managers.ts'
import { slidingWindow } from '../../src/context/sliding-window.ts'
import { truncateResults } from '../../src/context/truncate-results.ts'
import { compact } from '../../src/context/compact.ts'
import { ContextOverflowError, OverloadedError } from '../../src/errors.ts'
import { check } from '../../src/messages/check.ts'
import { textOf } from '../../src/messages/content.ts'
import { repair } from '../../src/messages/repair.ts'
import { collect } from '../../src/testing/collect.ts'
import type { Model } from '../../src/models/model.ts'
import { eventsOf, scriptedModel } from '../../src/testing/scripted-model.ts'
import { assistant, call, result, user } from '../support/history.ts'
import { makeAgent } from '../support/make-agent.ts'

const history = repair([
  user('find the bug'),
  ...Array.from({ length: 12 }, (_, i) => [assistant(call(`c${i}`)), user(result(`c${i}`, `line ${i} `.repeat(40)))]).flat(),
])
const view = (model = scriptedModel()) => ({ messages: history, model, contextWindow: 1000 })

describe('a summary', () => {
  it('is asked for once, as text without tools, and holds the request word for word', async () => {
    const model = scriptedModel({ text: 'notes one' })
    const made = await compact(summarising({ keep: 4 }), view(model))
    expect(model.requests.map(({ tools, messages }) => [tools, messages.length])).toEqual([[[], 1]])
    expect(JSON.stringify(model.requests[0]!.messages)).not.toContain('tool_use')
    expect(check(made.messages)).toEqual([])
    expect(made.messages[0]!.metadata).toEqual({ synthetic: 'summary' })
    expect(textOf(made.messages[0]!)).toContain('notes one')
    expect(textOf(made.messages[0]!)).toContain('find the bug')
    expect(made.messages.slice(1).every((message) => history.includes(message))).toBe(true)
  })

  it('takes in the one before, and the request with it', async () => {
    const model = scriptedModel({ text: 'notes one' }, { text: 'notes two' })
    const once = await compact(summarising({ keep: 6 }), view(model))
    const twice = await compact(summarising({ keep: 2 }), { ...view(model), messages: once.messages, focus: 'the line numbers' })
    expect(JSON.stringify(model.requests[1]!.messages)).toContain('notes one')
    expect(textOf(model.requests[1]!.system as never)).toContain('the line numbers')
    expect(textOf(twice.messages[0]!)).toContain('find the bug')
    expect(textOf(twice.messages[0]!)).not.toContain('notes one')
    expect(twice.messages.filter(({ metadata }) => metadata?.synthetic === 'summary').length).toBe(1)
  })

  it('is given up after two attempts: a warning, the history as it was, and not asked for again at once', async () => {
    const failing = scriptedModel({ error: new OverloadedError('busy') }, { error: new OverloadedError('busy') })
    const { agent } = makeAgent([{ text: 'one', usage: { inputTokens: 10 } }, { text: 'two' }], {
      context: summarising({ model: failing, at: 0.1 }),
      messages: [...history, assistant('well'), user('p'.repeat(100_000)), assistant('yes')],
    })
    const { events } = await collect(agent.stream('go'))
    expect(events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))).toEqual([
      'The context manager "summarising" failed: busy',
    ])
    expect(agent.messages.slice(0, history.length)).toEqual(history)
    failing.assertComplete()
  })

  it('is replaced by a window after an overflow', async () => {
    const failing = scriptedModel({ error: new OverloadedError('busy') }, { error: new OverloadedError('busy') })
    const { agent } = makeAgent([{ error: new ContextOverflowError('too long') }, { text: 'fits' }], {
      context: summarising({ model: failing }),
      messages: [...history, assistant('well')],
    })
    const { result: done, events } = await collect(agent.stream('go'))
    expect(done?.text).toBe('fits')
    expect(events.filter(({ type }) => type === 'compaction').length).toBe(1)
    expect(events.filter(({ type }) => type === 'warning').length).toBe(1)
    expect(check(agent.messages)).toEqual([])
  })

  it.each([
    ['breaks', () => Promise.reject(new Error('reset'))],
    ['stays open, and says nothing of usage', () => new Promise<never>(() => {})],
  ])(
    'is taken of a stream that %s behind its end',
    async (_, behind) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const model: Model = {
        provider: 'scripted',
        id: 'scripted',
        async *stream() {
          yield* eventsOf({ text: 'notes' }).filter(({ type }) => type !== 'metadata')
          await behind()
        },
      }
      const made = compact(summarising({ model }), view())
      await vi.advanceTimersByTimeAsync(2000)
      expect(textOf((await made).messages[0]!)).toContain('notes')
      expect(vi.getTimerCount()).toBe(0)
    },
    5000,
  )

  it('can be cancelled', async () => {
    const controller = new AbortController()
    const waiting = compact(summarising({ model: scriptedModel({ hang: 'deaf' }) }), { ...view(), signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })

  it('is counted as usage of the run', async () => {
    const model = scriptedModel({ text: 'notes', usage: { inputTokens: 700, outputTokens: 30 } })
    const { agent } = makeAgent(
      [{ error: new ContextOverflowError('too long') }, { text: 'fits', usage: { inputTokens: 5, outputTokens: 1 } }],
      {
        context: summarising({ model }),
        messages: [...history, assistant('well')],
      },
    )
    expect((await agent.invoke('go')).usage.inputTokens).toBe(705)
  })
})

describe('options', () => {
  it.each([
    [() => slidingWindow({ messages: 1 }), 'slidingWindow({ messages }): expected a whole number of messages, at least 4, got 1.'],
    [
      () => slidingWindow({ message: 5 } as never),
      'slidingWindow() has no option "message". Did you mean "messages"? It has messages, tokens, pin.',
    ],
    [
      () => slidingWindow({ messages: 5, pin: 3 }),
      'slidingWindow(): 3 pinned messages leave no room in a window of 5. It needs at least 7.',
    ],
    [
      () => summarising({ at: 80 }),
      'summarising({ at }): expected a fraction of the context window between 0.1 and 1, such as 0.8, got 80.',
    ],
    [() => truncateResults({ keep: -1 }), 'truncateResults({ keep }): expected a whole number of messages, at least 0, got -1.'],
    [() => contextManagers([]), 'contextManagers() takes a list such as [truncateResults(), slidingWindow()], got an array.'],
  ])('that cannot work are refused: %#', (make, message) => {
    expect(make).toThrow(message)
  })
})
