import { describe, expect, it } from 'vitest'
import { check } from '../../../src/messages/check.ts'
import type { ScriptStep } from '../../../src/testing/scripted-model.ts'
import { collect } from '../../../src/testing/collect.ts'
import { breachesOf } from '../../support/invariant.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { settlesWithin } from '../../support/settles.ts'
import { sketch } from '../../support/sketch.ts'
import { toolNamed, write } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const calls = (...ats: readonly number[]): ScriptStep => ({ calls: ats.map((at) => ({ name: 'write', input: { at } })) })
const done = { text: 'Done.' }

describe('cancel, as users of other SDKs met it', () => {
  it('langchainjs#8570, pi#9986, openai-node#2430: calls that had not begun do not begin, and each has a result', async () => {
    const begun: number[] = []
    const tool = write(({ at }, { signal }) => {
      begun.push(at)
      agent.cancel('enough')
      signal.throwIfAborted()
    })
    const { agent, model } = makeAgent([calls(1, 2, 3), done], { tools: [tool] })
    expect((await agent.invoke('go')).stopReason).toBe('cancelled')
    expect(begun).toEqual([1])
    expect(sketch(agent.messages)[2]!.match(/call_\d error\/cancelled/g)).toEqual([1, 2, 3].map((n) => `call_${n} error/cancelled`))
    await agent.invoke('on')
    expect(breachesOf(model.requests.at(-1)!)).toEqual([])
  })

  it('vercel/ai#8107: one in a tool is told like any other, by event and by hook', async () => {
    const { agent } = makeAgent([calls(1)], { tools: [write(() => agent.cancel('enough'))] })
    const told: unknown[] = []
    agent.on('afterInvocation', ({ result }) => void told.push(result?.stopReason))
    const { events, result } = await collect(agent.stream('go'))
    const last = events.at(-1)!
    expect([told, result?.stopReason, last.type]).toEqual([['cancelled'], 'cancelled', 'invocation_end'])
  })

  it('openai-agents-js#1190: one between the streamed call and its tool leaves a call that has its result', async () => {
    const ran: number[] = []
    const { agent } = makeAgent([calls(1)], { tools: [write(({ at }) => void ran.push(at))] })
    await agent.invoke('go', { onEvent: ({ type }) => void (type === 'tool_input_end' && agent.cancel('enough')) })
    expect(ran).toEqual([])
    expect(check(agent.messages)).toEqual([])
  })

  it('openai-agents-js#485: one while the stream is read ends the reading well', async () => {
    const { agent } = makeAgent([{ text: 'a b c d e f' }, done])
    const stream = agent.stream('go')
    for await (const { type } of stream) if (type === 'text_delta') agent.cancel('enough')
    expect((await stream.result).stopReason).toBe('cancelled')
    expect((await agent.invoke('on')).text).toBe('Done.')
  })

  it('ts#796, hs#4103: who leaves the stream, or never goes on with it, does not hold the agent', async () => {
    const { agent } = makeAgent([{ text: 'one' }, { text: 'two' }, done])
    for await (const { type } of agent.stream('go')) if (type === 'message_start') break
    const abandoned = agent.stream('again')
    const reader = abandoned[Symbol.asyncIterator]()
    await reader.next()
    agent.cancel('nobody reads')
    const settled = await settlesWithin(abandoned.result, 50, 'the run that nobody reads')
    expect([settled.status, agent.isRunning]).toEqual(['fulfilled', false])
    expect((await agent.invoke('on')).text.length).toBeGreaterThan(0)
    expect(check(agent.messages)).toEqual([])
  })

  it('hs#1176: a second run at the same time is refused, and the first is none the worse', async () => {
    const tool = toolNamed('write', async () => {
      await expect(agent.invoke('me too')).rejects.toMatchObject({ code: 'concurrent_invocation' })
    })
    const { agent } = makeAgent([calls(1), done], { tools: [tool] })
    expect((await agent.invoke('go')).text).toBe('Done.')
    expect(sketch(agent.messages).length).toBe(4)
  })
})
