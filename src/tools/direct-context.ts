import type { AgentHandle } from '../agent/handle.ts'
import { InputError, ToolDefinitionError } from '../errors.ts'
import type { JsonObject } from '../util/json.ts'
import type { ToolContext } from './tool.ts'

/**
 * The context of a call from outside a run: its signal never fires, and nobody is there to be asked. `given` takes the place of
 * its parts; the whole context of another call is passed on as it is.
 */
export function directContext(name: string, input: unknown, given: Partial<ToolContext> = {}): ToolContext {
  const outside: ToolContext = {
    toolUse: { id: 'direct', name, input: input as JsonObject },
    idempotencyKey: 'direct',
    get agent(): AgentHandle {
      throw new ToolDefinitionError(`The tool "${name}" was called directly and has no agent. Pass one: ${name}(input, { agent }).`, {
        code: 'no_agent',
      })
    },
    invocationState: {},
    state: {},
    signal: new AbortController().signal,
    progress: async () => {},
    endTurn: () => {},
    interrupt: ({ name: question }) => {
      throw new InputError(
        `The tool "${name}" asked for "${question}", but it was called directly: there is no run to interrupt. Have an agent call it, or answer yourself: ${name}(input, { interrupt: () => answer }).`,
        { code: 'no_run' },
      )
    },
  }
  if (Object.keys(outside).every((key) => key in given)) return given as ToolContext
  return Object.defineProperties(outside, Object.getOwnPropertyDescriptors(given))
}
