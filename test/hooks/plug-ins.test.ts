import { describe, expect, it } from 'vitest'
import type { Plugin } from '../../src/hooks/hooks.ts'
import { collect } from '../../src/testing/collect.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const callsLook = { calls: [{ name: 'look', input: { at: 1 } }] }
const next = { text: 'The next answer.' }

describe('a plug-in that is not set up', () => {
  it('is not flushed: it holds nothing back yet', async () => {
    const seen: string[] = []
    let isReady = false
    const named = (name: string, setup: () => void): Plugin => ({ name, setup, flush: () => void seen.push(`flush ${name}`) })
    const { agent } = makeAgent([{ text: 'One.' }], {
      plugins: [
        named('first', () => {}),
        named('second', () => {
          if (!isReady) throw new Error('not yet')
        }),
        named('third', () => {}),
      ],
    })
    await expect(agent.invoke('go')).rejects.toMatchObject({ code: 'plugin_failed' })
    expect(seen.splice(0)).toEqual(['flush first'])
    isReady = true
    await agent.invoke('go')
    expect(seen).toEqual(['flush first', 'flush second', 'flush third'])
  })
})

describe('a plug-in whose hooks and middleware are taken away by themselves', () => {
  it('finishes the round and the call that are under way, and is gone then', async () => {
    const seen: string[] = []
    const plugin: Plugin = {
      name: 'once',
      setup: (agent) => {
        const offs: (() => void)[] = [
          agent.on('beforeToolCall', () => {
            seen.push('hook')
            for (const off of offs) off()
          }),
          agent.on('beforeToolCall', () => void seen.push('hook behind it')),
          agent.use('tool', async function* (call, next) {
            seen.push('middleware')
            return yield* next(call)
          }),
          agent.guard({ name: 'gate', judge: () => (seen.push('gate'), { decision: 'allow' }) }),
        ]
      },
    }
    const { agent, model } = makeAgent([callsLook, callsLook, { text: 'Done.' }, next], { tools: [look()], plugins: [plugin] })
    const { events } = await collect(agent.stream('go'))
    // What stands around a later stage of the same call is gone by then.
    expect(seen).toEqual(['hook', 'hook behind it'])
    await holdsInvariant(agent, { requests: model.requests, expected: 3, events })
  })
})

describe('plug-ins beside hooks of the program', () => {
  it('stand in the order in which they were added: those of the program first, unless they say another one', async () => {
    const seen: string[] = []
    const named = (name: string): Plugin => ({
      name,
      setup: (agent) => void agent.on('beforeModelCall', () => void seen.push(name)),
    })
    const { agent } = makeAgent([{ text: 'One.' }], { plugins: [named('plug-in 1'), named('plug-in 2')] })
    agent.on('beforeModelCall', () => void seen.push('program'))
    agent.on('beforeModelCall', () => void seen.push('last'), { order: 1 })
    await agent.invoke('go')
    expect(seen).toEqual(['program', 'plug-in 1', 'plug-in 2', 'last'])
  })
})
