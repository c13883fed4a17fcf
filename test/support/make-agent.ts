import { Agent } from '../../src/agent/agent.ts'
import type { AgentOptions } from '../../src/agent/agent-options.ts'
import type { ScriptedModel, ScriptStep } from '../../src/testing/scripted-model.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import type { FakeClock } from '../../src/testing/fake-clock.ts'
import { fakeClock } from '../../src/testing/fake-clock.ts'

export type Made = { readonly agent: Agent; readonly model: ScriptedModel; readonly clock: FakeClock }

/** An agent that runs the script, with ids and a clock that a test can write down. It retries nothing by itself. */
export function makeAgent(steps: readonly ScriptStep[], options: Partial<AgentOptions> = {}): Made {
  const model = scriptedModel(...steps)
  const clock = fakeClock(1000)
  return { agent: new Agent({ model, clock, ids: countingIds(), retry: false, ...options }), model, clock }
}
