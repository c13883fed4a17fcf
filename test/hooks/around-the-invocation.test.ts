import { describe, expect, it } from 'vitest'
import { HookError } from '../../src/errors.ts'
import { collect } from '../../src/testing/collect.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { sketch } from '../support/sketch.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const next = { text: 'The next answer.' }
const done = { text: 'Done.' }
const callsLook = { calls: [{ name: 'look', input: { at: 1 } }] }

describe('beforeInvocation', () => {
  it('may put other messages in the place of the input; they are checked and copied', async () => {
    const { agent, model } = makeAgent([done, next])
    const mine = [{ role: 'user' as const, content: 'mine' }]
    const off = agent.on('beforeInvocation', (event) => void (event.messages = mine))
    await agent.invoke('go')
    off()
    mine[0]!.content = 'changed'
    expect(sketch(agent.messages)).toEqual(['user: "mine"', 'assistant: "Done."'])
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })

  it('fails the run with what is no message, before anything is stored', async () => {
    const { agent } = makeAgent([next])
    agent.on('beforeInvocation', (event) => void (event.messages = [{ role: 'system' }] as never))
    await expect(agent.invoke('go')).rejects.toMatchObject({
      code: 'hook_failed',
      hook: 'beforeInvocation',
      message: expect.stringMatching(/^A beforeInvocation hook set `messages` to what is no input: input\[0\]\.role: expected/) as unknown,
    })
    expect(agent.messages).toEqual([])
  })

  it('cannot change the input in place', async () => {
    const { agent } = makeAgent([done])
    agent.on('beforeInvocation', ({ messages }) => void (messages as unknown[]).push({ role: 'user', content: 'smuggled' }))
    await expect(agent.invoke('go')).rejects.toBeInstanceOf(HookError)
  })
})

describe('afterInvocation', () => {
  it('may have the run go on with a new input, and the result is that of the last pass', async () => {
    const { agent, model } = makeAgent([{ text: 'One.' }, { text: 'Two.' }, next])
    let passes = 0
    agent.on('afterInvocation', (event) => {
      if (++passes === 1) event.resume = `You said ${event.result!.text} Now more.`
    })
    const { events, result } = await collect(agent.stream('go'))
    expect(result?.text).toBe('Two.')
    expect(result?.metrics).toMatchObject({ turns: 2, modelCalls: 2 })
    expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: "One."', 'user: "You said One. Now more."', 'assistant: "Two."'])
    expect(events.filter(({ type }) => type === 'resume')).toEqual([{ type: 'resume', invocationId: 'inv_1', turn: 1, by: 'hook' }])
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('may save a run that failed', async () => {
    const { agent, model } = makeAgent([{ error: new Error('busy') }, done, next])
    agent.on('afterInvocation', (event) => {
      if (event.error) event.resume = []
    })
    const { result, events } = await collect(agent.stream('go'))
    expect(result?.text).toBe('Done.')
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('does not reset the limits of the invocation', async () => {
    const { agent, model } = makeAgent([{ text: 'One.' }, { text: 'Two.' }, next])
    let resumes = 0
    const off = agent.on('afterInvocation', (event) => {
      if (++resumes <= 2) event.resume = 'more'
    })
    const { result, events } = await collect(agent.stream('go', { limits: { turns: 2 } }))
    off()
    expect(result?.stopReason).toBe('limit_turns')
    expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: "One."', 'user: "more"', 'assistant: "Two."', 'user: "more"'])
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('is bounded: twenty times', async () => {
    const { agent, model } = makeAgent([...Array.from({ length: 21 }, () => ({ text: 'On.' })), next])
    const off = agent.on('afterInvocation', (event) => void (event.resume = 'more'))
    const { error, events } = await collect(agent.stream('go'))
    off()
    expect(error).toMatchObject({ code: 'resume_limit', message: 'A hook resumed the invocation 20 times. It is ended here.' })
    await holdsInvariant(agent, { requests: model.requests, expected: 21, events })
  })

  it('fails the run with a resume that is no input', async () => {
    const { agent, model } = makeAgent([done, next])
    const off = agent.on('afterInvocation', (event) => void (event.resume = 7 as never))
    const { error, events } = await collect(agent.stream('go'))
    off()
    expect(error).toMatchObject({ code: 'hook_failed', hook: 'afterInvocation', cause: { code: 'invalid_input' } })
    expect(error?.message).toMatch(/^An afterInvocation hook set `resume` to what cannot be gone on with: The input must be .*; got 7\.$/)
    await holdsInvariant(agent, { requests: model.requests, expected: 1, events })
  })
})

describe('messageAdded', () => {
  it('sees each message of the history, frozen, and which one it replaces', async () => {
    const { agent } = makeAgent([{ text: 'One, ', stopReason: 'pause_turn' }, { text: 'two.' }])
    const seen: unknown[] = []
    agent.on('messageAdded', ({ message, replaces }) => void seen.push([message.id, replaces, Object.isFrozen(message)]))
    await agent.invoke('go')
    expect(seen).toEqual([
      ['msg_1', undefined, true],
      ['msg_2', undefined, true],
      ['msg_2', 'msg_2', true],
    ])
  })
})

it('all hooks of an invocation share one object, which comes back in the result', async () => {
  const { agent } = makeAgent([callsLook, done], {
    tools: [look((_input, { invocationState }) => `n is ${(invocationState['n'] = Number(invocationState['n']) + 1)}`)],
  })
  agent.on('beforeInvocation', ({ invocationState }) => void (invocationState['n'] = 1))
  agent.on('afterTools', ({ invocationState }) => void (invocationState['n'] = Number(invocationState['n']) * 10))
  const mine = {}
  const result = await agent.invoke('go', { invocationState: mine })
  expect(result.invocationState).toBe(mine)
  expect(mine).toEqual({ n: 20 })
})
