import { expect, it } from 'vitest'
import { slidingWindow } from '../../src/context/sliding-window.ts'
import { makeAgent } from '../support/make-agent.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

it.each([
  [{ focuss: 'names' }, 'compact() has no option "focuss". Did you mean "focus"? It has focus, signal.'],
  [null, 'compact() takes an object of options or nothing, got null.'],
])('compact(%j) says what it takes', async (options, said) => {
  const { agent } = makeAgent([], { context: slidingWindow() })
  await expect(agent.compact(options as never)).rejects.toMatchObject({ code: 'invalid_input', message: said })
})

it('compact() under a signal that has fired rejects with its reason, and the history is as it was', async () => {
  const { agent } = makeAgent([{ text: 'Yes.' }], { context: slidingWindow() })
  await agent.invoke('go')
  const before = agent.messages
  const reason = new Error('left')
  await expect(agent.compact({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect([agent.messages, agent.isRunning]).toEqual([before, false])
})
