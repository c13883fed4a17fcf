import { describe, expect, it } from 'vitest'
import type { Agent } from '../../src/agent/agent.ts'
import type { Model } from '../../src/models/model.ts'
import { collect } from '../../src/testing/collect.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import type { ScriptedAnswer } from '../../src/testing/scripted-model.ts'
import type { Step, StepRunner } from '../../src/tools/steps.ts'
import { concurrent } from '../../src/tools/strategies.ts'
import { tick } from '../../src/util/clock.ts'
import type { Ids } from '../../src/util/ids.ts'
import type { JsonValue } from '../../src/util/json.ts'
import { autoClock } from '../support/auto-clock.ts'
import { holdsInvariant, nextPrompt } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { settlesWithin } from '../support/settles.ts'
import { sketch, typesOf } from '../support/sketch.ts'
import { look, toolNamed, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const answers: readonly ScriptedAnswer[] = [
  {
    reasoning: 'Hm.',
    text: 'Look.',
    calls: [
      { name: 'look', input: { at: 1 }, id: 'x1' },
      { name: 'breaks', input: { at: 2 } },
    ],
  },
  { calls: [{ name: 'write', input: { at: 3 } }] },
  { text: 'Done.' },
]

type Recorder = StepRunner & { readonly journal: Map<string, string>; readonly steps: Step[] }

/** Writes down what each step gives, as text, and gives that when the step comes again. After `crashAfter` new records nothing comes back. */
function recorder(journal = new Map<string, string>(), crashAfter = Infinity): Recorder {
  const steps: Step[] = []
  return {
    journal,
    steps,
    // A journal: what began before its model call was recorded would be done again.
    concurrency: 'start_order',
    async run<T extends JsonValue>(step: Step, fn: () => Promise<T>): Promise<T> {
      steps.push(step)
      const known = journal.get(step.name)
      if (known !== undefined) return JSON.parse(known) as T
      if (journal.size >= crashAfter) return new Promise(() => {})
      const value = await fn()
      journal.set(step.name, JSON.stringify(value))
      return value
    },
  }
}

/** An agent that always does the same, and what it did. */
function recorded(process = 1): {
  readonly agent: Agent
  readonly ran: number[]
  readonly asked: number[]
  readonly requests: Parameters<Model['stream']>[0][]
} {
  const ran: number[] = []
  const asked: number[] = []
  const requests: Parameters<Model['stream']>[0][] = []
  const model: Model = {
    provider: 'scripted',
    id: 'scripted',
    async *stream(request) {
      requests.push(request)
      const last = request.messages.at(-1)?.content.at(-1)
      const turn = request.messages.filter(({ role }) => role === 'assistant').length
      if (last?.type !== 'text' || last.text !== nextPrompt) asked.push(turn)
      yield* eventsOf(answers[turn] ?? { text: 'The next answer.' })
    },
  }
  const tools = [
    look(({ at }) => (ran.push(at), `seen ${at}`)),
    write(({ at }) => (ran.push(at), { status: 'success', content: `written ${at}`, structuredContent: { at } })),
    toolNamed('breaks', ({ at }) => {
      ran.push(at)
      throw new Error('no')
    }),
  ]
  return { ...makeAgent([], { model, tools, ids: idsOf(process) }), ran, asked, requests }
}

/** Ids count anew in each process, as they may in life. */
function idsOf(process: number): Ids {
  const ids = countingIds()
  return process === 1 ? ids : { next: (kind) => `${ids.next(kind)}_of_${process}` }
}

/** The history with its calls named in order. */
function sketchRenamed({ messages }: Agent): readonly string[] {
  const names = new Map<string, string>()
  return sketch(messages).map((line) =>
    line.replaceAll(/call_\w+/g, (id) => names.get(id) ?? (names.set(id, `call ${names.size + 1}`), names.get(id)!)),
  )
}

describe('all that a run does passes its steps', () => {
  it('by names that are the same each time, with a key for each call', async () => {
    const steps = recorder()
    const { agent } = recorded()
    await agent.invoke('go', { steps })
    expect(steps.steps).toEqual([
      // What it answers has words: they tell it from another run's.
      { name: 'model:1', kind: 'model', idempotencyKey: 'conv_1:model:1', fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) as string },
      { name: 'tool:call_1', kind: 'tool', idempotencyKey: 'conv_1:call_1' },
      { name: 'tool:call_2', kind: 'tool', idempotencyKey: 'conv_1:call_2' },
      { name: 'model:3', kind: 'model', idempotencyKey: 'conv_1:model:3' },
      { name: 'tool:call_3', kind: 'tool', idempotencyKey: 'conv_1:call_3' },
      { name: 'model:5', kind: 'model', idempotencyKey: 'conv_1:model:5' },
    ])
    expect([...steps.journal.keys()]).toEqual(steps.steps.map(({ name }) => name))
  })

  it('an attempt in the place of one that failed has its name; a repeated call is a step of its own, and keeps its key', async () => {
    const steps = recorder()
    const keys: string[] = []
    const { agent, model } = makeAgent(
      [{ error: new Error('busy') }, { text: 'Not this.' }, { calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Done.' }],
      {
        steps,
        tools: [look((_input, { idempotencyKey }) => keys.push(idempotencyKey))],
      },
    )
    agent.on('afterModelCall', (event) => {
      if (event.error || event.message?.content[0]?.type === 'text')
        event.retry = event.turn === 1 ? { delayMs: 0, reason: 'again' } : undefined
    })
    let retries = 0
    agent.on('afterToolCall', (event) => void (event.retry = ++retries === 1))
    await agent.invoke('go')
    expect(steps.steps.map(({ name, idempotencyKey }) => [name, idempotencyKey])).toEqual([
      ['model:1', 'conv_1:model:1'],
      ['model:1', 'conv_1:model:1'],
      // An answer that a hook did not want is a record.
      ['model:1:2', 'conv_1:model:1:2'],
      ['tool:call_1', 'conv_1:call_1'],
      ['tool:call_1:2', 'conv_1:call_1'],
      ['model:3', 'conv_1:model:3'],
    ])
    expect(keys).toEqual(['conv_1:call_1', 'conv_1:call_1'])
    expect(model.requests.length).toBe(4)
  })

  it('given for the call go before those of the agent', async () => {
    const [ofAgent, ofCall] = [recorder(), recorder()]
    const { agent } = makeAgent([{ text: 'One.' }, { text: 'Two.' }], { steps: ofAgent })
    await agent.invoke('go', { steps: ofCall })
    expect([ofAgent.steps.length, ofCall.steps.length]).toEqual([0, 1])
    await agent.invoke('go')
    expect([ofAgent.steps.length, ofCall.steps.length]).toEqual([1, 1])
  })
})

describe('a replay', () => {
  it('comes to the same history and result without asking the model or running a tool', async () => {
    const steps = recorder()
    const first = recorded()
    const before = await first.agent.invoke('go', { steps })
    const again = recorded()
    const after = await again.agent.invoke('go', { steps: recorder(steps.journal) })
    expect([again.asked, again.ran]).toEqual([[], []])
    expect(again.agent.messages).toEqual(first.agent.messages)
    expect(JSON.stringify(after)).toBe(JSON.stringify(before))
    await holdsInvariant(again.agent, { requests: again.requests, expected: 0 })
  })

  it.each(['That is it.', undefined])('ends where a tool had ended the turn (%s)', async (said) => {
    const script = [{ calls: [{ name: 'ends', input: { at: 1 } }] }]
    const tools = [toolNamed('ends', (_, { endTurn }) => (endTurn(said), 'ended'))]
    const steps = recorder()
    const first = makeAgent(script, { tools })
    await first.agent.invoke('go', { steps })
    const again = makeAgent([], { tools })
    expect((await again.agent.invoke('go', { steps: recorder(steps.journal) })).text).toBe(said ?? 'The turn was ended after the tools.')
    expect(again.agent.messages).toEqual(first.agent.messages)
  })

  it('of a process that died runs what is not done, and that once, wherever it died', async () => {
    const whole = recorded()
    await whole.agent.invoke('go')
    const deaths: string[] = []
    for (let n = 0; n < 6; n++) {
      const journal = new Map<string, string>()
      const dying = recorder(journal, n)
      const before = recorded()
      void before.agent.invoke('go', { steps: dying })
      for (let i = 0; i < 10; i++) await tick()
      expect(journal.size).toBe(n)
      deaths.push(dying.steps.at(-1)!.name)

      const after = recorded(2)
      await after.agent.invoke('go', { steps: recorder(journal) })
      expect(sketchRenamed(after.agent)).toEqual(sketchRenamed(whole.agent))
      expect([...before.ran, ...after.ran]).toEqual([1, 2, 3])
      expect([...before.asked, ...after.asked]).toEqual([0, 1, 2])
      await holdsInvariant(after.agent, { requests: after.requests })
    }
    expect(deaths).toEqual(['model:1', 'tool:call_1', 'tool:call_2', 'model:3', 'tool:call_3', 'model:5'])
  })

  it('runs hooks and gates again, and tells events that keep the grammar', async () => {
    const steps = recorder()
    await recorded().agent.invoke('go', { steps })
    const again = recorded()
    const seen: string[] = []
    again.agent.on('beforeToolCall', ({ toolUse }) => void seen.push(`hook ${toolUse.id}`))
    again.agent.guard({ name: 'gate', judge: ({ toolUse }) => (seen.push(`gate ${toolUse.id}`), { decision: 'allow' }) })
    const { events } = await collect(again.agent.stream('go', { steps: recorder(steps.journal) }))
    expect(seen.sort()).toEqual(['gate call_1', 'gate call_2', 'gate call_3', 'hook call_1', 'hook call_2', 'hook call_3'])
    expect(typesOf(events).filter((type) => type.includes('delta'))).toEqual([])
    await holdsInvariant(again.agent, { requests: again.requests, expected: 0, events })
  })
})

describe('an engine', () => {
  it('that takes one step at a time makes calls sequential, whatever the strategy', async () => {
    let open = 0
    let worst = 0
    const { agent } = makeAgent([{ calls: [1, 2, 3].map((at) => ({ name: 'look', input: { at } })) }, { text: 'Done.' }], {
      strategy: concurrent,
      steps: { concurrency: 'none', run: (_step, fn) => fn() },
      tools: [
        look(async () => {
          worst = Math.max(worst, ++open)
          await tick()
          open--
          return 'seen'
        }),
      ],
    })
    await agent.invoke('go')
    expect(worst).toBe(1)
  })

  it.each(['model', 'tool'] as const)('that hangs before a %s step does not hold a cancelled run', async (which) => {
    const { agent, model } = makeAgent(
      [{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'The next answer.' }].slice(which === 'model' ? 1 : 0),
      {
        clock: autoClock(),
        tools: [look()],
        steps: { concurrency: 'any_order', run: ({ kind }, fn) => (kind === which && hang ? new Promise(() => {}) : fn()) },
      },
    )
    let hang = true
    const run = agent.invoke('go')
    await tick()
    agent.cancel('stop it')
    const settled = await settlesWithin(run, 10, 'the run')
    hang = false
    expect(settled).toMatchObject({ status: 'fulfilled', value: { stopReason: 'cancelled' } })
    if (which === 'tool') expect(sketch(agent.messages)[2]).toBe('user: call_1 error/cancelled "The call was cancelled."')
    await holdsInvariant(agent, { requests: model.requests, expected: which === 'model' ? 0 : 1 })
  })

  it('that comes too late to a model step, when the run is cancelled, asks nothing', async () => {
    const { agent, model } = makeAgent([{ text: 'The next answer.' }])
    const steps: StepRunner = {
      concurrency: 'any_order',
      run: async (_step, fn) => {
        agent.cancel('stop it')
        return fn()
      },
    }
    expect((await agent.invoke('go', { steps })).stopReason).toBe('cancelled')
    await holdsInvariant(agent, { requests: model.requests, expected: 0 })
  })

  it('is not called any more when the run is cancelled at the start of a message', async () => {
    const steps = recorder()
    const { agent, model } = makeAgent([{ text: 'The next answer.' }])
    const { result, events } = await collect(
      agent.stream('go', {
        steps,
        onEvent: ({ type }) => {
          if (type === 'message_start') agent.cancel('stop it')
        },
      }),
    )
    expect([result?.stopReason, result?.metrics.modelCalls, steps.steps]).toEqual(['cancelled', 0, []])
    await holdsInvariant(agent, { requests: model.requests, expected: 0, events })
  })

  it('that comes too late, when the run is cancelled, runs nothing', async () => {
    let ran = 0
    const { agent, model } = makeAgent([{ calls: [{ name: 'write', input: { at: 1 } }] }, { text: 'The next answer.' }], {
      tools: [write(() => ++ran)],
      steps: {
        concurrency: 'any_order',
        run: async ({ kind }, fn) => {
          if (kind === 'tool') agent.cancel('stop it')
          return fn()
        },
      },
    })
    await agent.invoke('go')
    expect(ran).toBe(0)
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error/cancelled "The call was cancelled."')
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })
})
