import { expect, it } from 'vitest'
import type { ContextManager } from '../../src/context/context-manager.ts'
import { ContextOverflowError } from '../../src/errors.ts'
import { check } from '../../src/messages/check.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { collect } from '../../src/testing/collect.ts'
import { makeAgent } from '../support/make-agent.ts'

const tooLong = () => new ContextOverflowError('too long')
/** Drops the first pair of messages while there is one. */
const dropping: ContextManager = { name: 'dropping', reduce: async ({ messages }) => (messages.length > 2 ? messages.slice(2) : undefined) }
const history = ['a', 'b', 'c', 'd', 'e', 'f'].map((content, i) => ({
  role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content,
}))

it('shortens the history after an overflow and asks again', async () => {
  const { agent, model } = makeAgent([{ error: tooLong() }, { error: tooLong() }, { text: 'fits' }], {
    context: dropping,
    messages: history,
  })
  const { events, result } = await collect(agent.stream('go'))
  expect(result?.text).toBe('fits')
  expect(model.requests.map(({ messages }) => messages.length)).toEqual([7, 5, 3])
  expect(events.flatMap((event) => (event.type === 'compaction' ? [event.removed] : []))).toEqual([2, 2])
  expect(checkEvents(events)).toEqual([])
  expect(check(agent.messages)).toEqual([])
})

it('gives the original error when nothing can be shortened', async () => {
  const error = tooLong()
  const { agent, model } = makeAgent([{ error }], { context: dropping })
  await expect(agent.invoke('go')).rejects.toBe(error)
  expect(model.requests.length).toBe(1)
})

it('tries three times at most', async () => {
  const { agent, model } = makeAgent(
    Array.from({ length: 4 }, () => ({ error: tooLong() })),
    { context: dropping, messages: [...history, ...history] },
  )
  await expect(agent.invoke('go')).rejects.toThrow('too long')
  expect(model.requests.length).toBe(4)
})

it('asks the manager before each request, with the tokens that the provider counted', async () => {
  const seen: number[] = []
  const watching: ContextManager = {
    name: 'watching',
    before: async ({ tokens }) => {
      seen.push(tokens)
      return undefined
    },
    reduce: async () => undefined,
  }
  const { agent } = makeAgent([{ text: 'one', usage: { inputTokens: 100, outputTokens: 20 } }, { text: 'two' }], { context: watching })
  await agent.invoke('12345678')
  await agent.invoke('1234')
  expect(seen).toEqual([8, 127])
})

it('repairs what the manager leaves illegal', async () => {
  const careless: ContextManager = { name: 'careless', reduce: async ({ messages }) => messages.slice(1) }
  const { agent } = makeAgent([{ error: tooLong() }, { text: 'yes' }], { context: careless, messages: history })
  expect((await agent.invoke('go')).text).toBe('yes')
  expect(check(agent.messages)).toEqual([])
})

it('tells of a manager that fails, and gives the original error', async () => {
  const failing: ContextManager = {
    name: 'failing',
    before: async () => Promise.reject(new Error('no disk')),
    reduce: async () => Promise.reject(new Error('no disk')),
  }
  const { agent } = makeAgent([{ error: tooLong() }], { context: failing })
  const { events, error } = await collect(agent.stream('go'))
  expect(error?.code).toBe('context_overflow')
  expect(events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))).toEqual(
    Array(2).fill('The context manager "failing" failed: no disk'),
  )
})

it('does not wait for a manager once the run is cancelled', async () => {
  const hanging: ContextManager = { name: 'hanging', before: () => new Promise(() => {}), reduce: async () => undefined }
  const { agent, clock, model } = makeAgent([{ text: 'never' }], { context: hanging })
  const running = agent.invoke('go')
  await clock.advance(0)
  agent.cancel()
  await clock.advance(2000)
  expect((await running).stopReason).toBe('cancelled')
  expect(model.requests).toEqual([])
})
