import type { Tool, ToolContext, ToolOutcome } from '../tools/tool.ts'
import { reasonOf } from '../util/abort.ts'
import type { JsonObject, JsonValue } from '../util/json.ts'
import type { CallOptions } from './call.ts'
import { failedCall } from './failed-call.ts'
import type { InterruptQueue } from './interrupt-queue.ts'
import type { ListedTool } from './listed-tools.ts'
import { orderedProgress } from './ordered-progress.ts'
import { flagsFrom } from './tool-flags.ts'

export type CallListeners = Pick<CallOptions, 'signal' | 'onProgress' | 'onAnswer'>

export type ForAgentOptions = {
  /** Calls the tool by the server's name. */
  readonly call: (toolName: string, input: JsonObject, options: CallListeners) => Promise<ToolOutcome>
  /** Given where a question of the server interrupts the run. */
  readonly interrupts: InterruptQueue | undefined
}

/** A tool of the server, as an agent uses it. */
export function toolForAgent({ definition, name, spec }: ListedTool, options: ForAgentOptions): Tool {
  const { annotations, title } = definition
  const flags = flagsFrom(annotations)
  return {
    name,
    description: spec.description || (title ?? annotations?.title ?? ''),
    inputSchema: spec.inputSchema,
    ...(spec.outputSchema && { outputSchema: spec.outputSchema }),
    validate: spec.validate,
    ...flags,
    // A question could not be told to belong to one of several calls.
    isConcurrencySafe: flags.isConcurrencySafe && !options.interrupts,
    run: (input: JsonObject, context) => run(definition.name, input, context, options),
  }
}

/** A call by an agent: what goes wrong at the server is a result for the model. */
async function run(toolName: string, input: JsonObject, context: ToolContext, options: ForAgentOptions): Promise<ToolOutcome> {
  const { signal } = context
  const progress = orderedProgress((value) => context.progress(value))
  try {
    const onProgress = (value: JsonValue): void => progress.push(value)
    const call = (until: AbortSignal, onAnswer?: () => void): Promise<ToolOutcome> =>
      options.call(toolName, input, { signal: until, onProgress, onAnswer })
    const outcome = options.interrupts ? await options.interrupts.run(context, call) : await call(signal)
    await progress.drained()
    return outcome
  } catch (error) {
    if (signal.aborted) throw reasonOf(signal)
    return failedCall(error)
  }
}
