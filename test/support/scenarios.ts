import { describe, expect, it } from 'vitest'
import type { AgentOptions } from '../../src/agent/agent-options.ts'
import type { InvokeOptions } from '../../src/agent/invoke-options.ts'
import type { AgentInput } from '../../src/messages/from-input.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import { frontDoors } from './front-doors.ts'
import { holdsInvariant } from './invariant.ts'
import { makeAgent } from './make-agent.ts'
import { sketch } from './sketch.ts'
import { look, toolNamed, write } from './tools.ts'
import { refuseUnhandled } from './unhandled.ts'

/** One way in which a run may go, and what must come of it. */
export type Scenario = {
  readonly name: string
  readonly steps: readonly ScriptStep[]
  readonly options?: Partial<AgentOptions>
  readonly input?: AgentInput
  readonly invoke?: InvokeOptions
  /** The stop reason, or the code of the error. */
  readonly ends: string
  readonly text?: string
  readonly history: readonly string[]
  /** Model calls; as many as there are steps unless given. */
  readonly requests?: number
}

const tools = [
  look(),
  write(),
  toolNamed('breaks', () => {
    throw new RangeError('out of reach')
  }),
  toolNamed('stop', ({ at }, { endTurn }) => {
    endTurn(at === 1 ? 'Enough.' : undefined)
    return 'stopped'
  }),
]

/** Tries each scenario at every front door. */
export function tryScenarios(scenarios: readonly Scenario[]): void {
  refuseUnhandled()

  describe.each(Object.entries(frontDoors))('%s', (_door, enter) => {
    it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
      const { steps, ends, text, history, requests = steps.length } = scenario
      const { agent, model } = makeAgent([...steps, { text: 'The next answer.' }], { tools, ...scenario.options })

      const input = 'input' in scenario ? scenario.input : 'go'
      const ended = await enter(agent, input, scenario.invoke)

      expect(ended.result?.stopReason ?? ended.error?.code).toBe(ends)
      expect(sketch(agent.messages)).toEqual(history)
      if (text !== undefined) expect(String(ended.result)).toBe(text)
      if (ended.error) expect(ended.error.partial?.messages).toEqual(agent.messages)
      await holdsInvariant(agent, { requests: model.requests, expected: requests, ...(ended.events && { events: ended.events }) })
      model.assertComplete()
    })
  })
}
