import { Agent } from '../../src/agent/agent.ts'
import type { AgentEvent } from '../../src/agent/events.ts'
import type { AgentResult } from '../../src/agent/result.ts'
import type { AgentError } from '../../src/errors.ts'
import type { HookName } from '../../src/hooks/hooks.ts'
import type { InterruptResponse } from '../../src/interrupts/interrupt.ts'
import { answer } from '../../src/interrupts/interrupt.ts'
import type { AgentInput } from '../../src/messages/from-input.ts'
import type { Model, ModelRequest } from '../../src/models/model.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import type { ScriptedAnswer } from '../../src/testing/scripted-model.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import { tick } from '../../src/util/clock.ts'
import { autoClock } from './auto-clock.ts'
import type { Mishap } from './instrumented-run.ts'
import { nextPrompt } from './invariant.ts'
import { look, toolNamed, write } from './tools.ts'

/** How a run goes on from where it stopped: in the same agent by answers alone, or from its state as JSON. */
export type Way = 'by answers' | 'by state'

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
  let points = 0
  let at: string | undefined
  let leaving = false
  let armed = true
  const requests: ModelRequest[] = []
  const events: AgentEvent[][] = []
  const done = new Map<string, number>()
  const tooLate: string[] = []

  const point = async (kind: string): Promise<void> => {
    if (!armed || points++ !== n) return
    at = kind
    if (mishap === 'throws') throw new Error('mishap')
    if (mishap === 'leaves') leaving = true
    if (mishap === 'cancels') agent.cancel('mishap')
    if (mishap !== 'hangs') return
    void tick().then(() => agent.cancel('mishap'))
    await new Promise(() => {})
  }
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
      const asked = request.messages.at(-1)?.content.at(-1)
      const isNext = asked?.type === 'text' && asked.text === nextPrompt
      await point('model')
      yield* eventsOf(isNext ? { text: 'The next answer.' } : script[request.messages.filter(({ role }) => role === 'assistant').length]!)
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
    if (armed && requests.length === 0) event.interrupt({ name: 'ask the model' })
  })
  agent.on('beforeTools', async (event) => {
    await point('hook beforeTools')
    if (armed && event.calls.length === 3) event.interrupt({ name: 'use tools' })
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
    const read = async (): Promise<void> => {
      for await (const { type } of stream) {
        if (leaving) break
        await point(`reader ${type}`)
        if (leaving) break
      }
    }
    void read().catch(() => {})
    return tick().then(() => stream.result)
  }
  const toTheEnd = async (): Promise<readonly string[]> => {
    const stops: string[] = []
    let input: AgentInput = 'go'
    for (let runs = 0; runs < 30; runs++) {
      const result: AgentResult | string = await once(input).catch((error: AgentError) => error.code)
      stops.push(typeof result === 'string' ? result : result.stopReason)
      if (typeof result === 'string' || !result.checkpoint) break
      const responses: readonly InterruptResponse[] = result.interrupts.map((interrupt) => answer(interrupt, true))
      const checkpoint = JSON.parse(JSON.stringify(result.checkpoint)) as typeof result.checkpoint
      if (way === 'by state') input = { type: 'resume', checkpoint, responses }
      else input = responses.length > 0 ? responses : undefined
    }
    armed = false
    return stops
  }
  return {
    agent,
    requests,
    ended: toTheEnd(),
    events,
    done,
    tooLate,
    get points() {
      return points
    },
    get at() {
      return at
    },
  }
}
