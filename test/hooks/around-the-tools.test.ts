import { describe, expect, it } from 'vitest'
import { concurrent } from '../../src/tools/strategies.ts'
import { collect } from '../../src/testing/collect.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { sketch, typesOf } from '../support/sketch.ts'
import { look, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const next = { text: 'The next answer.' }
const done = { text: 'Done.' }
const callsLook = { calls: [{ name: 'look', input: { at: 1 } }] }
const callsTwo = { calls: [1, 2].map((at) => ({ name: 'look', input: { at } })) }

describe('beforeToolCall', () => {
  it('may change the input: the tool gets it, the history keeps what the model wrote', async () => {
    const got: unknown[] = []
    const { agent, model } = makeAgent([callsLook, done, next], {
      tools: [
        look((input, { toolUse }) => {
          got.push(input, toolUse.input)
          return 'seen'
        }),
      ],
    })
    const mine = { at: 7 }
    agent.on('beforeToolCall', (event) => void (event.input = mine))
    agent.on('afterToolCall', () => void (mine.at = 99))
    const { events } = await collect(agent.stream('go'))
    expect(got).toEqual([{ at: 7 }, { at: 7 }])
    expect(events.find(({ type }) => type === 'tool_start')).toMatchObject({ input: { at: 7 } })
    expect(sketch(agent.messages)[1]).toBe('assistant: look#call_1 {"at":1}')
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('may change the input to one that does not fit: the model reads that', async () => {
    const { agent } = makeAgent([callsLook, done], { tools: [look()] })
    agent.on('beforeToolCall', (event) => void (event.input = { at: 'x' }))
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe(
      'user: call_1 error/invalid_input "The input of look is not valid. Nothing was run.\\n- at: expected number; got \\"x\\""',
    )
  })

  it('may mend an input that could not be parsed', async () => {
    const { agent } = makeAgent([{ calls: [{ name: 'look', input: '{"at"' }] }, done], { tools: [look()] })
    agent.on('beforeToolCall', (event) => void (event.input = { at: 3 }))
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "seen 3"')
  })

  it('may put another tool in its place, or take it away', async () => {
    const { agent } = makeAgent([callsTwo, done], { tools: [look(), write()] })
    agent.on('beforeToolCall', (event) => void (event.tool = event.input['at'] === 1 ? write() : undefined))
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe(
      'user: call_1 success "written 1" call_2 error/not_found "There is no tool \\"look\\". There are: write."',
    )
  })

  it('cannot change the call as it is stored', async () => {
    const { agent, model } = makeAgent([callsLook, done, next], { tools: [look()] })
    const off = agent.on('beforeToolCall', ({ toolUse, input }) => {
      expect(() => ((toolUse as { name: string }).name = 'x')).toThrow(TypeError)
      expect(() => ((input as { at: number }).at = 2)).toThrow(TypeError)
    })
    await agent.invoke('go')
    off()
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })
})

describe('afterToolCall', () => {
  it('may put another result in its place; it is copied', async () => {
    const { agent, model } = makeAgent([callsLook, done, next], { tools: [look()] })
    const mine = { status: 'error' as const, content: [{ type: 'text' as const, text: 'redacted' }] }
    agent.on('afterToolCall', (event) => void (event.result = mine))
    const { events } = await collect(agent.stream('go'))
    mine.content[0]!.text = 'changed'
    expect(Object.isFrozen(mine)).toBe(false)
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error "redacted"')
    expect(events.find(({ type }) => type === 'tool_end')).toMatchObject({
      result: { status: 'error', content: [{ type: 'text', text: 'redacted' }] },
    })
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it.each([
    undefined,
    'a text',
    {},
    { status: 'success' },
    { status: 'fine', content: [] },
    { status: 'success', content: [{ type: 'tool_use' }] },
    { status: 'error', code: 'made_up', content: [] },
  ])('that sets what is no result fails the run, and the real one is kept: %j', async (result) => {
    const { agent, model } = makeAgent([callsLook, done, next], { tools: [look()] })
    const off = agent.on('afterToolCall', (event) => void (event.result = result as never))
    const { error, events } = await collect(agent.stream('go'))
    off()
    expect(error).toMatchObject({ code: 'hook_failed', hook: 'afterToolCall' })
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "seen 1"')
    await agent.invoke()
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('may have the call run again; the last result counts', async () => {
    let runs = 0
    const { agent, model } = makeAgent([callsLook, done, next], { tools: [look(() => `run ${++runs}`)] })
    agent.on('afterToolCall', (event) => void (event.retry = runs < 3))
    const { events } = await collect(agent.stream('go'))
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "run 3"')
    expect(typesOf(events).filter((type) => type.startsWith('tool_start') || type.startsWith('tool_end'))).toEqual([
      'tool_start',
      'tool_end',
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('is bounded: ten repetitions', async () => {
    let runs = 0
    const { agent } = makeAgent([callsLook, done], { tools: [look(() => `run ${++runs}`)] })
    agent.on('afterToolCall', (event) => void (event.retry = true))
    await agent.invoke('go')
    expect(runs).toBe(11)
  })

  it('does not have a call run again in a run that is cancelled: its result stays', async () => {
    let runs = 0
    const { agent, model } = makeAgent([callsLook, next], { tools: [look(() => `run ${++runs}`)], strategy: concurrent })
    const off = agent.on('afterToolCall', (event) => {
      event.retry = true
      agent.cancel('stop it')
    })
    const { events } = await collect(agent.stream('go'))
    off()
    expect(runs).toBe(1)
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "run 1"')
    await holdsInvariant(agent, { requests: model.requests, expected: 1, events })
  })

  it('sees what the tool returned and threw, as it was', async () => {
    const thrown = new RangeError('no')
    const { agent } = makeAgent(
      [
        {
          calls: [
            { name: 'look', input: { at: 1 } },
            { name: 'look', input: { at: 2 } },
          ],
        },
        done,
      ],
      {
        tools: [
          look(({ at }) => {
            if (at === 2) throw thrown
            return { found: new Map([['a', 1]]) }
          }),
        ],
      },
    )
    const seen: unknown[] = []
    agent.on('afterToolCall', ({ result }) => void seen.push(result.value ?? result.error))
    await agent.invoke('go')
    expect(seen).toEqual([{ found: new Map([['a', 1]]) }, thrown])
  })
})

describe('afterTools', () => {
  it.each([
    ['true', true, 'The turn was ended after the tools.'],
    ['a text', 'Enough.', 'Enough.'],
    [
      'blocks',
      [
        { type: 'text' as const, text: 'Enough ' },
        { type: 'text' as const, text: 'of it.' },
      ],
      'Enough of it.',
    ],
  ])('may end the run: %s', async (_what, endTurn, text) => {
    const { agent, model } = makeAgent([callsLook, next], { tools: [look()] })
    agent.on('afterTools', (event) => {
      expect(event.results.map(({ toolUseId, status }) => [toolUseId, status])).toEqual([['call_1', 'success']])
      event.endTurn = endTurn
    })
    const { result, events } = await collect(agent.stream('go'))
    expect(result?.stopReason).toBe('end_turn')
    expect(String(result)).toBe(text)
    await holdsInvariant(agent, { requests: model.requests, expected: 1, events })
  })

  it('comes after the results were stored', async () => {
    const { agent } = makeAgent([callsLook, done], { tools: [look()] })
    const lengths: number[] = []
    agent.on('afterTools', (event) => void lengths.push(event.agent.messages.length))
    await agent.invoke('go')
    expect(lengths).toEqual([3])
  })
})
