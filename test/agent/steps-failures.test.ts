import { describe, expect, it } from 'vitest'
import { AgentError, ThrottledError } from '../../src/errors.ts'
import { collect } from '../../src/testing/collect.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import type { Step, StepRunner } from '../../src/tools/steps.ts'
import { tick } from '../../src/util/clock.ts'
import { autoClock } from '../support/auto-clock.ts'
import { handModel } from '../support/hand-model.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import type { Made } from '../support/make-agent.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch } from '../support/sketch.ts'
import { look, toolNamed, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const next = { text: 'The next answer.' }
const calls = (...names: readonly string[]): ScriptStep => ({ calls: names.map((name, at) => ({ name, input: { at } })) })
const full = (): Error => new Error('no room on the disk')

/** An engine that is ill at the steps that the test names, as long as it says so. */
function ill(isIll: (step: Step) => boolean, how: (fn: () => Promise<never>) => Promise<never>) {
  const engine = { isIll: true }
  const steps: StepRunner = {
    concurrency: 'any_order',
    run: (step, fn) => (engine.isIll && isIll(step) ? how(fn as () => Promise<never>) : fn()),
  }
  return { steps, engine }
}

const isTool = ({ kind }: Step): boolean => kind === 'tool'
const isModel = ({ kind }: Step): boolean => kind === 'model'
const before = async (): Promise<never> => {
  throw full()
}
const behind = async (fn: () => Promise<never>): Promise<never> => {
  await fn()
  throw full()
}

async function failing({ agent }: Made, engine: { isIll: boolean }) {
  const { events, error } = await collect(agent.stream('go'))
  engine.isIll = false
  const { code, message } = error as AgentError
  return { code, message, events, history: sketch(agent.messages).slice(2) }
}

describe('an engine that fails at a call of a tool ends the run, and the model reads nothing of it', () => {
  it('before the call has begun', async () => {
    const { steps, engine } = ill(isTool, before)
    const ran: number[] = []
    const made = makeAgent([calls('write', 'write'), next], { steps, tools: [write(({ at }) => ran.push(at))] })
    const { events, ...ended } = await failing(made, engine)
    expect([ended, ran]).toEqual([
      {
        code: 'steps_failed',
        message: 'The steps failed at tool:call_1: no room on the disk',
        history: [
          'user: call_1 error/cancelled "The call was cancelled." call_2 error/cancelled "The call was not run: the run ended before it."',
        ],
      },
      [],
    ])
    await holdsInvariant(made.agent, { requests: made.model.requests, expected: 1, events })
  })

  it('behind the call: what it came to is kept', async () => {
    const { steps, engine } = ill(isTool, behind)
    const made = makeAgent([calls('write'), next], { steps, tools: [write(() => 'written')] })
    const { events, ...ended } = await failing(made, engine)
    expect(ended).toEqual({
      code: 'steps_failed',
      message: 'The steps failed at tool:call_1: no room on the disk',
      history: ['user: call_1 success "written"'],
    })
    await holdsInvariant(made.agent, { requests: made.model.requests, expected: 1, events })
  })

  it('while the call runs: it is told to end, and what it still comes to is kept', async () => {
    const told: unknown[] = []
    const { steps, engine } = ill(isTool, async (fn) => {
      void fn().catch(() => {})
      await tick()
      throw full()
    })
    const made = makeAgent([calls('write'), next], {
      steps,
      clock: autoClock(),
      tools: [
        write(async (_, { signal }) => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          told.push((signal.reason as Error).message)
          return 'written all the same'
        }),
      ],
    })
    const { events, ...ended } = await failing(made, engine)
    expect([ended.code, ended.history, told]).toEqual([
      'steps_failed',
      ['user: call_1 success "written all the same"'],
      ['The steps failed at tool:call_1: no room on the disk'],
    ])
    await holdsInvariant(made.agent, { requests: made.model.requests, expected: 1, events })
  })

  it('while the call runs and does not end: it may have been done', async () => {
    const { steps, engine } = ill(isTool, async (fn) => {
      void fn().catch(() => {})
      throw full()
    })
    const made = makeAgent([calls('write'), next], { steps, clock: autoClock(), tools: [write(() => new Promise(() => {}))] })
    const { code, history } = await failing(made, engine)
    expect([code, history]).toEqual([
      'steps_failed',
      ['user: call_1 error/cancelled "The call was cancelled while it ran. It may or may not have done its work."'],
    ])
    await holdsInvariant(made.agent, { requests: made.model.requests, expected: 1 })
  })

  it.each([
    ['null', null],
    ['content that is none', { status: 'success', content: [{ type: 'nothing' }] }],
  ])('and gives %s for a record', async (_, record) => {
    const { steps, engine } = ill(isTool, async () => record as never)
    const made = makeAgent([calls('write'), next], { steps, tools: [write()] })
    const { code, message } = await failing(made, engine)
    expect([code, message]).toEqual([
      'steps_failed',
      expect.stringMatching(/^The steps gave no outcome for tool:call_1: expected what the step had resolved to, got /),
    ])
    await holdsInvariant(made.agent, { requests: made.model.requests, expected: 1 })
  })

  it('with its own error, where that is one of ours', async () => {
    const own = new AgentError('The journal is closed.', { code: 'journal_closed' })
    const { steps, engine } = ill(isTool, () => Promise.reject(own))
    const made = makeAgent([calls('write'), next], { steps, tools: [write()] })
    const { error } = await collect(made.agent.stream('go'))
    engine.isIll = false
    expect(error).toBe(own)
    await holdsInvariant(made.agent, { requests: made.model.requests, expected: 1 })
  })

  it('also of a call that a program makes: its record is whole', async () => {
    const { steps, engine } = ill(isTool, behind)
    const made = makeAgent([next], { steps, tools: [write(() => 'written')] })
    await expect(made.agent.callTool('write', { at: 1 })).rejects.toMatchObject({ code: 'steps_failed' })
    engine.isIll = false
    expect(sketch(made.agent.messages)[2]).toBe('user: call_1 success "written"')
    await holdsInvariant(made.agent, { requests: made.model.requests, expected: 0 })
  })

  it.each([
    ['a call', isTool],
    ['the model', isModel],
  ])('and every run above the agent in which it failed at %s', async (_, which) => {
    const { steps, engine } = ill((step) => step.name.split('>').length === 3 && which(step), before)
    const innermost = makeAgent([calls('write')], { name: 'innermost', tools: [write()] })
    const middle = makeAgent([{ calls: [{ name: 'innermost', input: { input: 'Write.' } }] }], { name: 'middle', tools: [innermost.agent] })
    const made = makeAgent([{ calls: [{ name: 'middle', input: { input: 'Have it written.' } }] }, next], { steps, tools: [middle.agent] })
    const { code, message, history, events } = await failing(made, engine)
    expect([code, message, history, middle.model.requests.length]).toEqual([
      'steps_failed',
      expect.stringMatching(/^The steps failed at (tool:call_1|model:1): no room on the disk$/),
      ['user: call_1 error/cancelled "The call was cancelled while it ran. It may or may not have done its work."'],
      1,
    ])
    await holdsInvariant(made.agent, { requests: made.model.requests, expected: 1, events })
  })
})

describe('what is no failure of the engine', () => {
  it('what a tool throws is a result, whatever the engine makes of it', async () => {
    const { steps } = ill(isTool, async (fn) => {
      throw await fn().then(
        () => full(),
        (error: unknown) => new Error('the step failed', { cause: error }),
      )
    })
    const made = makeAgent([calls('asks')], {
      steps,
      tools: [toolNamed('asks', (_, { interrupt }) => interrupt({ name: 'may I?' }))],
    })
    // The one thing that a step of a tool throws: a question.
    expect((await made.agent.invoke('go')).stopReason).toBe('interrupt')
  })

  it('what an engine throws once the run is cancelled', async () => {
    const { steps, engine } = ill(isTool, async () => {
      made.agent.cancel('stop it')
      throw full()
    })
    const made = makeAgent([calls('look'), next], { steps, tools: [look()] })
    expect((await made.agent.invoke('go')).stopReason).toBe('cancelled')
    engine.isIll = false
    await holdsInvariant(made.agent, { requests: made.model.requests, expected: 1 })
  })
})

describe('an engine that fails at the model', () => {
  it.each([
    ['before it is asked', before, 0],
    ['behind its answer', behind, 1],
  ])('%s ends the run', async (_, how, expected) => {
    const { steps, engine } = ill(isModel, how)
    const made = makeAgent([next, next], { steps })
    const { code, message, history, events } = await failing(made, engine)
    expect([code, message, history]).toEqual(['steps_failed', 'The steps failed at model:1: no room on the disk', []])
    await holdsInvariant(made.agent, { requests: made.model.requests, expected, events })
  })

  it.each([
    ['nothing', undefined],
    ['what is no message', { content: 'Hello.' }],
  ])('and gives %s for a record', async (_, record) => {
    const { steps, engine } = ill(isModel, async () => record as never)
    const made = makeAgent([next], { steps })
    const { code, message } = await failing(made, engine)
    expect([code, message]).toEqual(['steps_failed', expect.stringMatching(/^The steps gave no outcome for model:1: expected/)])
    await holdsInvariant(made.agent, { requests: made.model.requests, expected: 0 })
  })

  it('while it speaks leaves no stream behind, and nothing that it said begins', async () => {
    const model = handModel()
    const begun: number[] = []
    const { steps, engine } = ill(isModel, async (fn) => {
      void fn().catch(() => {})
      while (begun.length === 0) await tick()
      throw full()
    })
    const tools = [look(({ at }) => (begun.push(at), 'seen'))]
    const { agent } = makeAgent([], { model, steps, tools, clock: autoClock() })
    const running = agent.invoke('go')
    running.catch(() => {})
    const speech = await model.next()
    await speech.call(0, 'look', { at: 1 })
    const settled = await settlesWithin(running, 20, 'the run')
    await speech.call(1, 'look', { at: 2 })
    engine.isIll = false
    expect([settled, begun]).toMatchObject([{ status: 'rejected', reason: { code: 'steps_failed' } }, [1]])
  })

  it('does not hide what the model failed with, however it tells that', async () => {
    const { steps } = ill(isModel, async (fn) => {
      throw new Error('the step failed', { cause: await fn().catch((error: unknown) => error) })
    })
    const made = makeAgent([{ error: new ThrottledError('busy') }, { error: new Error('gone') }], {
      steps,
      clock: autoClock(),
      retry: { maxAttempts: 2 },
    })
    await expect(made.agent.invoke('go')).rejects.toMatchObject({ code: 'model_error', message: 'The model failed: gone' })
    expect(made.model.requests.length).toBe(2)
  })
})
