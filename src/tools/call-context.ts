import { InputError } from '../errors.ts'
import type { Asking } from '../interrupts/asking.ts'
import type { ToolUseBlock } from '../messages/content.ts'
import { describe } from '../messages/stored.ts'
import { Cut, reasonOf } from '../util/abort.ts'
import type { CallEnvironment, PreparedCall } from './call-environment.ts'
import { keepInternals } from './call-internals.ts'
import type { ToolContext } from './tool.ts'

/** The same for every attempt at a call. */
export const keyOf = (toolUse: ToolUseBlock, env: CallEnvironment): string => `${env.conversationId}:${toolUse.id}`

/** What the running tool gets beside its input. */
export function contextOf(
  prepared: PreparedCall,
  env: CallEnvironment,
  cut: Cut | AbortSignal,
  progress: CallEnvironment['onProgress'],
  endTurn: ToolContext['endTurn'],
  asking: Asking,
): ToolContext {
  const { toolUse, input, isWithheld } = prepared
  const context: ToolContext = {
    toolUse: { id: toolUse.id, name: toolUse.name, input },
    idempotencyKey: keyOf(toolUse, env),
    agent: env.agent,
    invocationState: env.invocationState,
    state: env.state,
    get signal() {
      return cut instanceof Cut ? cut.signal : cut
    },
    progress: async (value) => {
      if (cut.aborted) throw reasonOf(cut)
      await progress(prepared, value)
    },
    endTurn: (text) => {
      if (text !== undefined && typeof text !== 'string')
        throw new InputError(`endTurn() takes the text that the run ends with, or nothing; got ${describe(text)}.`)
      endTurn(text)
    },
    interrupt: asking.interrupt,
    ...(isWithheld && { isWithheld }),
  }
  keepInternals(context, { env, asking })
  return context
}
