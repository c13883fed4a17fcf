import type { Agent } from '../../src/agent/agent.ts'
import type { AgentEvent } from '../../src/agent/events.ts'
import type { InvokeOptions } from '../../src/agent/invoke-options.ts'
import type { AgentResult } from '../../src/agent/result.ts'
import type { AgentError } from '../../src/errors.ts'
import type { AgentInput } from '../../src/messages/from-input.ts'

export type Ended = {
  readonly result: AgentResult | undefined
  readonly error: AgentError | undefined
  /** What was told; `undefined` at a door where nobody listens. */
  readonly events: readonly AgentEvent[] | undefined
}

export type FrontDoor = (agent: Agent, input?: AgentInput, options?: InvokeOptions) => Promise<Ended>

const outcomeOf = async (promise: Promise<AgentResult>): Promise<Pick<Ended, 'result' | 'error'>> =>
  promise.then(
    (result) => ({ result, error: undefined }),
    (error: AgentError) => ({ result: undefined, error }),
  )

/** The three ways into a run. They must come out alike. */
export const frontDoors: Readonly<Record<string, FrontDoor>> = {
  invoke: async (agent, input, options) => ({ ...(await outcomeOf(agent.invoke(input, options))), events: undefined }),
  'stream, iterated': async (agent, input, options) => {
    const events: AgentEvent[] = []
    const stream = agent.stream(input, options)
    let thrown: unknown
    try {
      for await (const event of stream) events.push(event)
    } catch (error) {
      thrown = error
    }
    const outcome = await outcomeOf(stream.result)
    if (thrown !== outcome.error)
      throw new Error(`The iterator threw ${String(thrown)}, the result is ${String(outcome.error ?? 'no error')}.`)
    return { ...outcome, events }
  },
  'stream.result alone': async (agent, input, options) => ({
    ...(await outcomeOf(agent.stream(input, options).result)),
    events: undefined,
  }),
  'invoke, with onEvent': async (agent, input, options) => {
    const events: AgentEvent[] = []
    const outcome = await outcomeOf(
      agent.invoke(input, {
        ...options,
        onEvent: async (event) => {
          events.push(event)
          await options?.onEvent?.(event)
        },
      }),
    )
    return { ...outcome, events }
  },
}
