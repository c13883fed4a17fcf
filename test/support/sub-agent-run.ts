import { Agent } from '../../src/agent/agent.ts'
import type { AgentEvent } from '../../src/agent/events.ts'
import type { AgentHandle } from '../../src/agent/handle.ts'
import type { AgentResult } from '../../src/agent/result.ts'
import type { AgentInput } from '../../src/messages/from-input.ts'
import type { Model, ModelRequest } from '../../src/models/model.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import type { ScriptedAnswer } from '../../src/testing/scripted-model.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import type { ToolContext } from '../../src/tools/tool.ts'
import { autoClock } from './auto-clock.ts'
import type { Mishap, Way } from './points.ts'
import { answerToTheEnd, isNextPrompt, Points, turnHooks, turnsIn } from './points.ts'
import { look, toolNamed, write } from './tools.ts'

/** What the outer agent does with the inner one: calls it, calls it twice in one turn, or calls one that asks beside one that does not. */
export type Family = 'alone' | 'side by side' | 'asks'

export type FamilyEnding = {
  readonly points: number
  readonly at: string | undefined
  readonly outer: Agent
  /** What the models were asked. */
  readonly requests: { readonly outer: readonly ModelRequest[]; readonly inner: readonly ModelRequest[] }
  /** The stop reasons in order; the code of the error that ended it. */
  readonly ended: Promise<readonly string[]>
  readonly events: readonly (readonly AgentEvent[])[]
  /** How often the effect of a call was had, by its idempotency key. */
  readonly done: ReadonlyMap<string, number>
  readonly tooLate: readonly string[]
  /** The conversations of the inner agent, and the stop reason or error that the last run of each came to. */
  readonly conversations: ReadonlyMap<AgentHandle, string | undefined>
}

const callsOf: { readonly [family in Family]: readonly string[] } = {
  alone: ['look and write'],
  'side by side': ['look and write', 'write and look'],
  asks: ['look and pay', 'pay and look'],
}
/** What the inner agent does, by its prompt. */
const toolsOf = (prompt: string): readonly string[] => prompt.split(' and ')

/**
 * An agent with another one among its tools, and a tool of its own behind it. What the inner one asks is answered, one question at a time, and
 * the run goes on to its end. Every call of other people's code is counted, in both agents, and the n-th goes wrong.
 */
export function subAgentRun(family: Family, way: Way, reads: boolean, n: number, mishap: Mishap): FamilyEnding {
  const requests = { outer: [] as ModelRequest[], inner: [] as ModelRequest[] }
  const events: AgentEvent[][] = []
  const done = new Map<string, number>()
  const tooLate: string[] = []
  const conversations = new Map<AgentHandle, string | undefined>()

  const points = new Points(n, mishap, { cancel: () => outer.cancel('mishap') })
  const { point } = points
  const effect = async (_: unknown, { idempotencyKey, signal }: ToolContext): Promise<string> => {
    if (signal.aborted) tooLate.push(idempotencyKey)
    await point('tool before its effect')
    done.set(idempotencyKey, (done.get(idempotencyKey) ?? 0) + 1)
    await point('tool behind its effect')
    return 'did it'
  }
  const modelOf = (who: 'outer' | 'inner', next: (request: ModelRequest, turn: number) => ScriptedAnswer): Model => ({
    provider: who,
    id: who,
    async *stream(request, { signal }) {
      if (signal.aborted) tooLate.push(`a model call of the ${who} agent`)
      requests[who].push(request)
      await point(`${who} model`)
      yield* eventsOf(next(request, turnsIn(request)))
      await point(`${who} model behind its answer`)
    },
  })
  const common = { clock: autoClock(), retry: false } as const
  const instrument = (agent: Agent, who: 'outer' | 'inner'): void => {
    for (const name of turnHooks) agent.on(name, () => point(`${who} hook ${name}`))
    agent.guard({
      name: `${who} gate`,
      judge: async () => {
        await point(`${who} gate`)
        return { decision: 'allow' }
      },
    })
    agent.use('tool', async function* (call, next) {
      await point(`${who} tool middleware before`)
      const outcome = yield* next(call)
      await point(`${who} tool middleware behind`)
      return outcome
    })
  }

  const ids = countingIds()
  const inner = new Agent({
    ...common,
    name: 'inner',
    // Told apart from those of the outer one.
    ids: { next: (kind) => `inner_${ids.next(kind)}` },
    model: modelOf('inner', ({ messages }, turn) => {
      const [first] = messages[0]!.content
      const names = toolsOf(first?.type === 'text' ? first.text : '')
      return turn === 0 ? { text: 'So.', calls: names.map((name, index) => ({ name, input: { at: index + 1 } })) } : { text: 'Inner done.' }
    }),
    tools: [look(effect), write(effect), toolNamed('pay', effect, { needsApproval: true })],
    plugins: [{ name: 'inner plugin', setup: () => {}, flush: () => point('inner plugin flush') }],
  })
  // Before the hooks that may throw: a conversation counts from its first breath.
  inner.on('beforeInvocation', ({ agent }) => void conversations.set(agent, undefined), { order: -1 })
  inner.on('afterInvocation', ({ agent, result, error }) => void conversations.set(agent, error?.code ?? result?.stopReason), { order: 1 })
  instrument(inner, 'inner')
  const outer: Agent = new Agent({
    ...common,
    name: 'outer',
    ids: countingIds(),
    model: modelOf('outer', (request, turn) => {
      if (isNextPrompt(request)) return { text: 'The next answer.' }
      if (turn === 0) return { calls: callsOf[family].map((input) => ({ name: 'inner', input: { input } })) }
      return turn === 1 ? { calls: [{ name: 'write', input: { at: 9 } }] } : { text: 'Done.' }
    }),
    tools: [inner, write(effect)],
  })
  instrument(outer, 'outer')

  const once = async (input: AgentInput): Promise<AgentResult> => {
    const told: AgentEvent[] = []
    events.push(told)
    const onEvent = (event: AgentEvent): void => void told.push(event)
    if (!reads) return outer.invoke(input, { onEvent })
    const stream = outer.stream(input, { onEvent })
    return points.read(stream, (event) => (event.type === 'agent_event' ? `reader inner ${event.event.type}` : `reader ${event.type}`))
  }
  // One question at a time.
  const ended = answerToTheEnd(once, { way, runs: 10, atOnce: 1 }).finally(() => (points.isArmed = false))
  return {
    outer,
    requests,
    ended,
    events,
    done,
    tooLate,
    conversations,
    get points() {
      return points.count
    },
    get at() {
      return points.at
    },
  }
}
