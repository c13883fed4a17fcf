import { describe, expect, it } from 'vitest'
import type { Agent } from '../../src/agent/agent.ts'
import type { IdempotencyError } from '../../src/errors.ts'
import { collect } from '../../src/testing/collect.ts'
import { makeAgent } from '../support/make-agent.ts'
import { deferred } from '../support/promises.ts'
import { settlesWithin } from '../support/settles.ts'
import { write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const idempotencyToken = 'order 7'
const script = [{ calls: [{ name: 'write', input: { at: 1 } }] }, { text: 'Done.' }]
const refused = expect.objectContaining({ name: 'IdempotencyError', code: 'waits_for_itself' }) as unknown

async function ended<T>(promise: Promise<T>): Promise<T> {
  const settled = await settlesWithin(promise, 200, 'the run')
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

/** Calls its own agent, and says how that ended. */
function selfCall(ask: (agent: Agent) => Promise<unknown>) {
  const heard: unknown[] = []
  return {
    heard,
    call: async (agent: Agent): Promise<void> =>
      await ask(agent).then(
        (value) => void heard.push(value),
        (error: unknown) => void heard.push(error),
      ),
  }
}

const ways: Readonly<Record<string, (agent: Agent) => Promise<unknown>>> = {
  invoke: (agent) => agent.invoke('again', { idempotencyToken }),
  'stream, its result': (agent) => agent.stream('again', { idempotencyToken }).result,
  'stream, read': async (agent) => {
    const { error, events } = await collect(agent.stream('again', { idempotencyToken }))
    expect(events).toEqual([])
    throw error
  },
  'invoke, behind some awaits': async (agent) => {
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([Promise.resolve(), Promise.resolve()])
    return await agent.invoke('again', { idempotencyToken })
  },
}

describe.each(Object.entries(ways))('a run that would wait for itself, by %s', (_way, ask) => {
  it('from a hook', async () => {
    const { heard, call } = selfCall(ask)
    const { agent } = makeAgent(script, { tools: [write(() => 'written')] })
    agent.on('beforeModelCall', () => call(agent))
    const result = await ended(agent.invoke('go', { idempotencyToken }))
    expect([result.stopReason, heard]).toEqual(['end_turn', [refused, refused]])
  })

  it('from a tool', async () => {
    const { heard, call } = selfCall(ask)
    const { agent } = makeAgent(script, { tools: [write(() => call(agent).then(() => 'written'))] })
    const result = await ended(agent.invoke('go', { idempotencyToken }))
    expect([result.stopReason, heard]).toEqual(['end_turn', [refused]])
  })

  it('from its listener', async () => {
    const { heard, call } = selfCall(ask)
    const { agent } = makeAgent(script, { tools: [write(() => 'written')] })
    const onEvent = ({ type }: { readonly type: string }): Promise<void> | undefined => (type === 'tool_end' ? call(agent) : undefined)
    const result = await ended(agent.invoke('go', { idempotencyToken, onEvent }))
    expect([result.stopReason, heard]).toEqual(['end_turn', [refused]])
  })

  it('with the run of another agent between them', async () => {
    const { heard, call } = selfCall(ask)
    const { agent } = makeAgent(script, {
      tools: [write(() => middle.agent.invoke('x', { idempotencyToken: 'of the middle' }).then(() => 'written'))],
    })
    const middle = makeAgent([{ text: 'Middle.' }])
    middle.agent.on('beforeModelCall', () => call(agent))
    const result = await ended(agent.invoke('go', { idempotencyToken }))
    expect([result.stopReason, heard]).toEqual(['end_turn', [refused]])
  })
})

it('says what to do', async () => {
  const { agent } = makeAgent([{ text: 'Done.' }])
  agent.on('beforeModelCall', async () => void (await agent.invoke('again', { idempotencyToken })))
  const error = (await ended(agent.invoke('go', { idempotencyToken }).catch((thrown: unknown) => thrown))) as IdempotencyError
  expect(error).toMatchObject({ code: 'hook_failed' })
  expect(error.message).toContain('a hook, a tool or a listener of it invokes its agent with the same token. Give another agent the work')
})

it('another caller waits as ever, even one that a run of the same agent has begun', async () => {
  const gate = deferred<string>()
  const { agent } = makeAgent([...script, { text: 'Later.' }], { tools: [write(() => gate.promise)] })
  const first = agent.invoke('go', { idempotencyToken })
  // From outside, while it runs; and from the run of another agent, which is not below it.
  const other = makeAgent([{ text: 'x' }])
  const seconds: Promise<unknown>[] = [agent.invoke('go', { idempotencyToken })]
  other.agent.on('beforeModelCall', () => void seconds.push(agent.invoke('go', { idempotencyToken })))
  await other.agent.invoke('y', { idempotencyToken: 'z' })
  expect(seconds).toHaveLength(2)
  gate.resolve('written')
  const result = await first
  expect(await Promise.all(seconds)).toEqual([result, result])
  // What the first had begun may call when it is over.
  const again = await agent.invoke('later', { idempotencyToken })
  expect(again.text).toBe('Later.')
})

it('what a run has left behind may call again with its token once it is over', async () => {
  const over = deferred<undefined>()
  let late: Promise<unknown> | undefined
  const { agent } = makeAgent([{ text: 'One.' }, { text: 'Two.' }])
  const off = agent.on('beforeModelCall', () => {
    late = over.promise.then(() => agent.invoke('late', { idempotencyToken }))
  })
  await agent.invoke('go', { idempotencyToken })
  off()
  over.resolve(undefined)
  expect(await late).toMatchObject({ text: 'Two.' })
})
