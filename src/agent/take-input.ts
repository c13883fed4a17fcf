import { HookError, InputError } from '../errors.ts'
import { stickyCancel } from '../hooks/registry.ts'
import { fromInput } from '../messages/from-input.ts'
import { toolUsesOf } from '../messages/message.ts'
import type { Message, MessageInput } from '../messages/message.ts'
import { repair } from '../messages/repair.ts'
import type { StopReason } from '../messages/stop-reason.ts'
import type { ReadInput } from './read-input.ts'
import { leaveResumed, resumeFrom } from './resume.ts'
import type { Run } from './run.ts'
import { notAnswered, storeResults } from './run-tools.ts'
import { recoverCalls } from './session-log.ts'
import { assistantText, ownMessage, replaceLastMessage, storeMessage } from './store-message.ts'

/** @throws {HookError} for what is no input, or answers a call that nobody made. */
function messagesOfHook({ core }: Run, given: readonly MessageInput[]): readonly Message[] {
  try {
    const messages = fromInput(given, core.ids)
    checkResults(core.transcript.last, messages)
    return messages
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new HookError(`A beforeInvocation hook set \`messages\` to what is no input: ${said}`, { hook: 'beforeInvocation', cause })
  }
}

/** Stores what the invocation starts from. Gives a stop reason when a hook answered instead of the model. */
export async function takeInput(run: Run, input: ReadInput): Promise<StopReason | undefined> {
  const { hooks, transcript } = run.core
  // What waits for an answer still does when the input is refused.
  if (input.kind === 'messages') checkResults(transcript.last, input.messages)
  resumeFrom(run, input)
  const recovering = recoverCalls(run, input.kind !== 'messages' || input.messages.length === 0)
  if (recovering) await recovering
  run.begun = true
  let messages = input.kind === 'messages' ? input.messages : []
  let cancel: string | undefined
  if (hooks.has('beforeInvocation')) {
    // Frozen, so that another input is another array.
    const event = stickyCancel({ messages: Object.freeze([...messages]) as readonly MessageInput[], ...run.hookBase() })
    const given = event.messages
    await hooks.run('beforeInvocation', event, run.bound)
    if (event.messages !== given) messages = messagesOfHook(run, event.messages)
    cancel = event.cancel
  }
  if (messages.length > 0) {
    messages = withNotAnswered(run, messages)
    leaveResumed(run)
  }
  await storeInput(run, messages)
  if (run.core.transcript.length === 0) throw new InputError('There is nothing to go on from: the history is empty. Give a prompt.')
  if (cancel === undefined) return undefined
  await closeOpenCalls(run)
  await storeMessage(run, assistantText(run, [{ type: 'text', text: cancel }], 'hook'))
  return 'end_turn'
}

/** Answers every call that is still open: with its result where there is one, else by saying that it was not run. */
export async function closeOpenCalls(run: Run): Promise<void> {
  const open = toolUsesOf(run.core.transcript.last)
  if (open.length > 0) await storeResults(run, open)
}

/**
 * New input in the place of answers, or after a crash: what has ended of the open calls is kept, and each other one is told that its
 * question was not answered. Results that the input brings itself go first.
 */
export function withNotAnswered(run: Run, input: readonly Message[]): readonly Message[] {
  const { pending, transcript } = run.core
  // A hook may put a prompt in the place of what was to go on.
  const waits = pending !== undefined || (run.isResumed && run.goesOn)
  if (!waits && run.results.size === 0) return input
  const brought = new Set(
    input.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []))),
  )
  const results = toolUsesOf(transcript.last).flatMap(({ id }) => {
    if (brought.has(id)) return []
    const ended = run.results.get(id) ?? pending?.results.find((result) => result.toolUseId === id)
    if (!ended && !waits) return []
    return [ended ?? notAnswered(id)]
  })
  run.core.pending = undefined
  return results.length === 0 ? input : [ownMessage(run, 'user', results, undefined), ...input]
}

/** Joins the input to the history: calls that are still open are answered first, by the input itself or by an error result. */
async function storeInput(run: Run, input: readonly Message[]): Promise<void> {
  const { transcript, ids } = run.core
  if (input.length === 0) return
  const last = transcript.last
  const notes: string[] = []
  const options = { openCalls: 'keep', ids, onRepair: (what: string) => void notes.push(what) } as const
  if (input.some((message) => toolUsesOf(message).length > 0)) {
    // The input brings calls of its own, whose ids must be new in the whole history.
    const whole = repair([...transcript.messages, ...input], options)
    const kept = last === undefined ? 0 : transcript.length - 1
    if (last !== undefined) await replaceTail(run, whole.slice(kept))
    else for (const message of whole) await storeMessage(run, message)
  } else if (last?.role === 'assistant') {
    await replaceTail(run, repair([last, ...input], { ...options, tail: true }))
  } else {
    for (const message of repair(input, { ...options, tail: last !== undefined })) await storeMessage(run, message)
  }
  for (const note of notes) await run.warn('history_repaired', `The history was repaired: ${note}.`)
}

/** @throws {InputError} for a result of a call that is not open, neither in the history nor in the input itself. */
function checkResults(last: Message | undefined, input: readonly Message[]): void {
  const open = new Set(toolUsesOf(last).map((call) => call.id))
  const called = new Set(open)
  for (const message of input) {
    for (const block of message.content) {
      if (block.type === 'tool_use') called.add(block.id)
      if (block.type === 'tool_result' && !called.has(block.toolUseId))
        throw new InputError(
          `The input has a result for "${block.toolUseId}", but no such call is open.${open.size > 0 ? ` Open are: ${[...open].join(', ')}.` : ''}`,
        )
    }
  }
}

/** The last message, which new input may have been joined to, and what follows it. */
async function replaceTail(run: Run, [first, ...rest]: readonly Message[]): Promise<void> {
  const { transcript } = run.core
  if (first && first !== transcript.last) await replaceLastMessage(run, first)
  for (const message of rest) await storeMessage(run, message)
}
