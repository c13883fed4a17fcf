import type { Agent } from 'lena-agent'
import { answer, ContextOverflowError, NetworkError, ThrottledError } from 'lena-agent'
import { checkEvents, collect, recorder, scriptedModel } from 'lena-agent/testing'
import { describe, expect, it } from 'vitest'
import { look, toolNamed, write } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { absent, agentOn, reread, twice } from './support/twice.ts'

refuseUnhandled()

/** A wait that no clock knows of, as of a server. */
const later = (turns: number): Promise<void> =>
  turns === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(() => resolve(later(turns - 1))))

describe('a replay is the recorded run, byte for byte', () => {
  it('of a plain answer: events, messages, ids and times', async () => {
    const { recorded, replayed } = await twice(async (tape) => {
      const agent = agentOn(tape, { model: scriptedModel({ reasoning: 'Hm.', text: 'Yes, it is.' }) })
      const { events, result } = await collect(agent.stream('Is it?'))
      expect(checkEvents(events)).toEqual([])
      return { events, messages: agent.messages, metrics: result?.metrics }
    })
    expect(replayed).toBe(recorded)
    expect(recorded).toContain('Yes, it is.')
  })

  it('of calls side by side that end in another order, with progress, early starts and a retry', async () => {
    const model = scriptedModel(
      { text: 'half of ', error: new ThrottledError('busy', { retryAfterMs: 3 }), after: 3 },
      {
        text: 'Let me see. ',
        calls: [
          { name: 'look', input: { at: 5 } },
          { name: 'look', input: { at: 1 } },
          { name: 'walk', input: { at: 2 } },
          { name: 'nothing', input: {} },
          { name: 'look', input: { at: 'here' } },
          { name: 'write', input: '{"at' },
        ],
      },
      { text: 'Done.' },
    )
    const tools = [
      look(async ({ at }) => {
        await later(at * 3)
        return { at, seen: [at, null] }
      }),
      toolNamed(
        'walk',
        async function* ({ at }) {
          for (let step = 0; step < 3; step++) {
            await later(at)
            yield { step }
          }
          return undefined
        },
        { isReadOnly: true, isConcurrencySafe: true },
      ),
      write(),
    ]
    const { recorded, replayed, cassette } = await twice(async (tape) => {
      const agent = agentOn(tape, { model, tools })
      const { events } = await collect(agent.stream('go', { partialInput: true }))
      expect(checkEvents(events)).toEqual([])
      return { events, messages: agent.messages }
    })
    expect(replayed).toBe(recorded)
    expect(recorded).toContain('"early":true')
    expect(cassette.entries.filter(({ type }) => type === 'tool_progress').length).toBe(3)
    expect(cassette.entries.filter(({ type }) => type === 'model_start').length).toBe(3)
  })

  it('of several invocations on one agent, and of another beside it', async () => {
    const [one, two] = [
      scriptedModel({ text: 'a' }, { text: 'b' }),
      scriptedModel({ text: 'c' }, { calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'd' }),
    ]
    const { recorded, replayed } = await twice(async (tape) => {
      const first = agentOn(tape, { model: one })
      const second = agentOn(tape, { model: two, tools: [look(async () => later(4))] })
      const runs = async (agent: Agent) => [await collect(agent.stream('1')), await collect(agent.stream('2'))].map(({ events }) => events)
      return [await Promise.all([runs(first), runs(second)]), first.messages, second.messages]
    })
    expect(replayed).toBe(recorded)
  })

  it('of agents that call agents', async () => {
    const child = scriptedModel({ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Seen.' }, { text: 'Nothing to see.' })
    const parent = scriptedModel(
      {
        calls: [
          { name: 'scout', input: { input: 'north' } },
          { name: 'scout', input: { input: 'south' } },
        ],
      },
      { text: 'All is well.' },
    )
    const { recorded, replayed } = await twice(async (tape) => {
      const scout = agentOn(tape, { model: child, tools: [look(async ({ at }) => later(at))] }, { name: 'scout', description: 'Looks.' })
      const agent = agentOn(tape, { model: parent }, { tools: [tape.tool(scout.asTool())] })
      const { events } = await collect(agent.stream('go'))
      expect(checkEvents(events)).toEqual([])
      return { events, messages: agent.messages }
    })
    expect(replayed).toBe(recorded)
    expect(recorded).toContain('agent_event')
  })

  it('of a question, its answer, and the call that goes on with it', async () => {
    const model = scriptedModel(
      {
        calls: [
          { name: 'ask', input: { at: 1 } },
          { name: 'look', input: { at: 2 } },
        ],
      },
      { text: 'Deleted.' },
    )
    const ask = toolNamed('ask', async ({ at }, context) => {
      await context.progress('asking')
      const answer: unknown = context.interrupt({ name: 'sure', reason: { at } })
      context.state['answered'] = [String(answer)]
      return `they said ${String(answer)}`
    })
    const { recorded, replayed } = await twice(async (tape) => {
      const agent = agentOn(tape, { model, tools: [ask, look()] })
      const first = await collect(agent.stream('delete it'))
      const { id } = first.result!.interrupts[0]!
      const second = await collect(agent.stream([answer(id, true)]))
      return [first.events, first.result!.checkpoint, second.events, agent.messages, agent.state]
    })
    expect(replayed).toBe(recorded)
    expect(recorded).toContain('they said true')
    expect(recorded).toContain('{"answered":["true"]}')
  })

  it('of errors: of models in mid-stream, of tools, of anything thrown', async () => {
    const tools = [
      look(({ at }) => {
        if (at === 1) throw Object.assign(new RangeError('too far', { cause: new Error('tired') }), { code: 'E_FAR' })
        if (at === 2) return Promise.reject('a text')
        return { big: 1n, map: new Map([[1, 2]]) }
      }),
      write((_input, context) => {
        context.endTurn('That was enough.')
      }),
    ]
    const script = () => [
      { calls: [1, 2, 3].map((at) => ({ name: 'look', input: { at } })) },
      { text: 'half', error: new NetworkError('reset', { cause: new Error('ECONNRESET') }), after: 2 },
      { calls: [{ name: 'write', input: { at: 1 } }] },
      { text: 'half', error: new ContextOverflowError('too long', { provider: 'p', status: 400 }), after: 3 },
      { error: new TypeError('undefined is not a function') },
    ]
    const model = scriptedModel(...script())
    const { recorded, replayed } = await twice(async (tape) => {
      const agent = agentOn(tape, { model, tools }, { retry: { baseMs: 1 } })
      const runs = [await collect(agent.stream('1')), await collect(agent.stream('2')), await collect(agent.stream('3'))]
      return runs.map(({ events, error }) => [events, error, error?.name, error instanceof ContextOverflowError])
    })
    expect(replayed).toBe(recorded)
    for (const said of [
      'RangeError: too far',
      'Error: a text',
      'That was enough.',
      '"ContextOverflowError",true',
      'undefined is not a function',
    ])
      expect(recorded).toContain(said)
  })

  it('of a cancel from outside, when its signal passes the recorder', async () => {
    const model = scriptedModel({ text: 'one two three', hang: true, after: 4 }, { text: 'Again.' })
    const { recorded, replayed } = await twice(async (tape) => {
      const agent = agentOn(tape, { model })
      const controller = new AbortController()
      const signal = tape.signal(controller.signal)
      const first = await collect(
        agent.stream('go', {
          signal,
          keepPartialText: true,
          onEvent: (event) => {
            // Of a replay the recording alone says when it is.
            if (tape.mode === 'record' && event.type === 'text_delta') setImmediate(() => controller.abort(new Error('enough')))
          },
        }),
      )
      return [first.events, first.result?.stopReason, (await collect(agent.stream('go on'))).events, agent.messages]
    })
    expect(replayed).toBe(recorded)
    expect(recorded).toContain('"cancelled"')
  })

  it('of a cancel that the program makes at an event, while a tool runs and ends late', async () => {
    const model = scriptedModel({ calls: [{ name: 'write', input: { at: 1 } }] }, { text: 'Well.' })
    const slow = toolNamed('write', async ({ at }, { progress }) => {
      await progress('begun')
      await later(5)
      return at
    })
    const { recorded, replayed } = await twice(async (tape) => {
      const agent = agentOn(tape, { model, tools: [slow] })
      const controller = new AbortController()
      const cancelled = await collect(
        agent.stream('go', { signal: controller.signal, onEvent: (event) => void (event.type === 'tool_progress' && controller.abort()) }),
      )
      return [cancelled.events, (await collect(agent.stream('go on'))).events, agent.messages]
    })
    expect(replayed).toBe(recorded)
  })

  it('of a time-out, with its sleep', async () => {
    const model = scriptedModel({ calls: [{ name: 'wait', input: { at: 1 } }] }, { text: 'Too slow.' })
    const wait = toolNamed(
      'wait',
      (_input, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      {
        timeoutMs: 5,
      },
    )
    const { recorded, replayed } = await twice(async (tape) => {
      const agent = agentOn(tape, { model, tools: [wait] })
      return [(await collect(agent.stream('go'))).events, agent.messages]
    })
    expect(replayed).toBe(recorded)
    expect(recorded).toContain('took longer than 5 ms')
  })

  it('of an effect of a hook, given or thrown', async () => {
    let called = 0
    const { recorded, replayed } = await twice(async (tape) => {
      const agent = agentOn(tape, { model: scriptedModel({ text: 'Hello.' }) })
      agent.on('beforeModelCall', async (event) => {
        const name = await tape.effect('who is it?', async () => {
          called++
          return { name: 'Ada' }
        })
        const failed = await tape
          .effect('where?', () => {
            throw new NetworkError('no way')
          })
          .catch((error: unknown) => error)
        event.request = { ...event.request, system: [{ type: 'text', text: `${name.name} ${String(failed)}` }] }
      })
      return (await collect(agent.stream('go'))).events
    })
    expect([replayed, called]).toEqual([recorded, 1])
  })

  it('from any cassette that came of it: a replay can be recorded no better', async () => {
    const run = async (tape: ReturnType<typeof recorder>) => {
      const agent = agentOn(tape, { model: scriptedModel({ text: 'Yes.' }) })
      await agent.invoke('go')
      await tape.close()
      return tape.cassette
    }
    const cassette = reread(await run(recorder()))
    expect(await run(recorder({ cassette }))).toEqual(cassette)
    expect(absent('x')).toThrow('x must not be used in a replay')
  })
})
