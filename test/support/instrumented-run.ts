import { Agent } from '../../src/agent/agent.ts'
import type { AgentEvent } from '../../src/agent/events.ts'
import type { AgentResult } from '../../src/agent/result.ts'
import type { Model, ModelRequest } from '../../src/models/model.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import type { ScriptedAnswer } from '../../src/testing/scripted-model.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import type { StepRunner } from '../../src/tools/steps.ts'
import type { Tool, ToolContext } from '../../src/tools/tool.ts'
import { autoClock } from './auto-clock.ts'
import type { Mishap } from './points.ts'
import { isNextPrompt, Points, turnHooks, turnsIn } from './points.ts'
import type { AtInput } from './tools.ts'
import { look, toolNamed, write } from './tools.ts'

/** How the run is entered: by `invoke` with nobody listening, with a slow `onEvent`, or by a stream with a slow reader. */
export type Door = 'silent' | 'listener' | 'reader'

export type Ending = {
  /** How many points the run came to. */
  readonly points: number
  /** Where the mishap happened, for example `hook beforeTools`; `undefined` when the run did not come so far. */
  readonly at: string | undefined
  readonly agent: Agent
  readonly requests: readonly ModelRequest[]
  /** Model calls at the moment of the mishap. */
  readonly requestsThen: number
  readonly result: Promise<AgentResult>
  /** All that was told, whether or not the reader has left. */
  readonly events: readonly AgentEvent[]
  /** Tool runs that were begun, and those that were ended, by call id. */
  readonly begun: ReadonlyMap<string, number>
  readonly done: ReadonlyMap<string, number>
  /** What was started although the run was over. */
  readonly tooLate: readonly string[]
}

const script: readonly ScriptedAnswer[] = [
  { text: 'First.', calls: [1, 2].map((at) => ({ name: 'look', input: { at } })) },
  {
    calls: [
      { name: 'write', input: { at: 3 } },
      { name: 'look', input: { at: 4 } },
    ],
  },
  { reasoning: 'Hm.', calls: [{ name: 'walk', input: { at: 5 } }] },
  { text: 'Done.' },
]

/**
 * A run with three tool turns in which every call of other people's code is counted, and the n-th goes wrong. With `n` beyond
 * the last nothing does, and `points` says how many there are.
 */
export function instrumentedRun(door: Door, n: number, mishap: Mishap): Ending {
  let requestsThen = 0
  const requests: ModelRequest[] = []
  const events: AgentEvent[] = []
  const begun = new Map<string, number>()
  const done = new Map<string, number>()
  const tooLate: string[] = []
  const count = (counts: Map<string, number>, id: string): void => void counts.set(id, (counts.get(id) ?? 0) + 1)

  const points = new Points(n, mishap, {
    cancel: () => agent.cancel('mishap'),
    onMishap: () => void (requestsThen = requests.length),
  })
  const { point } = points

  const model: Model = {
    provider: 'instrumented',
    id: 'instrumented',
    async *stream(request, { signal }) {
      if (signal.aborted) tooLate.push('a model call')
      requests.push(request)
      const answer = isNextPrompt(request) ? { text: 'The next answer.' } : script[turnsIn(request)]!
      for (const event of eventsOf(answer)) {
        await point(`model ${event.type}`)
        yield event
      }
    },
  }
  const begin = async ({ toolUse, signal }: ToolContext): Promise<void> => {
    if (signal.aborted) tooLate.push(`the tool ${toolUse.name}`)
    count(begun, toolUse.id)
    await point('tool begins')
  }
  const end = async (input: AtInput, { toolUse }: ToolContext): Promise<string> => {
    await point('tool ends')
    count(done, toolUse.id)
    return `did ${input.at}`
  }
  const steps: StepRunner = {
    concurrency: 'any_order',
    async run({ kind }, fn) {
      await point(`steps before ${kind}`)
      const value = await fn()
      await point(`steps after ${kind}`)
      return value
    },
  }
  // As one is whose check asks somebody, and whose flags do.
  const checked = (tool: Tool<AtInput>): Tool<AtInput> => ({
    ...tool,
    name: tool.name,
    validate: async (input) => {
      await point('check of the input')
      return { value: input as AtInput }
    },
    isReadOnly: async () => {
      await point('flag')
      return tool.isReadOnly === true
    },
  })
  const agent: Agent = new Agent({
    model,
    steps,
    clock: autoClock(),
    ids: countingIds(),
    retry: false,
    tools: [
      look(async (input, context) => {
        await begin(context)
        return end(input, context)
      }),
      write(async (input, context) => {
        await begin(context)
        await context.progress('half')
        return end(input, context)
      }),
      toolNamed('walk', async function* (input, context) {
        await begin(context)
        yield 'setting out'
        await point('tool between progress')
        yield 'half way'
        return await end(input, context)
      }),
    ].map(checked),
  })
  for (const name of turnHooks) agent.on(name, () => point(`hook ${name}`))
  agent.guard({
    name: 'gate',
    judge: async () => {
      await point('gate')
      return { decision: 'allow' }
    },
  })
  agent.use('model', async function* (request, next) {
    await point('model middleware before')
    yield* next(request)
    await point('model middleware after')
  })
  agent.use('tool', async function* (call, next) {
    await point('tool middleware before')
    const outcome = yield* next(call)
    await point('tool middleware after')
    return outcome
  })

  const listen = async (event: AgentEvent): Promise<void> => {
    events.push(event)
    if (door === 'listener') await point(`listener ${event.type}`)
  }
  const enter = (): Promise<AgentResult> => {
    if (door === 'silent') return agent.invoke('go')
    if (door === 'listener') return agent.invoke('go', { onEvent: listen })
    const stream = agent.stream('go', { onEvent: (event) => void events.push(event) })
    return points.read(stream)
  }
  const result = enter().finally(() => (points.isArmed = false))
  result.catch(() => {})
  return {
    agent,
    requests,
    result,
    events,
    begun,
    done,
    tooLate,
    get points() {
      return points.count
    },
    get at() {
      return points.at
    },
    get requestsThen() {
      return requestsThen
    },
  }
}
