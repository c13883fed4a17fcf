import { expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { AuthenticationError, InvalidRequestError, NetworkError, OverloadedError } from '../../src/errors.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { collect } from '../../src/testing/collect.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import type { ScriptedModel, ScriptStep } from '../../src/testing/scripted-model.ts'
import { tool } from '../../src/tools/tool.ts'

const named = (id: string, ...steps: ScriptStep[]): ScriptedModel => Object.assign(scriptedModel(...steps), { id })
const look = tool({ name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, isReadOnly: true, execute: () => 'seen' })

it('lets the next model take over in mid-run, with the same history', async () => {
  const first = named('first', { calls: [{ name: 'look', input: {} }] }, { text: 'half', error: new OverloadedError('full'), after: 2 })
  const second = named('second', { text: 'from the second' })
  const agent = new Agent({ model: [first, second], tools: [look], retry: false, ids: countingIds() })
  const { events, result } = await collect(agent.stream('go'))
  expect(result?.text).toBe('from the second')
  expect(events.flatMap((event) => (event.type === 'model_switch' ? [[event.from, event.to, event.code]] : []))).toEqual([
    ['scripted/first', 'scripted/second', 'overloaded'],
  ])
  expect(events.flatMap((event) => (event.type === 'message_discarded' ? [event.reason] : []))).toEqual(['fallback'])
  expect(second.requests[0]?.messages).toEqual(first.requests[1]?.messages)
  expect(checkEvents(events)).toEqual([])
})

it('takes over when a model refuses', async () => {
  const agent = new Agent({ model: [named('a', { text: 'No.', stopReason: 'refusal' }), named('b', { text: 'Yes.' })], retry: false })
  expect((await agent.invoke('go')).text).toBe('Yes.')
})

it('gives the last error, or the refusal, when the list is at its end', async () => {
  const gone = new NetworkError('gone')
  const agent = new Agent({ model: [named('a', { error: new OverloadedError('full') }), named('b', { error: gone })], retry: false })
  await expect(agent.invoke('go')).rejects.toBe(gone)
  const refusing = new Agent({ model: [named('a', { text: 'No.', stopReason: 'refusal' })], retry: false })
  expect((await refusing.invoke('go')).stopReason).toBe('refusal')
})

it('stays with a model whose request or key is wrong', async () => {
  for (const error of [new InvalidRequestError('bad'), new AuthenticationError('no key')]) {
    const second = named('b', { text: 'never' })
    await expect(new Agent({ model: [named('a', { error }), second], retry: false }).invoke('go')).rejects.toBe(error)
    expect(second.requests).toEqual([])
  }
})

it('begins the next invocation with the first model again', async () => {
  const first = named('a', { error: new OverloadedError('full') }, { text: 'back' })
  const agent = new Agent({ model: [first, named('b', { text: 'meanwhile' })], retry: false })
  expect((await agent.invoke('one')).text).toBe('meanwhile')
  expect((await agent.invoke('two')).text).toBe('back')
})

it('passes over a model that cannot be loaded, and tells of it', async () => {
  const agent = new Agent({
    model: [named('a', { error: new OverloadedError('full') }), 'nosuch/model', named('c', { text: 'third' })],
    retry: false,
  })
  const { events, result } = await collect(agent.stream('go'))
  expect(result?.text).toBe('third')
  expect(events.flatMap((event) => (event.type === 'warning' ? [event.code] : []))).toEqual(['model_unavailable'])
})

it('takes over only after the retries of the one before', async () => {
  const full = { error: new OverloadedError('full') }
  const first = named('a', full, full)
  const agent = new Agent({ model: [first, named('b', { text: 'yes' })], retry: { maxAttempts: 2, baseMs: 0 } })
  expect((await agent.invoke('go')).text).toBe('yes')
  expect(first.requests.length).toBe(2)
})
