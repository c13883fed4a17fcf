import { Agent } from '../../src/agent/agent.ts'
import type { AgentEvent } from '../../src/agent/events.ts'
import type { AgentResult } from '../../src/agent/result.ts'
import type { HookName } from '../../src/hooks/hooks.ts'
import type { AgentInput } from '../../src/messages/from-input.ts'
import type { Model, ModelRequest } from '../../src/models/model.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import type { ScriptedAnswer } from '../../src/testing/scripted-model.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import { autoClock } from './auto-clock.ts'
import type { Mishap, Way } from './points.ts'
import { answerToTheEnd, isNextPrompt, Points, turnsIn } from './points.ts'
import { look, toolNamed, write } from './tools.ts'

export type AskingEnding = {
  readonly points: number
  readonly at: string | undefined
  readonly agent: Agent
  readonly requests: readonly ModelRequest[]
  /** The stop reasons in order; the code of the error that ended it. */
  readonly ended: Promise<readonly string[]>
  /** What was told, run by run. */
  readonly events: readonly (readonly AgentEvent[])[]
  /** How often the effect of a call was had, by its idempotency key. */
  readonly done: ReadonlyMap<string, number>
  readonly tooLate: readonly string[]
}

const script: readonly ScriptedAnswer[] = [
  { calls: [1, 2, 3].map((at) => ({ name: at === 1 ? 'look' : 'write', input: { at } })) },
  {
    calls: [
      { name: 'pay', input: { at: 4 } },
      { name: 'ask', input: { at: 5 } },
    ],
  },
  { text: 'Done.' },
]

const watched: readonly HookName[] = [
  'beforeInvocation',
  'afterInvocation',
  'messageAdded',
  'afterModelCall',
  'afterTools',
  'afterToolCall',
]

/**
 * A run that stops to ask wherever one can: a tool, a gate's approval, a middleware, hooks; and at checkpoints. It is answered and goes on to its
 * end. Every call of other people's code is counted, and the n-th goes wrong; whoever leaves or cancels answers no more.
 */
export function askingRun(way: Way, checkpointing: boolean, reads: boolean, n: number, mishap: Mishap): AskingEnding {
  const requests: ModelRequest[] = []
  const events: AgentEvent[][] = []
  const done = new Map<string, number>()
  const tooLate: string[] = []

  const points = new Points(n, mishap, { cancel: () => agent.cancel('mishap') })
  const { point } = points
  const begin = (key: string, signal: AbortSignal): void => {
    if (signal.aborted) tooLate.push(key)
  }
  const effect = async (key: string): Promise<string> => {
    await point('tool before its effect')
    done.set(key, (done.get(key) ?? 0) + 1)
    await point('tool behind its effect')
    return 'did it'
  }
  const model: Model = {
    provider: 'instrumented',
    id: 'instrumented',
    async *stream(request, { signal }) {
      if (signal.aborted) tooLate.push('a model call')
      requests.push(request)
      await point('model')
      yield* eventsOf(isNextPrompt(request) ? { text: 'The next answer.' } : script[turnsIn(request)]!)
    },
  }
  const agent: Agent = new Agent({
    model,
    clock: autoClock(),
    ids: countingIds(),
    retry: false,
    plugins: [
      { name: 'plugin', setup: () => (mishap === 'hangs' ? undefined : point('plugin setup')), flush: () => point('plugin flush') },
    ],
    tools: [
      look(async (_, { idempotencyKey, signal }) => {
        begin(idempotencyKey, signal)
        return effect(idempotencyKey)
      }),
      write(async (_, { idempotencyKey, signal }) => {
        begin(idempotencyKey, signal)
        return effect(idempotencyKey)
      }),
      toolNamed(
        'pay',
        async (_, { idempotencyKey, signal }) => {
          begin(idempotencyKey, signal)
          return effect(idempotencyKey)
        },
        { needsApproval: true },
      ),
      toolNamed('ask', async (_, { interrupt, idempotencyKey, signal }) => {
        begin(idempotencyKey, signal)
        await point('tool before it asks')
        interrupt({ name: 'first' })
        interrupt({ name: 'second' })
        return effect(idempotencyKey)
      }),
    ],
  })
  for (const name of watched) agent.on(name, () => point(`hook ${name}`))
  agent.on('beforeModelCall', async (event) => {
    await point('hook beforeModelCall')
    if (points.isArmed && requests.length === 0) event.interrupt({ name: 'ask the model' })
  })
  agent.on('beforeTools', async (event) => {
    await point('hook beforeTools')
    if (points.isArmed && event.calls.length === 3) event.interrupt({ name: 'use tools' })
  })
  agent.on('beforeToolCall', async (event) => {
    await point('hook beforeToolCall')
    if (event.input['at'] === 2) event.interrupt({ name: 'sure' })
  })
  agent.guard({
    name: 'gate',
    asksByInterrupt: true,
    judge: async ({ tool, interrupt }) => {
      await point('gate')
      if (tool.name === 'pay') interrupt({ name: 'how much' })
      return { decision: 'allow' }
    },
  })
  agent.use('tool', async function* (call, next) {
    await point('tool middleware before')
    if (call.input['at'] === 3) call.context.interrupt({ name: 'around' })
    const outcome = yield* next(call)
    await point('tool middleware behind')
    return outcome
  })

  const once = async (input: AgentInput): Promise<AgentResult> => {
    const told: AgentEvent[] = []
    events.push(told)
    const options = { checkpointing, onEvent: (event: AgentEvent): void => void told.push(event) }
    if (!reads) return agent.invoke(input, options)
    const stream = agent.stream(input, options)
    return points.read(stream)
  }
  const ended = answerToTheEnd(once, { way, runs: 30 }).finally(() => (points.isArmed = false))
  return {
    agent,
    requests,
    ended,
    events,
    done,
    tooLate,
    get points() {
      return points.count
    },
    get at() {
      return points.at
    },
  }
}
