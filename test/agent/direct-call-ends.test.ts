import { describe, expect, it } from 'vitest'
import type { HookName } from '../../src/hooks/hooks.ts'
import { tick } from '../../src/util/clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { deferred } from '../support/promises.ts'
import { testProvider } from '../support/provider.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch } from '../support/sketch.ts'
import { look, toolNamed } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const done = { text: 'Done.' }
const never = (): Promise<never> => new Promise(() => {})
const note = '[The program calls the tool look itself; the model did not ask for it.]'

describe('one at a time', () => {
  const busy = { code: 'concurrent_invocation' }

  it('no direct call while the agent runs, nor from a tool of that run', async () => {
    let inside: unknown
    const { agent, model } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, done, done], {
      tools: [look(async () => (inside = await own().catch((error: unknown) => error)))],
    })
    const own = () => agent.callTool('look', { at: 2 })
    const run = agent.invoke('go')
    await expect(agent.callTool('look', { at: 3 })).rejects.toMatchObject(busy)
    await run
    expect(inside).toMatchObject(busy)
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })

  it('no run, no other direct call and no other history while one is under way', async () => {
    const gate = deferred()
    const { agent, model } = makeAgent([done], { tools: [look(() => gate.promise)] })
    const calling = agent.callTool('look', { at: 1 })
    expect(agent.isRunning).toBe(true)
    await expect(agent.invoke('go')).rejects.toMatchObject(busy)
    await expect(agent.stream('go').result).rejects.toMatchObject(busy)
    await expect(agent.callTool('look', { at: 2 })).rejects.toMatchObject(busy)
    expect(() => agent.setMessages([])).toThrow(expect.objectContaining(busy) as Error)
    await tick()
    gate.resolve()
    expect((await calling).status).toBe('success')
    await holdsInvariant(agent, { requests: model.requests, expected: 0 })
  })
})

describe('a cancel', () => {
  const cancelled = (text: string) => ({ status: 'error', code: 'cancelled', content: [{ type: 'text', text }] })
  const ran = cancelled('The call was cancelled while it ran. It may or may not have done its work.')

  it.each<[string, (agent: { cancel(): void; close(): Promise<void> }, controller: AbortController) => unknown]>([
    ['agent.cancel()', (agent) => agent.cancel()],
    ['its signal', (_agent, controller) => controller.abort()],
    ['agent.close()', (agent) => agent.close()],
  ])('by %s ends a call that hangs, and is recorded', async (_how, end) => {
    const controller = new AbortController()
    const { agent, model } = makeAgent([done], { tools: [look(never)] })
    const calling = agent.callTool('look', { at: 1 }, { signal: controller.signal })
    await tick()
    await end(agent, controller)
    const settled = await settlesWithin(calling, 10, 'the call')
    expect(settled).toEqual({ status: 'fulfilled', value: ran })
    expect(sketch(agent.messages).slice(2)).toEqual([
      `user: call_1 error/cancelled ${JSON.stringify(ran.content[0]!.text)}`,
      'assistant: "[The program\'s call of look ended with an error.]"',
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 0 })
  })

  it('gives a tool that is not read-only its time to settle', async () => {
    const { agent, clock } = makeAgent([done], { tools: [toolNamed('write', never, { settleMs: 500 })] })
    const calling = agent.callTool('write', { at: 1 })
    await tick()
    agent.cancel()
    await clock.advance(499)
    expect(agent.isRunning).toBe(true)
    await clock.advance(1)
    expect((await settlesWithin(calling, 5, 'the call')).status).toBe('fulfilled')
    expect(clock.sleeping).toBe(0)
  })

  it('before the call has begun leaves no trace', async () => {
    const mcp = testProvider('mcp', never)
    const { agent, model } = makeAgent([done], { tools: [mcp, look()] })
    expect(await agent.callTool('look', { at: 1 }, { signal: AbortSignal.abort() })).toEqual(cancelled('The call was cancelled.'))
    const calling = agent.callTool('look', { at: 1 })
    await tick()
    agent.cancel()
    expect(await settlesWithin(calling, 5, 'the call')).toEqual({ status: 'fulfilled', value: cancelled('The call was cancelled.') })
    expect([agent.messages, model.requests]).toEqual([[], []])
  })

  it('by a hook that sees the call come keeps it from being run', async () => {
    let runs = 0
    const { agent } = makeAgent([done], { tools: [look(() => runs++)] })
    agent.on('messageAdded', () => agent.cancel())
    expect(await agent.callTool('look', { at: 1 })).toEqual(cancelled('The call was cancelled.'))
    expect([runs, sketch(agent.messages)]).toEqual([
      0,
      [
        `user: ${JSON.stringify(note)}`,
        'assistant: look#call_1 {"at":1}',
        'user: call_1 error/cancelled "The call was cancelled."',
        'assistant: "[The program\'s call of look ended with an error.]"',
      ],
    ])
  })
})

describe('a hook that throws', () => {
  const failing = async (hook: HookName, nth: number) => {
    const boom = new Error('boom')
    let runs = 0
    let seen = 0
    const { agent, model } = makeAgent([done], { tools: [look(() => `seen ${++runs}`)] })
    const off = agent.on(hook, () => {
      if (++seen === nth) throw boom
    })
    const error: unknown = await agent.callTool('look', { at: 1 }).catch((thrown: unknown) => thrown)
    off()
    expect(error).toMatchObject({ name: 'HookError', hook, cause: boom })
    const lines = sketch(agent.messages)
    const { partial } = error as { partial: { results: readonly unknown[]; messages: readonly unknown[] } }
    expect(partial.messages).toBe(agent.messages)
    await holdsInvariant(agent, { requests: model.requests, expected: 0 })
    return { runs, lines, results: partial.results.length }
  }
  const notRun = 'user: call_1 error/cancelled "The call was cancelled."'

  it('before the call rejects; the call is not run, and recorded as that', async () => {
    const { runs, lines, results } = await failing('beforeToolCall', 1)
    expect([runs, lines.length, lines[2], results]).toEqual([0, 4, notRun, 0])
  })

  it('after the call rejects; the result is recorded', async () => {
    const { runs, lines, results } = await failing('afterToolCall', 1)
    expect([runs, lines.length, lines[2], results]).toEqual([1, 4, 'user: call_1 success "seen 1"', 1])
  })

  it.each([
    [1, 0, notRun],
    [2, 0, notRun],
    [3, 1, 'user: call_1 success "seen 1"'],
    [4, 1, 'user: call_1 success "seen 1"'],
  ])('at message %i of the record rejects; the record is whole', async (nth, expectedRuns, line) => {
    const { runs, lines } = await failing('messageAdded', nth)
    expect([runs, lines.length, lines[2]]).toEqual([expectedRuns, 4, line])
  })

  it('that hangs is given up once the call is cancelled', async () => {
    const { agent, clock } = makeAgent([done], { tools: [look()], cancelGraceMs: 100 })
    agent.on('beforeToolCall', never)
    const calling = agent.callTool('look', { at: 1 })
    await tick()
    agent.cancel()
    await clock.advance(100)
    expect(await settlesWithin(calling, 10, 'the call')).toMatchObject({ status: 'fulfilled', value: { code: 'cancelled' } })
    expect(agent.messages).toHaveLength(4)
  })
})

it('a plug-in that cannot be set up fails the call, and nothing is recorded', async () => {
  const { agent } = makeAgent([done], {
    tools: [look()],
    plugins: [
      {
        name: 'p',
        setup: () => {
          throw new Error('down')
        },
      },
    ],
  })
  await expect(agent.callTool('look', { at: 1 })).rejects.toMatchObject({ code: 'plugin_failed' })
  expect([agent.messages, agent.isRunning]).toEqual([[], false])
})
