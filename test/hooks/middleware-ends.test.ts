import { describe, expect, it } from 'vitest'
import type { Stages } from '../../src/hooks/hooks.ts'
import { collect } from '../../src/testing/collect.ts'
import type { ToolOutcome } from '../../src/tools/tool.ts'
import { tick } from '../../src/util/clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch } from '../support/sketch.ts'
import { look, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const callsWrite = { calls: [{ name: 'write', input: { at: 1 } }] }
const done = { text: 'Done.' }
const next = { text: 'The next answer.' }
const mine: ToolOutcome = { status: 'success', content: [{ type: 'text', text: 'mine' }] }
type ToolNext = Parameters<Stages['tool']>[1]
type ToolCall = Parameters<Stages['tool']>[0]

async function drain(running: ReturnType<ToolNext>): Promise<ToolOutcome> {
  for (;;) {
    const step = await running.next()
    if (step.done) return step.value
  }
}

describe('around a tool, a middleware that has ended', () => {
  it('cannot run the call any more', async () => {
    const ran: number[] = []
    const { agent, model } = makeAgent([callsWrite, done, next], { tools: [write(({ at }) => (ran.push(at), 'written'))] })
    let kept: { readonly call: ToolCall; readonly next: ToolNext } | undefined
    agent.use('tool', async function* (call, next) {
      kept = { call, next }
      return yield* next(call)
    })
    await agent.invoke('go')
    await expect(drain(kept!.next(kept!.call))).rejects.toMatchObject({ code: 'call_ended' })
    expect(ran).toEqual([1])
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })

  it('leaves what it did not wait for: that is told to end', async () => {
    const told: unknown[] = []
    const { agent, model } = makeAgent([callsWrite, done, next], {
      tools: [
        write(async (_, { signal }) => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          told.push((signal.reason as Error).message)
          return 'written'
        }),
      ],
    })
    // oxlint-disable-next-line require-yield
    agent.use('tool', async function* (call, next) {
      void drain(next(call)).catch(() => {})
      for (let turn = 0; turn < 5; turn++) await tick()
      return mine
    })
    const { events } = await collect(agent.stream('go'))
    expect(told).toEqual(['A middleware left the call.'])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "mine"')
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('does not begin what it did not wait for', async () => {
    const ran: number[] = []
    const { agent } = makeAgent([callsWrite, done], { tools: [write(({ at }) => (ran.push(at), 'written'))] })
    // oxlint-disable-next-line require-yield
    agent.use('tool', async function* (call, next) {
      const running = next(call)
      void tick().then(() => drain(running).catch(() => {}))
      return mine
    })
    await agent.invoke('go')
    for (let turn = 0; turn < 5; turn++) await tick()
    expect(ran).toEqual([])
  })
})

describe('around a tool, a middleware that calls next() twice', () => {
  it.each(['one after the other', 'at once'] as const)('%s: the tool runs twice, the call has one result and one key', async (how) => {
    const keys: string[] = []
    const { agent, model } = makeAgent([callsWrite, done, next], {
      tools: [write((_, { idempotencyKey }) => (keys.push(idempotencyKey), `run ${keys.length}`))],
    })
    agent.use('tool', async function* (call, next) {
      if (how === 'at once') return (await Promise.all([drain(next(call)), drain(next(call))]))[1]
      yield* next(call)
      return yield* next(call)
    })
    const { events } = await collect(agent.stream('go'))
    expect(keys).toEqual(['conv_1:call_1', 'conv_1:call_1'])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "run 2"')
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })
})

describe('a middleware that never calls next()', () => {
  it('around the model, and says nothing: the model call is an error', async () => {
    const { agent, model } = makeAgent([next])
    const off = agent.use('model', async function* () {})
    const { error, events } = await collect(agent.stream('go'))
    off()
    expect(error?.code).toBe('incomplete_stream')
    await holdsInvariant(agent, { requests: model.requests, expected: 0, events })
  })

  it.each(['model', 'tool'] as const)('around the %s, and hangs: it does not keep a cancelled run', async (stage) => {
    const { agent, model, clock } = makeAgent(stage === 'model' ? [next] : [callsWrite, next], { tools: [write()] })
    // oxlint-disable-next-line require-yield
    const off = agent.use(stage, async function* (): AsyncGenerator<never, never> {
      return await new Promise<never>(() => {})
    } as never)
    const running = agent.invoke('go')
    for (let turn = 0; turn < 5; turn++) await tick()
    agent.cancel()
    for (let turn = 0; turn < 5; turn++) await tick()
    await clock.advance(10_000)
    const settled = await settlesWithin(running, 50, 'the run')
    off()
    expect(settled).toMatchObject({ status: 'fulfilled', value: { stopReason: 'cancelled' } })
    await holdsInvariant(agent, { requests: model.requests })
  })
})

describe('around the model, a middleware that has ended', () => {
  it('cannot ask any more', async () => {
    const { agent, model } = makeAgent([done, next])
    let ask: (() => AsyncIterator<unknown>) | undefined
    agent.use('model', async function* (request, next) {
      ask = () => next(request)[Symbol.asyncIterator]()
      yield* next(request)
    })
    await agent.invoke('go')
    await expect((async () => ask!().next())()).rejects.toMatchObject({ code: 'call_ended' })
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })
})

describe('taking a middleware away', () => {
  it('while it runs: the call that is under way finishes with it, the next is without it', async () => {
    const seen: string[] = []
    const { agent } = makeAgent([callsWrite, callsWrite, done], { tools: [write()] })
    const offs: (() => void)[] = [
      agent.use('tool', async function* (call, next) {
        for (const off of offs) off()
        seen.push('outer')
        return yield* next(call)
      }),
      agent.use('tool', async function* (call, next) {
        seen.push('inner')
        return yield* next(call)
      }),
    ]
    await agent.invoke('go')
    expect(seen).toEqual(['outer', 'inner'])
  })

  it('takes that one alone, though the same function was added twice', async () => {
    let passes = 0
    const count: Stages['tool'] = async function* (call, next) {
      passes++
      return yield* next(call)
    }
    const { agent } = makeAgent([callsWrite, done, callsWrite, done], { tools: [write()] })
    const off = agent.use('tool', count)
    agent.use('tool', count)
    await agent.invoke('go')
    expect(passes).toBe(2)
    off()
    off()
    await agent.invoke('go')
    expect(passes).toBe(3)
  })
})

it('a middleware that puts what is no tool in the place of one fails the call, and says so', async () => {
  const { agent } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, done], { tools: [look()] })
  agent.use('tool', async function* (call, next) {
    return yield* next({ ...call, tool: {} as never })
  })
  await agent.invoke('go')
  expect(sketch(agent.messages)[2]).toContain('This is not a tool: the object has no run(input, context).')
})
