import { describe, expect, it } from 'vitest'
import { check } from '../../../src/messages/check.ts'
import type { ScriptStep } from '../../../src/testing/scripted-model.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { sketch } from '../../support/sketch.ts'
import { write } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const call: ScriptStep = { calls: [{ name: 'write', input: { at: 1 } }] }
const done = { text: 'Done.' }

describe('hooks, as users of other SDKs met them', () => {
  it.each(['beforeToolCall', 'afterToolCall'] as const)(
    'V15: one that throws at %s ends the run: the results are stored and the model is not asked again',
    async (name) => {
      const { agent, model } = makeAgent([call, done], { tools: [write()] })
      agent.on(name, () => {
        throw new Error('no')
      })
      await expect(agent.invoke('go')).rejects.toMatchObject({ code: 'hook_failed' })
      expect([model.requests.length, check(agent.messages), sketch(agent.messages)[2]?.startsWith('user: call_1 ')]).toEqual([1, [], true])
    },
  )

  it('V16: behind one that throws after the tools the next prompt finds one user message, and nothing runs twice', async () => {
    const ran: number[] = []
    const { agent, model } = makeAgent([call, done], { tools: [write(({ at }) => void ran.push(at))] })
    const off = agent.on('afterTools', () => {
      throw new Error('no')
    })
    await expect(agent.invoke('go')).rejects.toMatchObject({ code: 'hook_failed' })
    off()
    await agent.invoke('on')
    expect(ran).toEqual([1])
    expect(model.requests[1]!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('V48: middleware stands in the order in which it came, each around all that come behind it', async () => {
    const seen: string[] = []
    const { agent } = makeAgent([call, done], { tools: [write(() => void seen.push('tool'))] })
    for (const name of ['first', 'second'])
      agent.use('tool', async function* (asked, next) {
        seen.push(`${name} in`)
        const outcome = yield* next(asked)
        seen.push(`${name} out`)
        return outcome
      })
    await agent.invoke('go')
    expect(seen).toEqual(['first in', 'second in', 'tool', 'second out', 'first out'])
  })

  it('V50: what a hook denies the model it denies a direct call, too', async () => {
    const ran: number[] = []
    const { agent } = makeAgent([], { tools: [write(({ at }) => void ran.push(at))] })
    agent.on('beforeToolCall', (event) => {
      event.cancel = 'not now'
    })
    const result = await agent.callTool('write', { at: 1 })
    expect([ran, result.status, JSON.stringify(result.content)]).toEqual([[], 'error', expect.stringContaining('not now')])
  })
})
