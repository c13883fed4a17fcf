import { AgentError, InputError, toAgentError, withPartial } from '../errors.ts'
import type { PartialRun } from '../errors.ts'
import { stickyCancel } from '../hooks/registry.ts'
import { textOf } from '../messages/content.ts'
import { fromInput } from '../messages/from-input.ts'
import { toolUsesOf } from '../messages/message.ts'
import type { AssistantMessage, Message, MessageInput } from '../messages/message.ts'
import { placeholder, repair } from '../messages/repair.ts'
import type { StopReason } from '../messages/stop-reason.ts'
import { reasonOf } from '../util/abort.ts'
import { AgentResult } from './result.ts'
import type { Run } from './run.ts'
import { storeResults } from './run-tools.ts'
import { assistantText, ownMessage, replaceLastMessage, storeMessage } from './store-message.ts'
import { runTurns } from './turn.ts'

/** How often hooks may have one invocation go on. */
const maxResumes = 20

type Outcome = { readonly result: AgentResult; readonly error: undefined } | { readonly result: undefined; readonly error: AgentError }

/**
 * One invocation, from its input to its result, with the passes that hooks ask for.
 *
 * @throws {AgentError} with what the run had as `partial`.
 */
export async function runInvocation(run: Run, input: readonly Message[]): Promise<AgentResult> {
  await run.emit?.({ type: 'invocation_start', ...run.base })
  let outcome = await runPass(run, input)
  for (let resumes = 0; ; resumes++) {
    const next = await afterInvocation(run, outcome)
    if ('error' in next) outcome = failed(run, next.error)
    if (!('input' in next) || run.cancelled) break
    if (resumes === maxResumes) {
      outcome = failed(
        run,
        new AgentError(`A hook resumed the invocation ${maxResumes} times. It is ended here.`, { code: 'resume_limit' }),
      )
      break
    }
    await run.emit?.({ type: 'resume', ...run.base, by: 'hook' })
    outcome = await runPass(run, next.input)
  }
  await flush(run)
  if (run.failure && !outcome.error) outcome = failed(run, run.failure)
  run.trace.end(run.now(), outcome.error?.code)
  if (outcome.error) {
    await run.emit?.({ type: 'invocation_error', ...run.base, error: outcome.error })
    throw outcome.error
  }
  await run.emit?.({ type: 'invocation_end', ...run.base, result: outcome.result })
  // The listener threw at the very last event: no event is left to tell it, but the caller must know.
  if (run.failure) throw withPartial(run.failure, partialOf(run))
  return outcome.result
}

/** One pass: input → turns → a history that is legal, however they ended. Never throws. */
async function runPass(run: Run, input: readonly Message[]): Promise<Outcome> {
  let stopReason: StopReason | undefined
  let error: unknown
  try {
    run.endTurn = undefined
    run.partial = []
    run.model ??= await run.core.ready(run.signal)
    stopReason = (await takeInput(run, input)) ?? (await runTurns(run))
  } catch (thrown) {
    error = run.failure ?? (run.cancelled ? undefined : thrown)
    if (error === undefined) stopReason = 'cancelled'
  }
  if (run.failure) error = run.failure
  try {
    await closeHistory(run, error === undefined && stopReason === 'cancelled')
  } catch (thrown) {
    error ??= thrown
  }
  if (error !== undefined || stopReason === undefined) return failed(run, toAgentError(error, 'run_failed', 'The run failed'))
  return { result: resultOf(run, stopReason), error: undefined }
}

/** Stores what the invocation starts from. Gives a stop reason when a hook answered instead of the model. */
async function takeInput(run: Run, input: readonly Message[]): Promise<StopReason | undefined> {
  const { hooks, ids } = run.core
  let messages: readonly Message[] = input
  let cancel: string | undefined
  if (hooks.has('beforeInvocation')) {
    // Frozen, so that another input is another array.
    const event = stickyCancel({ ...run.hookBase(), messages: Object.freeze([...input]) as readonly MessageInput[] })
    const given = event.messages
    await hooks.run('beforeInvocation', event, run.bound)
    if (event.messages !== given) messages = fromInput(event.messages, ids)
    cancel = event.cancel
  }
  await storeInput(run, messages)
  if (run.core.transcript.length === 0) throw new InputError('There is nothing to go on from: the history is empty. Give a prompt.')
  if (cancel === undefined) return undefined
  await closeOpenCalls(run)
  await storeMessage(run, assistantText(run, [{ type: 'text', text: cancel }], 'hook'))
  return 'end_turn'
}

/** Joins the input to the history: calls that are still open are answered first, by the input itself or by an error result. */
async function storeInput(run: Run, input: readonly Message[]): Promise<void> {
  const { transcript, ids } = run.core
  if (input.length === 0) return
  const last = transcript.last
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

/** The last message, which new input may have been joined to, and what follows it. */
async function replaceTail(run: Run, [first, ...rest]: readonly Message[]): Promise<void> {
  const { transcript } = run.core
  if (first && first !== transcript.last) await replaceLastMessage(run, first)
  for (const message of rest) await storeMessage(run, message)
}

/** Leaves the history legal: open calls are answered, a cancelled run is closed by a text that says so. */
async function closeHistory(run: Run, cancelled: boolean): Promise<void> {
  await closeOpenCalls(run)
  const { last } = run.core.transcript
  const isOpen = last?.role === 'user' || last?.metadata?.stopReason === 'pause_turn'
  if (!cancelled || !isOpen) return
  const said = run.options.keepPartialText ? run.partial.filter((block) => block.type === 'text' && block.text.trim() !== '') : []
  const note = { type: 'text', text: `[The run was cancelled before the answer was complete: ${reasonOf(run.signal).message}]` } as const
  await storeMessage(run, assistantText(run, [...said, note], 'cancelled'))
}

async function closeOpenCalls(run: Run): Promise<void> {
  const open = toolUsesOf(run.core.transcript.last)
  if (open.length > 0) await storeResults(run, open)
}

type Next = { readonly input: readonly Message[] } | { readonly error: AgentError } | Record<string, never>

/** The hooks behind a pass, and what they want to go on with. */
async function afterInvocation(run: Run, outcome: Outcome): Promise<Next> {
  const { hooks, ids } = run.core
  if (!hooks.has('afterInvocation')) return {}
  const event = { ...run.hookBase(), result: outcome.result, error: outcome.error, resume: undefined }
  try {
    await hooks.run('afterInvocation', event, run.bound)
    if (event.resume === undefined) return {}
    return { input: fromInput(event.resume, ids) }
  } catch (error) {
    return { error: toAgentError(error, 'hook_failed', 'A hook failed') }
  }
}

async function flush(run: Run): Promise<void> {
  try {
    await run.core.flush(run.signal)
  } catch (error) {
    await run.warn('flush_failed', error instanceof Error ? error.message : String(error))
  }
}

function resultOf(run: Run, stopReason: StopReason): AgentResult {
  return new AgentResult({
    stopReason,
    message: lastAnswer(run),
    usage: run.usage,
    metrics: run.metrics.snapshot(run.now() - run.startedAt),
    trace: run.trace.node,
    invocationState: run.invocationState,
    partial: run.partial,
  })
}

/** The newest message of the model; a run that a limit stopped before the first has none, and gets one that is not stored. */
function lastAnswer(run: Run): AssistantMessage {
  const { messages } = run.core.transcript
  const found = messages.findLast((message): message is AssistantMessage => message.role === 'assistant')
  return found ?? (ownMessage(run, 'assistant', [{ type: 'text', text: placeholder }], 'repair') as AssistantMessage)
}

const failed = (run: Run, error: AgentError): Outcome => ({ result: undefined, error: withPartial(error, partialOf(run)) })

function partialOf(run: Run): PartialRun {
  return { text: textOf(run.partial), results: [...run.results.values()], usage: run.usage, messages: run.core.transcript.messages }
}
