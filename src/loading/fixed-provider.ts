import { AgentError, toAgentError } from '../errors.ts'
import type { ToolProvider } from '../tools/provider.ts'
import { reasonOf, settleOrAbort } from '../util/abort.ts'
import { within } from './load-file.ts'
import type { LoadOptions } from './options.ts'
import { pickTools } from './pick-tools.ts'

export type FixedSource = {
  readonly name: string
  readonly exportName?: string | undefined
  readonly exported: () => Promise<unknown>
}

/** Tools that stay what they are: of a package, or of a module that is loaded already. */
export function fixedProvider({ name, exportName, exported }: FixedSource, options: LoadOptions): ToolProvider {
  return {
    name,
    loadTools: async (context) => {
      const { signal } = context
      const outcome = await settleOrAbort(within(exported(), name, options), signal)
      if (!outcome?.ok) throw reasonOf(signal)
      const settled = outcome.value
      if (!settled.ok) throw toAgentError(settled.error, 'tool_load_failed', `The tools of ${name} cannot be loaded`)
      const { tools, bad } = pickTools(settled.value, exportName)
      for (const reason of bad) context.warn('tool_skipped', `${name}: ${reason}`)
      if (tools.length === 0 && bad.length === 0) throw new AgentError(`${name} exports no tool.`, { code: 'no_tools' })
      return tools
    },
    addConsumer: () => {},
    removeConsumer: () => {},
  }
}
