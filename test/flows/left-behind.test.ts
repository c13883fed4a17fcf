import { describe, expect, it } from 'vitest'
import type { Agent } from '../../src/agent/agent.ts'
import type { AgentEvent } from '../../src/agent/events.ts'
import { collect } from '../../src/testing/collect.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import { tick } from '../../src/util/clock.ts'
import { autoClock } from '../support/auto-clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { deferred } from '../support/promises.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch } from '../support/sketch.ts'
import { look, toolNamed, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const next: ScriptStep = { text: 'The next answer.' }
const closing = 'assistant: "[The run was cancelled before the answer was complete: stop it]"'
const callsLook: ScriptStep = { calls: [{ name: 'look', input: { at: 1 } }] }
const callsWrite: ScriptStep = { calls: [{ name: 'write', input: { at: 1 } }] }
const stopIt = (agent: Agent): void => agent.cancel('stop it')
const never = (): Promise<never> => new Promise(() => {})

describe('what comes too late', () => {
  it('of a tool that was left behind while the run still goes on, is a warning', async () => {
    const late = deferred<string>()
    const { agent, model, clock } = makeAgent([{ calls: [{ name: 'slow', input: { at: 1 } }] }, callsLook, next, next], {
      tools: [
        toolNamed('slow', () => late.promise, { timeoutMs: 10, isReadOnly: true }),
        look(async () => {
          late.resolve('at last')
          await tick()
          return 'seen'
        }),
      ],
    })
    const run = collect(agent.stream('go'))
    await tick()
    await clock.advance(10)
    const { events } = await run
    expect(events.filter(({ type }) => type === 'warning')).toEqual([
      {
        type: 'warning',
        invocationId: 'inv_1',
        turn: 2,
        code: 'late_tool_outcome',
        message: 'The call call_1 of slow ended (success) after it was given up; its outcome is not used.',
      },
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 3, events })
  })

  it('of a tool that was left behind by a run that is over, is told to nobody', async () => {
    const late = deferred<string>()
    const { agent, model } = makeAgent([callsLook, next], { tools: [look(() => late.promise)] })
    const told: AgentEvent[] = []
    const run = agent.invoke('go', { onEvent: (event) => void told.push(event) })
    await tick()
    stopIt(agent)
    await run
    late.resolve('at last')
    await tick()
    expect(told.at(-1)?.type).toBe('invocation_end')
    await holdsInvariant(agent, { requests: model.requests, expected: 1, events: told })
  })

  it('of a tool that has ended: its progress and its wish to end the run', async () => {
    const ended = deferred()
    const { agent, model } = makeAgent([callsLook, callsWrite, next, next], {
      tools: [
        look((_input, { progress, endTurn }) => {
          void ended.promise.then(async () => {
            endTurn('too late')
            await progress('still here')
          })
          return 'seen'
        }),
        write(async () => {
          ended.resolve()
          await tick()
          return 'written'
        }),
      ],
    })
    const { events, result } = await collect(agent.stream('go'))
    expect(events.filter(({ type }) => type === 'tool_progress')).toEqual([])
    expect(String(result)).toBe('The next answer.')
    await holdsInvariant(agent, { requests: model.requests, expected: 3, events })
  })
})

describe('a middleware around a tool that is cancelled', () => {
  it('does not cost the tool its time to end, nor its result', async () => {
    const work = deferred()
    const { agent, model } = makeAgent([callsWrite, next], {
      tools: [
        write(async () => {
          await work.promise
          return 'written'
        }),
      ],
    })
    agent.use('tool', async function* (call, next) {
      return yield* next(call)
    })
    const run = agent.invoke('go')
    await tick()
    stopIt(agent)
    await tick()
    work.resolve()
    await run
    expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: write#call_1 {"at":1}', 'user: call_1 success "written"', closing])
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })

  it('does not lose the result of the tool when it hangs behind it', async () => {
    const { agent, model } = makeAgent([callsWrite, next], { tools: [write()], clock: autoClock() })
    agent.use('tool', async function* (call, next) {
      const outcome = yield* next(call)
      await never()
      return outcome
    })
    const run = agent.invoke('go')
    await tick()
    stopIt(agent)
    await settlesWithin(run, 10, 'the run')
    expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: write#call_1 {"at":1}', 'user: call_1 success "written 1"', closing])
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })

  it('that hangs before the tool: nothing was done, and that is what the result says', async () => {
    const { agent, model } = makeAgent([callsWrite, next], { tools: [write()], clock: autoClock() })
    agent.use('tool', async function* (call, next) {
      await never()
      return yield* next(call)
    })
    const run = agent.invoke('go')
    await tick()
    stopIt(agent)
    await settlesWithin(run, 10, 'the run')
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error/cancelled "The call was cancelled."')
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })
})
