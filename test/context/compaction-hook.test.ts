import { describe, expect, it } from 'vitest'
import { slidingWindow } from '../../src/context/sliding-window.ts'
import { ContextOverflowError, HookError } from '../../src/errors.ts'
import type { HookEvent } from '../../src/hooks/hooks.ts'
import { check } from '../../src/messages/check.ts'
import { repair } from '../../src/messages/repair.ts'
import { collect } from '../../src/testing/collect.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import { assistant, user } from '../support/history.ts'
import { makeAgent } from '../support/make-agent.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const history = repair(Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? user(`question ${i}`) : assistant(`answer ${i}`))))
const overflow: ScriptStep = { error: new ContextOverflowError('too long') }
type Event = HookEvent<'beforeCompaction'>

function hooked(hook: (event: Event) => void | Promise<void>, steps: readonly ScriptStep[], context = slidingWindow({ messages: 4 })) {
  const made = makeAgent(steps, { context, messages: history })
  made.agent.on('beforeCompaction', hook)
  return made
}

describe('beforeCompaction', () => {
  it.each<[Event['reason'], readonly ScriptStep[], typeof slidingWindow]>([
    ['tokens', [{ text: 'Yes.' }], () => slidingWindow({ messages: 4 })],
    ['overflow', [overflow, { text: 'Yes.' }], () => slidingWindow()],
  ])('is told why, what there was and what there will be: %s', async (reason, steps, context) => {
    const seen: Event[] = []
    const { agent } = hooked((event) => void seen.push(event), steps, context())
    const { events } = await collect(agent.stream('go'))
    expect(seen.map((event) => [event.reason, event.before.length])).toEqual([[reason, 7]])
    expect(agent.messages.slice(0, -1)).toEqual(seen[0]!.messages)
    expect(events.filter(({ type }) => type === 'compaction').length).toBe(1)
  })

  it('is asked by compact(), too', async () => {
    const seen: Event[] = []
    const { agent } = hooked((event) => void seen.push(event), [])
    const { changed, messages } = await agent.compact()
    expect([changed, seen.map(({ reason }) => reason)]).toEqual([true, ['asked']])
    expect([seen[0]!.messages, agent.messages]).toEqual([messages, messages])
  })

  it('may put other messages there, which are repaired', async () => {
    const { agent } = hooked((event) => void (event.messages = event.before.slice(3)), [{ text: 'Yes.' }])
    await agent.invoke('go')
    expect(check(agent.messages)).toEqual([])
    expect(agent.messages.slice(1)).toEqual([...history.slice(3), ...agent.messages.slice(-2)])
  })

  it('may cancel: the history stays, nothing is told, and an overflow is what the caller gets', async () => {
    const cancel = (event: Event) => void (event.cancel = 'keep it')
    const proactive = hooked(cancel, [{ text: 'Yes.' }])
    const { events } = await collect(proactive.agent.stream('go'))
    expect(events.filter(({ type }) => type === 'compaction' || type === 'warning')).toEqual([])
    expect(proactive.agent.messages.slice(0, 6)).toEqual(history)
    const reactive = hooked(cancel, [overflow], slidingWindow())
    await expect(reactive.agent.invoke('go')).rejects.toMatchObject({ code: 'context_overflow' })
    const asked = hooked(cancel, [])
    expect(await asked.agent.compact()).toMatchObject({ changed: false, messages: history })
    expect(asked.agent.messages).toEqual(history)
  })

  it('that throws ends the invocation, and nothing of the history is lost', async () => {
    const throws = (): never => {
      throw new Error('no')
    }
    for (const [steps, context] of [
      [[{ text: 'Yes.' }], slidingWindow({ messages: 4 })],
      [[overflow], slidingWindow()],
    ] as const) {
      const { agent } = hooked(throws, steps, context)
      await expect(agent.invoke('go')).rejects.toBeInstanceOf(HookError)
      expect([agent.messages.slice(0, 6), check(agent.messages)]).toEqual([history, []])
    }
    const { agent } = hooked(throws, [])
    await expect(agent.compact()).rejects.toBeInstanceOf(HookError)
    expect(agent.messages).toEqual(history)
  })

  it.each([
    ['a text', 'short', 'The history must be an array of messages, got "short".'],
    ['nothing', undefined, 'The history must be an array of messages, got undefined.'],
    ['what are no messages', [{ role: 'system', content: 'x' }], 'messages[0].role: expected "user" or "assistant"'],
    ['an empty history', [], 'it is empty. With a `cancel` the history stays as it is.'],
  ])('that puts %s there ends the invocation, and says so', async (_, given, said) => {
    const sets = (event: Event) => void (event.messages = given as never)
    for (const run of [
      () => hooked(sets, [{ text: 'Yes.' }]).agent.invoke('go'),
      () => hooked(sets, [overflow], slidingWindow()).agent.invoke('go'),
      () => hooked(sets, []).agent.compact(),
    ]) {
      const error = await run().then(
        () => undefined,
        (thrown: unknown) => thrown as HookError,
      )
      expect([error?.code, error?.hook, error?.message]).toEqual([
        'hook_failed',
        'beforeCompaction',
        expect.stringContaining(`A beforeCompaction hook set \`messages\` to what is no history: ${said}`),
      ])
    }
  })

  it('that hangs keeps no cancelled run', async () => {
    const { agent, clock, model } = hooked(() => new Promise(() => {}), [{ text: 'never' }])
    const running = agent.invoke('go')
    await clock.advance(0)
    agent.cancel()
    await clock.advance(5000)
    expect([(await running).stopReason, model.requests.length]).toEqual(['cancelled', 0])
  })
})
