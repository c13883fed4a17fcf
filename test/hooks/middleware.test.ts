import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/errors.ts'
import { collect } from '../../src/testing/collect.ts'
import { tick } from '../../src/util/clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch } from '../support/sketch.ts'
import { look, toolNamed, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const next = { text: 'The next answer.' }
const done = { text: 'Done.' }
const callsLook = { calls: [{ name: 'look', input: { at: 1 } }] }

describe('around the model', () => {
  it('the first added is the outermost', async () => {
    const { agent } = makeAgent([done])
    const seen: string[] = []
    for (const label of ['a', 'b']) {
      agent.use('model', async function* (request, next) {
        seen.push(`${label} before`)
        yield* next(request)
        seen.push(`${label} after`)
      })
    }
    await agent.invoke('go')
    expect(seen).toEqual(['a before', 'b before', 'b after', 'a after'])
  })

  it('may change the request and the events that pass', async () => {
    const { agent, model } = makeAgent([{ text: 'quiet words' }, next])
    const off = agent.use('model', async function* (request, next) {
      for await (const event of next({ ...request, settings: { maxTokens: 5 } })) {
        if (event.type === 'block_delta' && event.delta.type === 'text')
          yield { ...event, delta: { type: 'text', text: event.delta.text.toUpperCase() } }
        else yield event
      }
    })
    const { events } = await collect(agent.stream('go'))
    off()
    expect(model.requests[0]!.settings).toEqual({ maxTokens: 5 })
    expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: "QUIET WORDS"'])
    expect(events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : []))).toEqual(['QUIET ', 'WORDS'])
    await holdsInvariant(agent, { requests: model.requests, expected: 1, events })
  })

  it('may answer itself, and may ask twice', async () => {
    const { agent, model } = makeAgent([{ error: new Error('busy') }, done, next])
    agent.use('model', async function* (request, next) {
      try {
        for await (const event of next(request)) yield event
      } catch {
        yield* next(request)
      }
    })
    expect((await agent.invoke('go')).text).toBe('Done.')
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })

    const cached = makeAgent([])
    cached.agent.use('model', async function* () {
      yield { type: 'block_delta', index: 0, delta: { type: 'text', text: 'from the cache' } }
      yield { type: 'message_stop', stopReason: 'end_turn' }
    })
    expect((await cached.agent.invoke('go')).text).toBe('from the cache')
    expect(cached.model.requests.length).toBe(0)
  })

  it.each([
    [
      'throws at once',
      () => {
        throw new Error('mine')
      },
    ],
    [
      'throws in mid-stream',
      async function* (request: never, next: (request: never) => AsyncIterable<never>) {
        for await (const event of next(request)) {
          yield event
          throw new Error('mine')
        }
      },
    ],
    ['gives nothing that can be read', () => undefined],
  ])('that %s fails the model call like the provider', async (_how, middleware) => {
    const { agent, model } = makeAgent([next, next])
    const off = agent.use('model', middleware as never)
    const { error, events } = await collect(agent.stream('go'))
    off()
    expect(error?.code).toBe('model_error')
    await holdsInvariant(agent, { requests: model.requests, events })
  })

  it('leaves the stream of the provider when it is left itself', async () => {
    const ends: string[] = []
    const { agent } = makeAgent([], {
      model: {
        provider: 'p',
        id: 'm',
        async *stream(_request, { signal }) {
          try {
            yield { type: 'block_delta', index: 0, delta: { type: 'text', text: 'a' } }
            await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
          } finally {
            ends.push(`provider, ${signal.aborted}`)
          }
        },
      },
    })
    agent.use('model', async function* (request, next) {
      try {
        yield* next(request)
      } finally {
        ends.push('middleware')
      }
    })
    const run = agent.invoke('go')
    await tick()
    agent.cancel()
    await settlesWithin(run, 5, 'the run')
    await tick()
    expect(ends).toEqual(['provider, true', 'middleware'])
  })
})

describe('around a tool', () => {
  it('the first added is the outermost; what any of them yields is progress', async () => {
    const { agent } = makeAgent([callsLook, done], {
      tools: [
        look(async function* () {
          yield 'tool'
          return 'seen'
        }),
      ],
    })
    for (const label of ['a', 'b']) {
      agent.use('tool', async function* (call, next) {
        yield `${label} before`
        const outcome = yield* next(call)
        yield `${label} after`
        return outcome
      })
    }
    const { events } = await collect(agent.stream('go'))
    expect(events.flatMap((event) => (event.type === 'tool_progress' ? [event.value] : []))).toEqual([
      'a before',
      'b before',
      'tool',
      'b after',
      'a after',
    ])
  })

  it('may change the call: another input is validated again, another tool is run', async () => {
    const { agent } = makeAgent([{ calls: [1, 2, 3].map((at) => ({ name: 'look', input: { at } })) }, done], { tools: [look(), write()] })
    agent.use('tool', async function* (call, next) {
      if (call.input['at'] === 1) return yield* next({ ...call, input: { at: 10 } })
      if (call.input['at'] === 2) return yield* next({ ...call, input: { at: 'x' } })
      return yield* next({ ...call, tool: call.context.agent.tools.get('write')! })
    })
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe(
      'user: call_1 success "seen 10" call_2 error/invalid_input "The input of look is not valid. Nothing was run.\\n- at: expected number; got \\"x\\"" call_3 success "written 3"',
    )
  })

  it('may answer itself, and may run the call again', async () => {
    let runs = 0
    const { agent } = makeAgent([{ calls: [1, 2].map((at) => ({ name: 'look', input: { at } })) }, done], {
      tools: [
        look(() => {
          if (++runs === 1) throw new Error('once')
          return `run ${runs}`
        }),
      ],
    })
    agent.use('tool', async function* (call, next) {
      if (call.input['at'] === 2) return { status: 'success', content: [{ type: 'text', text: 'from the cache' }] }
      const first = yield* next(call)
      return first.status === 'error' ? yield* next(call) : first
    })
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "run 2" call_2 success "from the cache"')
  })

  it('sees the outcome, and may put another in its place, which is copied', async () => {
    const { agent } = makeAgent([callsLook, done], { tools: [look()] })
    const mine = { status: 'success' as const, content: [{ type: 'text' as const, text: 'mine' }] }
    agent.use('tool', async function* (call, next) {
      expect(yield* next(call)).toMatchObject({ status: 'success', value: 'seen 1' })
      return mine
    })
    await agent.invoke('go')
    mine.content[0]!.text = 'changed'
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "mine"')
  })

  it('that throws is an error of the call; its siblings and the run go on', async () => {
    const { agent, model } = makeAgent([{ calls: [1, 2].map((at) => ({ name: 'look', input: { at } })) }, done, next], { tools: [look()] })
    agent.use('tool', async function* (call, next) {
      if (call.input['at'] === 1) throw new RangeError('mine')
      return yield* next(call)
    })
    const { events } = await collect(agent.stream('go'))
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error "RangeError: mine" call_2 success "seen 2"')
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('that throws behind the tool: the model is told that the work is done', async () => {
    let ran = 0
    const { agent } = makeAgent([callsLook, done], { tools: [look(() => `run ${++ran}`)] })
    agent.use('tool', async function* (call, next) {
      yield* next(call)
      throw new Error('mine')
    })
    await agent.invoke('go')
    expect(ran).toBe(1)
    expect(sketch(agent.messages)[2]).toBe(
      'user: call_1 error "Error: mine" "The tool itself had ended with success before that: its work is done."',
    )
  })

  it.each([undefined, null, 'text', { content: [] }, { status: 'success', content: [{ type: 'nothing' }] }])(
    'that returns what is no outcome is an error of the call: %j',
    async (outcome) => {
      const { agent } = makeAgent([callsLook, done], { tools: [look()] })
      agent.use('tool', async function* (call, next) {
        yield* next(call)
        return outcome as never
      })
      await agent.invoke('go')
      expect(sketch(agent.messages)[2]).toBe(
        'user: call_1 error "TypeError: a middleware returned no outcome of the call; it must return what next() returns, or { status, content }" "The tool itself had ended with success before that: its work is done."',
      )
    },
  )

  it('that leaves the call tells the tool to end', async () => {
    const told: unknown[] = []
    const { agent, model } = makeAgent([callsLook, done, next], {
      tools: [
        toolNamed('look', async (_input, { progress, signal }) => {
          await progress('working')
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => (told.push(signal.reason.message), resolve())))
        }),
      ],
    })
    agent.use('tool', async function* (call, next) {
      for await (const value of next(call)) {
        yield value
        break
      }
      return { status: 'error', content: [{ type: 'text', text: 'gave up' }] }
    })
    const { events } = await collect(agent.stream('go'))
    expect(told).toEqual(['A middleware left the call.'])
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error "gave up"')
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('is not asked for calls that cannot run', async () => {
    const seen: string[] = []
    const { agent } = makeAgent(
      [
        {
          calls: [
            { name: 'nothing', input: {} },
            { name: 'look', input: { at: 'x' } },
          ],
        },
        done,
      ],
      { tools: [look()] },
    )
    agent.use('tool', async function* (call, next) {
      seen.push(call.tool.name)
      return yield* next(call)
    })
    await agent.invoke('go')
    expect(seen).toEqual([])
  })
})

describe('what is no middleware', () => {
  it('is refused', () => {
    const { agent } = makeAgent([])
    expect(() => agent.use('models' as never, (() => {}) as never)).toThrow(
      new InputError('There is no stage "models". Stages are: model, tool, context_model.'),
    )
    expect(() => agent.use('model', 7 as never)).toThrow(new InputError('The middleware of the stage "model" must be a function, got 7.'))
  })

  it.each([
    ['an async function that fails', async () => Promise.reject(new Error('heard by nobody')), 'a promise'],
    ['a function that gives nothing', () => undefined, 'undefined'],
  ])('is said to be none when it runs: %s', async (_what, none, given) => {
    const { agent } = makeAgent([callsLook, done], { tools: [look()] })
    const off = agent.use('tool', none as never)
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe(
      `user: call_1 error "TypeError: a middleware must be an async generator function, async function* (call, next) { return yield* next(call) }; it gave ${given}"`,
    )
    off()
    agent.use('model', none as never)
    await expect(agent.invoke('go')).rejects.toThrow(`must return an async iterable of model events, got ${given}`)
  })

  it('is taken away by the function that comes back', async () => {
    const { agent } = makeAgent([{ text: 'a' }, { text: 'b' }])
    let passes = 0
    const off = agent.use('model', async function* (request, next) {
      passes++
      yield* next(request)
    })
    await agent.invoke('go')
    off()
    await agent.invoke('go')
    expect(passes).toBe(1)
  })
})
