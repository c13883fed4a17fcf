import { AgentError, HookError, toAgentError, withPartial } from '../errors.ts'
import type { PartialRun } from '../errors.ts'
import { textOf } from '../messages/content.ts'
import type { AgentInput } from '../messages/from-input.ts'
import type { AssistantMessage } from '../messages/message.ts'
import { placeholder } from '../messages/repair.ts'
import type { StopReason } from '../messages/stop-reason.ts'
import { reasonOf } from '../util/abort.ts'
import { afterGrace, settleBounded } from '../util/bounded.ts'
import { openLog } from './session-log.ts'
import { makeCheckpoint } from './make-checkpoint.ts'
import { checkResponses } from './questions.ts'
import type { ReadInput } from './read-input.ts'
import { readInput } from './read-input.ts'
import { AgentResult } from './result.ts'
import type { Run } from './run.ts'
import { assistantText, ownMessage, storeMessage } from './store-message.ts'
import { closeOpenCalls, takeInput } from './take-input.ts'
import { runTurns } from './turn.ts'

/** How often hooks may have one invocation go on. */
const maxResumes = 20

type Outcome = { readonly result: AgentResult; readonly error: undefined } | { readonly result: undefined; readonly error: AgentError }

/**
 * One invocation, from its input to its result, with the passes that hooks ask for.
 *
 * @throws {AgentError} with what the run had as `partial`.
 */
export async function runInvocation(run: Run, input: ReadInput): Promise<AgentResult> {
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
  await saveSession(run)
  if (run.failure && !outcome.error) outcome = failed(run, run.failure)
  if (outcome.error && run.begun) await closeAfterError(run)
  run.span.end(run.now(), outcome.error?.code)
  if (outcome.error) {
    await run.emit?.({ type: 'invocation_error', ...run.base, error: outcome.error })
    throw outcome.error
  }
  await run.emit?.({ type: 'invocation_end', ...run.base, result: outcome.result })
  // The listener threw at the very last event: no event is left to tell it, but the caller must know.
  if (!run.failure) return outcome.result
  await closeBehindTheEnd(run)
  throw withPartial(run.failure, partialOf(run))
}

/** One pass: input → turns → a history that is legal, however they ended. Never throws. */
async function runPass(run: Run, input: ReadInput): Promise<Outcome> {
  let stopReason: StopReason | undefined
  let error: unknown
  try {
    run.begun = false
    run.endTurn = undefined
    run.partial = []
    run.position = undefined
    run.engineFailure = undefined
    run.model ??= await run.core.ready(run.signal)
    await openSession(run)
    stopReason = (await takeInput(run, input)) ?? (await runTurns(run))
  } catch (thrown) {
    error = run.failure ?? (run.cancelled ? undefined : thrown)
    if (error === undefined) stopReason = 'cancelled'
  }
  if (run.failure) error = run.failure
  try {
    const waits = stopReason === 'interrupt' || stopReason === 'checkpoint'
    if (error === undefined && waits) run.core.pending = makeCheckpoint(run, run.position ?? 'interrupt')
    // A run that could not even begin has not used up what was to be answered.
    else if (run.begun || !run.core.pending) await closeHistory(run, error === undefined && stopReason === 'cancelled')
  } catch (thrown) {
    error ??= thrown
  }
  if (error !== undefined || stopReason === undefined) return failed(run, toAgentError(error, 'run_failed', 'The run failed'))
  return { result: resultOf(run, stopReason), error: undefined }
}

/** One that was cancelled before has as long to read it as a hook would: what was said is to be stored there. */
async function openSession(run: Run): Promise<void> {
  if (!run.core.session || run.core.log) return
  const { signal, release } = run.cancelled ? afterGrace(run.bound) : { signal: run.signal, release: () => {} }
  try {
    for (const warning of await openLog(run.core, signal)) await run.warn('session', warning)
  } finally {
    release()
  }
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

/** A hook that threw behind a run that had stopped to ask: who is told of an error is asked nothing. */
async function closeAfterError(run: Run): Promise<void> {
  run.core.pending = undefined
  try {
    await closeOpenCalls(run)
  } catch {
    // The first error counts; the history is closed by now.
  }
}

/** The same behind the last event: nothing is told any more. */
async function closeBehindTheEnd(run: Run): Promise<void> {
  run.emit = undefined
  if (!run.core.pending) return
  await closeAfterError(run)
  await saveSession(run)
}

type Next = { readonly input: ReadInput } | { readonly error: AgentError } | Record<string, never>

/** The hooks behind a pass, and what they want to go on with. */
async function afterInvocation(run: Run, outcome: Outcome): Promise<Next> {
  const { hooks } = run.core
  if (!hooks.has('afterInvocation')) return {}
  const event = { result: outcome.result, error: outcome.error, resume: undefined, ...run.hookBase() }
  try {
    await hooks.run('afterInvocation', event, run.bound)
    if (event.resume === undefined) return {}
    return { input: resumeOfHook(run, event.resume) }
  } catch (error) {
    return { error: toAgentError(error, 'hook_failed', 'A hook failed') }
  }
}

/** @throws {HookError} for what is no input, or does not fit what is open. */
function resumeOfHook({ core }: Run, given: AgentInput): ReadInput {
  try {
    const input = readInput(given, core.ids)
    if (input.kind === 'responses') checkResponses(core.pending, input.responses)
    return input
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new HookError(`An afterInvocation hook set \`resume\` to what cannot be gone on with: ${said}`, {
      hook: 'afterInvocation',
      cause,
    })
  }
}

async function saveSession(run: Run): Promise<void> {
  const { log } = run.core
  if (!log) return
  // Written though the run was cancelled: that is a part of what happened.
  const settled = await settleBounded(log.save(run.core), run.bound)
  if (settled?.ok) return
  const why = settled?.error instanceof Error ? settled.error.message : 'it took too long'
  await run.warn('session_not_saved', `The session is not written to its end; it is tried again with the next run. ${why}`)
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
    trace: run.trace,
    invocationState: run.invocationState,
    partial: run.partial,
    output: run.output && { answer: run.output.answer },
    interrupts: stopReason === 'interrupt' ? run.core.pending!.interrupts : [],
    checkpoint: stopReason === 'interrupt' || stopReason === 'checkpoint' ? run.core.pending : undefined,
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
