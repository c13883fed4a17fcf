import { toAgentError } from '../errors.ts'
import { text } from '../messages/content.ts'
import type { ToolUseBlock } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import { repair } from '../messages/repair.ts'
import { resultOf } from '../tools/run-call.ts'
import type { ToolOutcome } from '../tools/tool.ts'
import type { Run } from './run.ts'
import { ownMessage, replaceLastMessage, storeMessage } from './store-message.ts'
import { withNotAnswered } from './take-input.ts'

/**
 * Stores a note of the direct call, and the call. Calls that the history leaves open are answered first, as a prompt would
 * have it. Never rejects: what a hook throws is kept as the failure of the run, and then the tool is not called.
 */
export async function beginRecord(run: Run, toolUse: ToolUseBlock): Promise<void> {
  const { transcript, ids } = run.core
  const note = own(run, 'user', text(`[The program calls the tool ${toolUse.name} itself; the model did not ask for it.]`))
  const { last } = transcript
  const input = withNotAnswered(run, [note])
  const [first, ...rest] = last?.role === 'assistant' ? repair([last, ...input], { openCalls: 'keep', ids, tail: true }) : [last, ...input]
  if (first && first !== last) await keep(run, () => replaceLastMessage(run, first))
  for (const message of rest) if (message) await keep(run, () => storeMessage(run, message))
  await keep(run, () => storeMessage(run, own(run, 'assistant', toolUse)))
}

/** Stores the result and a note that ends the record. */
export async function endRecord(run: Run, toolUse: ToolUseBlock, outcome: ToolOutcome): Promise<void> {
  const { id, name } = toolUse
  const result = run.results.get(id) ?? resultOf(id, outcome)
  await keep(run, () => storeMessage(run, own(run, 'user', result)))
  const ended = result.status === 'success' ? 'success' : 'an error'
  await keep(run, () => storeMessage(run, own(run, 'assistant', text(`[The program's call of ${name} ended with ${ended}.]`))))
}

const own = (run: Run, role: 'user' | 'assistant', block: Message['content'][number]): Message =>
  ownMessage(run, role, [block], 'direct_call')

/** A message is stored before its hooks are called: what they throw ends the call, but leaves no gap in the record. */
async function keep(run: Run, store: () => Promise<unknown>): Promise<void> {
  try {
    await store()
  } catch (error) {
    run.fail(toAgentError(error, 'hook_failed', 'A hook failed'))
  }
}
