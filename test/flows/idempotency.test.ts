import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/agent/events.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { collect } from '../../src/testing/collect.ts'
import { makeAgent } from '../support/make-agent.ts'
import { deferred } from '../support/promises.ts'
import { settlesWithin } from '../support/settles.ts'
import { write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const idempotencyToken = 'order 7'
const script = [{ calls: [{ name: 'write', input: { at: 1 } }] }, { text: 'Done.' }]

function underWay() {
  const gate = deferred<string>()
  const made = makeAgent(script, { tools: [write(() => gate.promise)] })
  const first = made.agent.invoke('go', { idempotencyToken })
  first.catch(() => {})
  return { ...made, gate, first }
}

describe('a second invocation with the token of the running one', () => {
  it('waits for its result, and hears only its end', async () => {
    const { agent, model, gate, first } = underWay()
    const heard: AgentEvent[] = []
    const second = agent.invoke('go', { idempotencyToken, onEvent: (event) => void heard.push(event) })
    const third = collect(agent.stream('go', { idempotencyToken }))
    await expect(agent.invoke('go', { idempotencyToken: 'other' })).rejects.toMatchObject({ name: 'ConcurrentInvocationError' })
    gate.resolve('written')
    expect(await second).toBe(await first)
    expect((await third).result).toBe(await first)
    expect([heard.map(({ type }) => type), (await third).events.map(({ type }) => type)]).toEqual([['invocation_end'], ['invocation_end']])
    expect(checkEvents(heard)).toEqual([])
    model.assertComplete()
  })

  it('is told when that one dies', async () => {
    const { agent, gate, first } = underWay()
    agent.on('afterTools', () => {
      throw new Error('disk full')
    })
    const second = collect(agent.stream('go', { idempotencyToken }))
    gate.resolve('written')
    await expect(first).rejects.toMatchObject({ code: 'hook_failed' })
    const { error, events } = await second
    expect(error).toMatchObject({ name: 'IdempotencyError', cause: { code: 'hook_failed' } })
    expect(events.map(({ type }) => type)).toEqual(['invocation_error'])
  })

  it('may stop waiting without ending it', async () => {
    const { agent, gate, first } = underWay()
    const leaving = new AbortController()
    const second = agent.invoke('go', { idempotencyToken, signal: leaving.signal })
    leaving.abort(new Error('bored'))
    await expect(second).rejects.toMatchObject({ name: 'IdempotencyError', cause: { message: 'bored' } })
    gate.resolve('written')
    expect((await first).stopReason).toBe('end_turn')
  })

  it('may stop waiting although its own onEvent never comes back', async () => {
    const { agent, gate, first } = underWay()
    const leaving = new AbortController()
    const told = deferred()
    const onEvent = (): Promise<void> => (told.resolve(), new Promise(() => {}))
    const second = agent.invoke('go', { idempotencyToken, signal: leaving.signal, onEvent })
    gate.resolve('written')
    await told.promise
    leaving.abort(new Error('enough'))
    expect(await settlesWithin(second, 20, 'the second')).toEqual({ status: 'fulfilled', value: await first })
  })

  it('fails by its own onEvent as any invocation does', async () => {
    const { agent, gate, first } = underWay()
    const onEvent = (): void => {
      throw new Error('no')
    }
    const second = agent.invoke('go', { idempotencyToken, onEvent })
    gate.resolve('written')
    await expect(second).rejects.toMatchObject({ name: 'HookError', hook: 'onEvent' })
    expect((await first).stopReason).toBe('end_turn')
  })

  it('after its end is a run of its own', async () => {
    const { agent, model } = makeAgent([{ text: 'One.' }, { text: 'Two.' }])
    expect((await agent.invoke('go', { idempotencyToken })).text).toBe('One.')
    expect((await agent.invoke('go', { idempotencyToken })).text).toBe('Two.')
    model.assertComplete()
  })
})
