import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { check } from '../../src/messages/check.ts'
import type { StepRunner } from '../../src/tools/steps.ts'
import { tool } from '../../src/tools/tool.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { testProvider } from '../support/provider.ts'
import { sketch } from '../support/sketch.ts'
import { look, toolNamed } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const done = { text: 'Done.' }
const textOutcome = (status: 'success' | 'error', text: string) => ({ status, content: [{ type: 'text', text }] })

describe('a direct call', () => {
  it('gives the outcome with the value itself, and asks no model', async () => {
    const value = { celsius: 22, at: new Date(0) }
    const { agent, model } = makeAgent([done], { tools: [look(() => value)] })
    const outcome = await agent.callTool('look', { at: 1 })
    expect(outcome).toMatchObject({ status: 'success' })
    expect(outcome.value).toBe(value)
    expect(model.requests).toEqual([])
    expect(agent.isRunning).toBe(false)
  })

  it('of a tool that throws is an outcome, with what was thrown', async () => {
    const error = new RangeError('too far')
    const { agent } = makeAgent([done], {
      tools: [
        look(() => {
          throw error
        }),
      ],
    })
    expect(await agent.callTool('look', { at: 1 })).toEqual({ ...textOutcome('error', 'RangeError: too far'), error })
  })

  it('has its input validated, with defaults, like that of a model', async () => {
    const seen: unknown[] = []
    const shell = tool({
      name: 'shell',
      description: 'd',
      inputSchema: z.object({ command: z.string(), timeout: z.number().default(120) }),
      execute: (input) => (seen.push(input), 'ran'),
    })
    const { agent } = makeAgent([done], { tools: [shell] })
    await agent.callTool('shell', { command: 'ls' })
    expect(seen).toEqual([{ command: 'ls', timeout: 120 }])
    expect(await agent.callTool('shell', { command: 7 })).toMatchObject({ status: 'error', code: 'invalid_input' })
    expect(seen).toHaveLength(1)
  })

  it('passes hooks, middleware, gates and steps in the order of every call', async () => {
    const log: string[] = []
    const steps: StepRunner = {
      concurrency: 'any_order',
      run: async (step, fn) => (log.push(`step ${step.name} ${step.idempotencyKey}`), await fn()),
    }
    const { agent } = makeAgent([done], {
      steps,
      tools: [look(({ at }, { idempotencyKey }) => (log.push(`tool ${at} ${idempotencyKey}`), at))],
    })
    agent.on('beforeTools', () => void log.push('beforeTools'))
    agent.on('beforeToolCall', (event) => {
      log.push(`before direct ${event.direct} early ${event.early}`)
      event.input = { at: 2 }
    })
    agent.on('afterToolCall', ({ result, input }) => void log.push(`after ${result.status} ${JSON.stringify(input)}`))
    agent.use('tool', (call, next) => (log.push(`middleware ${JSON.stringify(call.input)}`), next(call)))
    agent.guard({ name: 'g', judge: ({ input }) => (log.push(`gate ${JSON.stringify(input)}`), { decision: 'allow' }) })
    await agent.callTool('look', { at: 1 })
    expect(log).toEqual([
      'before direct true early false',
      'middleware {"at":2}',
      'gate {"at":2}',
      'step tool:call_1 conv_1:call_1',
      'tool 2 conv_1:call_1',
      'after success {"at":2}',
    ])
  })

  it('that a hook or a gate refuses is not run, and says why', async () => {
    let runs = 0
    const { agent } = makeAgent([done], { tools: [look(() => runs++), toolNamed('other', () => runs++)] })
    agent.on('beforeToolCall', (event) => {
      if (event.toolUse.name === 'look') event.cancel = 'Not now.'
    })
    agent.guard({ name: 'g', judge: () => ({ decision: 'deny', reason: 'Not here.' }) })
    expect(await agent.callTool('look', { at: 1 })).toEqual({ ...textOutcome('error', 'Not now.'), code: 'denied' })
    expect(await agent.callTool('other', { at: 1 })).toEqual({ ...textOutcome('error', 'Not here.'), code: 'denied' })
    expect(runs).toBe(0)
  })

  it('comes to what the hooks behind it make of it', async () => {
    let runs = 0
    const { agent } = makeAgent([done], { tools: [look(() => `seen ${++runs}`)] })
    agent.on('afterToolCall', (event) => {
      if (runs === 1) event.retry = true
      else event.result = { status: 'success', content: [{ type: 'text', text: 'replaced' }], value: 7 }
    })
    expect(await agent.callTool('look', { at: 1 })).toEqual({ ...textOutcome('success', 'replaced'), value: 7 })
    expect([runs, sketch(agent.messages)[2]]).toEqual([2, 'user: call_1 success "replaced"'])
  })

  it('has its own invocation state, and no turn to end', async () => {
    const state = { who: 'me' }
    const seen: unknown[] = []
    const { agent } = makeAgent([done], {
      tools: [look((_input, context) => (context.endTurn('over'), seen.push(context.invocationState, context.toolUse), 'ok'))],
    })
    await agent.callTool('look', { at: 1 }, { invocationState: state })
    expect(seen).toEqual([state, { id: 'call_1', name: 'look', input: { at: 1 } }])
    expect(seen[0]).toBe(state)
  })

  it('needs the plug-ins and providers, but not the model', async () => {
    const mcp = testProvider('mcp', () => [look()])
    const { agent } = makeAgent([], {
      model: 'no-such-provider/model',
      tools: [mcp],
      plugins: [
        { name: 'p', setup: (host) => void host.guard({ name: 'g', judge: () => ({ decision: 'deny', reason: 'By the plug-in.' }) }) },
      ],
    })
    expect(await agent.callTool('look', { at: 1 })).toMatchObject({ status: 'error', code: 'denied' })
    expect(mcp.log).toEqual(['add agent', 'load'])
  })

  it('has plug-ins write out what they hold back; a flush that fails does not undo the call', async () => {
    let flushes = 0
    const flush = (): void => {
      flushes++
      throw new Error('disk full')
    }
    const { agent } = makeAgent([done], { tools: [look()], plugins: [{ name: 'p', setup: () => {}, flush }] })
    expect(await agent.callTool('look', { at: 1 })).toMatchObject({ status: 'success' })
    expect(flushes).toBe(1)
  })
})

describe('the name', () => {
  it('may have `_` for `-`; the exact one goes first', async () => {
    const { agent } = makeAgent([done], { tools: [toolNamed('read-my_file', () => 'dash'), toolNamed('list-dir', () => 'list')] })
    expect((await agent.callTool('list_dir', { at: 1 })).value).toBe('list')
    expect((await agent.callTool('list-dir', { at: 1 })).value).toBe('list')
    // Every `_` stands for a `-`, or none does.
    await expect(agent.callTool('read_my_file', { at: 1 })).rejects.toMatchObject({ code: 'tool_not_found' })
    expect((await agent.callTool('read-my_file', { at: 1 })).value).toBe('dash')
  })

  it('that is not there says what is, and leaves the history alone', async () => {
    const { agent, model } = makeAgent([done], { tools: [look(), toolNamed('write', () => '')] })
    await expect(agent.callTool('lok', { at: 1 })).rejects.toMatchObject({
      name: 'ToolNotFoundError',
      code: 'tool_not_found',
      message: 'There is no tool "lok". Did you mean "look"? There are: look, write.',
      available: ['look', 'write'],
    })
    await expect(makeAgent([]).agent.callTool('lok', {})).rejects.toMatchObject({
      message: 'There is no tool "lok". There are no tools.',
      available: [],
    })
    await holdsInvariant(agent, { requests: model.requests, expected: 0 })
  })
})

describe('at the door', () => {
  it.each<[string, readonly unknown[], string]>([
    ['a name that is none', [7, {}], 'The name of a tool must be a string, got 7.'],
    ['no input', ['look'], "The input of a tool must be an object such as { city: 'Tokyo' }, got undefined."],
    ['a list as input', ['look', []], "The input of a tool must be an object such as { city: 'Tokyo' }, got an array."],
    ['input that JSON cannot carry', ['look', { at: 1n }], 'The input of look.at is a bigint, which JSON cannot carry.'],
    [
      'an option that is none',
      ['look', {}, { recrod: true }],
      'There is no option "recrod". Did you mean "record"? Known: signal, record, invocationState.',
    ],
    ['a record that is no flag', ['look', {}, { record: 'no' }], '`record` must be true or false, got "no".'],
    [
      'a signal that is none',
      ['look', {}, { signal: {} }],
      '`signal` must be an AbortSignal (from an AbortController, or AbortSignal.timeout(ms)).',
    ],
  ])('%s is refused', async (_what, args, message) => {
    const { agent } = makeAgent([done], { tools: [look()] })
    await expect(Reflect.apply(agent.callTool, agent, args)).rejects.toMatchObject({ code: 'invalid_input', message })
    expect(agent.messages).toEqual([])
  })
})

it('two direct calls, with a run between them, make one legal history', async () => {
  const { agent, model } = makeAgent([done], { tools: [look()] })
  await agent.callTool('look', { at: 1 })
  await agent.invoke('go')
  await agent.callTool('look', { at: 2 })
  expect(check(agent.messages)).toEqual([])
  expect(sketch(agent.messages)).toEqual([
    'user: "[The program calls the tool look itself; the model did not ask for it.]"',
    'assistant: look#call_1 {"at":1}',
    'user: call_1 success "seen 1"',
    'assistant: "[The program\'s call of look ended with success.]"',
    'user: "go"',
    'assistant: "Done."',
    'user: "[The program calls the tool look itself; the model did not ask for it.]"',
    'assistant: look#call_2 {"at":2}',
    'user: call_2 success "seen 2"',
    'assistant: "[The program\'s call of look ended with success.]"',
  ])
  expect(sketch(model.requests[0]!.messages)).toEqual(sketch(agent.messages.slice(0, 5)))
})
