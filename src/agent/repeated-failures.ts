import { RepeatedFailureError } from '../errors.ts'
import type { ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import { toolUsesOf } from '../messages/message.ts'
import { keyOf } from '../tools/json-schema/equality.ts'
import { freezeOwn, frozenCopy } from '../util/json.ts'
import type { Run } from './run.ts'

/** After so many failures in a row the model is told. */
const toldAfter = 3
/** After so many the run ends. */
const endsAfter = 5

/** Ends that say nothing of whether the call is any good. */
const noFailure = new Set<string | undefined>(['cancelled', 'not_answered', 'unknown_outcome'])

/**
 * A model that makes the same call again and again although it fails each time is told so once, and ends the run after five.
 * Looked up in the history, so that it holds over resumes, too. Before the results are stored.
 *
 * @returns the error that the run ends with, once they are.
 */
export function repeatedFailure(run: Run, calls: readonly ToolUseBlock[]): RepeatedFailureError | undefined {
  let error: RepeatedFailureError | undefined
  for (const call of calls) {
    const result = run.results.get(call.id)
    if (!result || !isFailure(result)) continue
    // Asked for here: the whole history is not looked at because of a turn in which all went well.
    const count = 1 + failuresBefore(run.core.transcript.messages, call)
    if (count === toldAfter) run.results.set(call.id, told(result, call, count))
    if (count >= endsAfter)
      error ??= new RepeatedFailureError(
        `The model called ${call.name} ${count} times in a row with the same input, and it failed each time. The run was ended.`,
        { toolName: call.name },
      )
  }
  return error
}

/** How many turns in a row, up to the one that is under way, made this call and saw it fail. */
function failuresBefore(messages: readonly Message[], call: ToolUseBlock): number {
  const key = callKey(call)
  let count = 0
  // The last message is the one with the call.
  for (let i = messages.length - 3; i >= 0 && count < endsAfter; i -= 2) {
    const same = toolUsesOf(messages[i]).filter((other) => callKey(other) === key)
    const results = messages[i + 1]!.content
    const failed = same.some(({ id }) =>
      results.some((block) => block.type === 'tool_result' && block.toolUseId === id && isFailure(block)),
    )
    if (!failed) return count
    count++
  }
  return count
}

const isFailure = ({ status, code }: ToolResultBlock): boolean => status === 'error' && !noFailure.has(code)

/** The order of its keys does not make it another input. */
const callKey = ({ name, input, invalidInput }: ToolUseBlock): string => `${name} ${keyOf(input)} ${invalidInput?.text ?? ''}`

function told(result: ToolResultBlock, call: ToolUseBlock, count: number): ToolResultBlock {
  const text = `This was the ${count}rd time in a row that ${call.name} failed with the same input. It will fail again: change the input, use another tool, or say what stands in the way.`
  return freezeOwn(frozenCopy({ ...result, content: [...result.content, { type: 'text', text } as const] }))
}
