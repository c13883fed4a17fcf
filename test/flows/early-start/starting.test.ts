import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { AgentOptions } from '../../../src/agent/agent-options.ts'
import type { AgentEvent } from '../../../src/agent/events.ts'
import { permissions } from '../../../src/permissions/permissions.ts'
import { checkEvents } from '../../../src/testing/check-events.ts'
import { collect } from '../../../src/testing/collect.ts'
import { countingIds } from '../../../src/testing/counting-ids.ts'
import { directSteps } from '../../../src/tools/steps.ts'
import { concurrent, sequential } from '../../../src/tools/strategies.ts'
import type { ToolTraits } from '../../../src/tools/tool.ts'
import { handModel } from '../../support/hand-model.ts'
import type { Speech } from '../../support/hand-model.ts'
import type { Deferred } from '../../support/promises.ts'
import { deferred } from '../../support/promises.ts'
import { sketch } from '../../support/sketch.ts'
import type { AtInput } from '../../support/tools.ts'
import { toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

/** An agent with a model that the test speaks for, and tools that end when the test says so. */
async function begin(options: Partial<AgentOptions> = {}, setUp: (agent: Agent) => void = () => {}) {
  const started: number[] = []
  const running = new Map<number, Deferred<string>>()
  const wait = ({ at }: AtInput): Promise<string> => {
    started.push(at)
    const end = deferred<string>()
    running.set(at, end)
    return end.promise
  }
  const make = (name: string, traits: ToolTraits<AtInput>) => toolNamed(name, wait, traits)
  const model = handModel()
  const agent = new Agent({
    model,
    ids: countingIds(),
    retry: false,
    tools: [
      make('look', { isReadOnly: true, isConcurrencySafe: true }),
      make('peek', { isReadOnly: true, isConcurrencySafe: ({ at }) => (at % 2 === 0 ? 'even' : 'odd') }),
      make('note', { isConcurrencySafe: true }),
      make('write', {}),
    ],
    ...options,
  })
  setUp(agent)
  const collecting = collect(agent.stream('go'))
  const speech = await model.next()
  /** Ends calls, the model's message and its next one, and gives what came of it. */
  const finish = async (): Promise<{ readonly events: readonly AgentEvent[]; readonly history: readonly string[] }> => {
    await speech.stop('tool_use')
    const last = model.next()
    for (let answer: Speech | undefined; !answer;) {
      for (const [at, end] of running) end.resolve(`seen ${at}`)
      running.clear()
      answer = await Promise.race([last, new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))])
      if (answer) await answer.stop('end_turn')
    }
    const { events, error } = await collecting
    expect(error).toBeUndefined()
    expect(checkEvents(events)).toEqual([])
    return { events, history: sketch(agent.messages) }
  }
  return { agent, model, speech, started, running, finish }
}

describe('while the model still speaks', () => {
  it('a call that is complete, reads and is safe begins; its result is stored in its place', async () => {
    const { speech, started, finish } = await begin()
    await speech.call(0, 'look', { at: 1 })
    expect(started).toEqual([1])
    await speech.call(1, 'look', { at: 2 })
    expect(started).toEqual([1, 2])
    const { events, history } = await finish()
    expect(history).toEqual([
      'user: "go"',
      'assistant: look#call_1 {"at":1} look#call_2 {"at":2}',
      'user: call_1 success "seen 1" call_2 success "seen 2"',
      'assistant: "[no content]"',
    ])
    expect(events.flatMap((event) => (event.type === 'tool_start' ? [[event.callId, event.early]] : []))).toEqual([
      ['call_1', true],
      ['call_2', true],
    ])
    expect(events.flatMap((event) => (event.type === 'tool_end' ? [[event.callId, event.discarded]] : []))).toEqual([
      ['call_1', false],
      ['call_2', false],
    ])
  })

  it('the end of a call is told when its message is stored, for only then it counts', async () => {
    const { speech, running, finish } = await begin()
    await speech.call(0, 'look', { at: 1 })
    running.get(1)!.resolve('seen 1')
    await speech.call(1, 'write', { at: 2 })
    const { events } = await finish()
    const kinds = events.map(({ type }) => type).filter((type) => type.startsWith('tool_') && !type.startsWith('tool_input'))
    expect(kinds).toEqual(['tool_start', 'tool_end', 'tool_start', 'tool_end'])
    expect(events.findIndex(({ type }) => type === 'tool_end')).toBeGreaterThan(events.findIndex(({ type }) => type === 'message_end'))
  })

  it('nothing begins that changes something, nor what stands behind an unsafe call', async () => {
    const { speech, started, finish } = await begin()
    await speech.call(0, 'note', { at: 1 })
    await speech.call(1, 'look', { at: 2 })
    await speech.call(2, 'write', { at: 3 })
    await speech.call(3, 'look', { at: 4 })
    // A safe call that changes something waits for the whole message; the reader behind it may go on beside it.
    expect(started).toEqual([2])
    await finish()
    expect(started).toEqual([2, 1, 3, 4])
  })

  it('calls of one key go one after the other, within the cap', async () => {
    const { speech, started, running, finish } = await begin({ maxConcurrency: 2 })
    await speech.call(0, 'peek', { at: 2 })
    await speech.call(1, 'peek', { at: 4 })
    await speech.call(2, 'look', { at: 1 })
    await speech.call(3, 'look', { at: 3 })
    expect(started).toEqual([2, 1])
    running.get(2)!.resolve('seen')
    await speech.say({ type: 'block_delta', index: 9, delta: { type: 'text', text: 'and' } })
    expect(started).toEqual([2, 1, 4])
    await finish()
    expect(started).toEqual([2, 1, 4, 3])
  })

  it('a call waits for those in front of it that are still being written', async () => {
    const { speech, started, finish } = await begin()
    await speech.say(
      { type: 'block_start', index: 0, block: { type: 'tool_use', name: 'write' } },
      { type: 'block_delta', index: 0, delta: { type: 'tool_input', text: '{"at":' } },
    )
    await speech.call(1, 'look', { at: 2 })
    expect(started).toEqual([])
    await speech.say({ type: 'block_delta', index: 0, delta: { type: 'tool_input', text: '1}' } }, { type: 'block_stop', index: 0 })
    await finish()
    expect(started).toEqual([1, 2])
  })

  it('a call without a tool, or with an input that is none, has its error at once', async () => {
    const { speech, finish } = await begin()
    await speech.call(0, 'nothing', { at: 1 })
    await speech.call(1, 'look', { at: 'x' })
    const { history, events } = await finish()
    expect(history[2]).toMatch(/^user: call_1 error\/not_found .* call_2 error\/invalid_input /)
    expect(events.flatMap((event) => (event.type === 'tool_start' ? [event.early] : []))).toEqual([true, true])
  })
})

describe('no call begins early', () => {
  it.each<[string, Partial<AgentOptions>]>([
    ['with the strategy `concurrent`', { strategy: concurrent }],
    ['with the strategy `sequential`', { strategy: sequential }],
    ['with steps that are numbered as they start', { steps: { ...directSteps, concurrency: 'start_order' } }],
    ['with steps that run alone', { steps: { ...directSteps, concurrency: 'none' } }],
    [
      'where a gate does not say that it is sure',
      { plugins: [{ name: 'g', setup: (a) => void a.guard({ name: 'g', judge: () => ({ decision: 'allow' }) }) }] },
    ],
    [
      'where a gate throws when it is asked so',
      {
        plugins: [
          {
            name: 'g',
            setup: (a) =>
              void a.guard({ name: 'g', judge: () => ({ decision: 'allow' }), allowsEarly: () => Promise.reject(new Error('no')) }),
          },
        ],
      },
    ],
    ['with a beforeTools hook', { plugins: [{ name: 'h', setup: (a) => void a.on('beforeTools', () => {}) }] }],
  ])('%s', async (_why, options) => {
    const { speech, started, finish } = await begin(options)
    await speech.call(0, 'look', { at: 1 })
    expect(started).toEqual([])
    await finish()
    expect(started).toEqual([1])
  })
})

describe('a gate', () => {
  it('that is sure lets it begin, and judges it all the same', async () => {
    const judged: string[] = []
    const { speech, started, finish } = await begin({
      plugins: [
        permissions(),
        {
          name: 'g',
          setup: (a) =>
            void a.guard({
              name: 'g',
              judge: ({ toolUse }) => (judged.push(toolUse.id), { decision: 'allow' }),
              allowsEarly: ({ flags }) => flags.readOnly,
            }),
        },
      ],
    })
    await speech.call(0, 'look', { at: 1 })
    expect([started, judged]).toEqual([[1], ['call_1']])
    await finish()
  })
})

describe('beforeToolCall', () => {
  it('runs once, when the call begins, and knows that it is early', async () => {
    const seen: (readonly [string, boolean])[] = []
    const { speech, finish } = await begin(
      {},
      (agent) => void agent.on('beforeToolCall', ({ toolUse, early }) => void seen.push([toolUse.id, early])),
    )
    await speech.call(0, 'look', { at: 1 })
    await speech.call(1, 'write', { at: 2 })
    expect(seen).toEqual([['call_1', true]])
    await finish()
    expect(seen).toEqual([
      ['call_1', true],
      ['call_2', false],
    ])
  })

  it('a cancel by it is the call’s result when the message is there', async () => {
    const { speech, started, finish } = await begin(
      {},
      (agent) => void agent.on('beforeToolCall', (event) => void (event.cancel = 'Not today.')),
    )
    await speech.call(0, 'look', { at: 1 })
    const { history } = await finish()
    expect([started, history[2]]).toEqual([[], 'user: call_1 error/denied "Not today."'])
  })

  it('a call that it makes another waits for the whole message, and hooks do not see it twice', async () => {
    let count = 0
    const { speech, started, finish } = await begin(
      {},
      (agent) =>
        void agent.on('beforeToolCall', (event) => {
          count++
          event.tool = agent.tools.get('write')
        }),
    )
    await speech.call(0, 'look', { at: 1 })
    expect([started, count]).toEqual([[], 1])
    await finish()
    expect([started, count]).toEqual([[1], 1])
  })
})
