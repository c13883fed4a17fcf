import type { AgentOptions } from '../../../src/agent/agent-options.ts'
import type { Plugin } from '../../../src/hooks/hooks.ts'
import { telemetry } from '../../../src/telemetry/index.ts'
import type { TelemetryOptions } from '../../../src/telemetry/index.ts'
import type { ScriptStep } from '../../../src/testing/scripted-model.ts'
import type { ToolContext } from '../../../src/tools/tool.ts'
import { tool } from '../../../src/tools/tool.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { inMemory } from './telemetered.ts'

const usage = { inputTokens: 10, outputTokens: 2 }

export const calling = (name: string, input: object = {}): ScriptStep => ({ calls: [{ name, input: { ...input } }], usage })
export const answering = (text = 'Done.'): ScriptStep => ({ text, usage })

export const made = (name: string, execute: (input: any, context: ToolContext) => unknown) =>
  tool({ name, description: 'Works.', inputSchema: { type: 'object' } as const, execute })

/** An agent that runs the script, seen by OpenTelemetry. */
export function observed(
  steps: readonly ScriptStep[],
  { plugins = [], ...options }: Partial<AgentOptions> = {},
  telemetryOptions: TelemetryOptions = {},
) {
  const seen = inMemory()
  const plugin: Plugin = telemetry({ ...seen.providers, ...telemetryOptions })
  return { ...makeAgent(steps, { ...options, plugins: [...plugins, plugin] }), ...seen, plugin }
}
