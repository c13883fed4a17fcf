import { HookError } from '../errors.ts'
import type { RepeatedFailureError } from '../errors.ts'
import type { HookEvent } from '../hooks/hooks.ts'
import { stickyCancel } from '../hooks/registry.ts'
import { Asking, ExpiredError } from '../interrupts/asking.ts'
import type { TextBlock, ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import { textOf } from '../messages/content.ts'
import { closingResult } from '../messages/repair.ts'
import { describe } from '../messages/stored.ts'
import { denied } from '../tools/execute.ts'
import { askAhead } from '../tools/judge.ts'
import { prepareCall, resultOf } from '../tools/run-call.ts'
import type { ScheduledCall } from '../tools/strategies.ts'
import { CallBatch } from './call-batch.ts'
import { repeatedFailure } from './repeated-failures.ts'
import { shortenTurn } from './result-budget.ts'
import type { Run } from './run.ts'
import { flagsWaitedFor, scheduledCall } from './scheduled-call.ts'
import { ownMessage, storeMessage } from './store-message.ts'
import { toolEnvironment } from './tool-environment.ts'

/**
 * Runs the calls of one message and stores their results, in call order, each call with exactly one. Whatever happens in
 * between, every result that there is by then is stored; but where a person is asked, what has ended waits in the run's state
 * for the rest.
 */
export async function runTools(run: Run, calls: readonly ToolUseBlock[]): Promise<'interrupt' | 'done'> {
  let asks = false
  let repeated: RepeatedFailureError | undefined
  try {
    if (run.cancelled) {
      await run.dropBatch(calls)
      return 'done'
    }
    asks = await runCalls(run, calls)
    if (!asks) repeated = repeatedFailure(run, calls)
    if (!asks) await shortenTurn(run, calls)
  } finally {
    // Who has cancelled is asked nothing.
    asks &&= !run.cancelled
    if (!asks) await storeResults(run, calls)
  }
  if (asks) {
    for (const interrupt of run.questions.open) await run.emit?.({ type: 'interrupt', ...run.base, interrupt })
    return 'interrupt'
  }
  run.questions.clear()
  if (repeated) throw repeated
  await afterTools(
    run,
    calls.map((call) => run.results.get(call.id)!),
  )
  return 'done'
}

/** True when somebody must be asked before all calls have a result. */
async function runCalls(run: Run, calls: readonly ToolUseBlock[]): Promise<boolean> {
  const { questions } = run
  for (const { id } of calls) {
    const expired = questions.expiredFor(id)
    if (expired !== undefined && !run.results.has(id)) run.results.set(id, resultOf(id, denied(`The call was refused. ${expired}`)))
  }
  const refusal = await beforeTools(run, calls)
  if (questions.hasRaised) return true
  if (refusal !== undefined) {
    for (const { id } of calls) if (!run.results.has(id)) run.results.set(id, resultOf(id, denied(refusal)))
    return false
  }
  // While somebody has yet to answer, only those begin that have their answer: what stands behind must not overtake.
  const startable = questions.blocked.size === 0 ? calls : await inTurn(run, calls)
  const batch = run.takeBatch() ?? new CallBatch(run)
  await batch.finish(startable)
  if (questions.hasRaised && !run.cancelled) await askAheadFor(run, calls)
  return questions.open.length > 0
}

/** It may have begun: a tool asks when it likes. */
export const notAnswered = (callId: string): ToolResultBlock =>
  closingResult(callId, 'not_answered', 'The call did not run to its end: what it asked was not answered.')

/** Who has asked had begun by then, perhaps. */
const notRun = (callId: string, mayHaveBegun: boolean): ToolResultBlock =>
  closingResult(
    callId,
    'cancelled',
    mayHaveBegun
      ? 'The call did not run to its end: it had asked a person, and the run ended before it went on.'
      : 'The call was not run: the run ended before it.',
  )

/** One user message with a result for every call. Used on every way out of a turn. */
export async function storeResults(run: Run, calls: readonly ToolUseBlock[]): Promise<void> {
  for (const { id } of calls) {
    if (run.results.has(id)) continue
    const isCancelled = run.cancelled && !run.failure
    const { questions } = run
    const asked = questions.raisedBy(id) || questions.blocked.has(id)
    const mayHaveBegun = asked || questions.answered(id) > 0
    run.results.set(id, asked && !isCancelled ? notAnswered(id) : notRun(id, mayHaveBegun))
  }
  await storeMessage(
    run,
    ownMessage(
      run,
      'user',
      calls.map((call) => run.results.get(call.id)!),
      undefined,
    ),
  )
}

/** Those that have their answer, unless one before them that they must not overtake has none yet. */
async function inTurn(run: Run, calls: readonly ToolUseBlock[]): Promise<readonly ToolUseBlock[]> {
  const { questions, core, results } = run
  const open = calls.filter(({ id }) => !results.has(id))
  const isAnswered = ({ id }: ToolUseBlock): boolean => !questions.blocked.has(id) && questions.answered(id) > 0
  const firstToWait = open.findIndex((call) => !isAnswered(call))
  if (firstToWait < 0) return open
  const inFront = open.slice(0, firstToWait)
  const others = open.slice(firstToWait)
  // Nobody is asked who decides nothing.
  if (!others.some(isAnswered)) return inFront
  const before: ScheduledCall[] = []
  const flags = await Promise.all(others.map((call) => flagsWaitedFor(run, call)))
  const behind = others.filter((call, at) => {
    const scheduled = scheduledCall(call, calls.indexOf(call), flags[at]!)
    const view = { waiting: [scheduled], running: before, sealed: true, maxConcurrency: Infinity }
    if (isAnswered(call) && core.strategy.next(view).length > 0) return true
    before.push(scheduled)
    return false
  })
  return [...inFront, ...behind]
}

/** The calls that did not begin, because another one asked: what they would have to ask is asked now, too. */
async function askAheadFor(run: Run, calls: readonly ToolUseBlock[]): Promise<void> {
  const env = toolEnvironment(run, run.signal)
  for (const toolUse of calls) {
    if (run.results.has(toolUse.id) || run.questions.raisedBy(toolUse.id) || run.questions.blocked.has(toolUse.id)) continue
    const prepared = await prepareCall(toolUse, env)
    if (run.cancelled) return
    if (prepared.tool && !prepared.interrupted) await askAhead(prepared, prepared.tool, env)
  }
}

async function beforeTools(run: Run, calls: readonly ToolUseBlock[]): Promise<string | undefined> {
  if (!run.core.hooks.has('beforeTools')) return undefined
  const asking = new Asking({ questions: run.questions, about: `${run.core.transcript.last!.id}/before_tools` })
  const event = stickyCancel({ calls: Object.freeze([...calls]), interrupt: asking.interrupt, ...run.hookBase() })
  try {
    await run.core.hooks.run('beforeTools', event, run.bound)
  } catch (error) {
    if (error instanceof HookError && error.cause instanceof ExpiredError) return `The call was refused. ${error.cause.message}`
    throw error
  } finally {
    asking.close('the hooks beforeTools have run.')
  }
  return event.cancel
}

async function afterTools(run: Run, results: readonly ToolResultBlock[]): Promise<void> {
  if (!run.core.hooks.has('afterTools')) return
  const event: HookEvent<'afterTools'> = { results, endTurn: false, ...run.hookBase() }
  await run.core.hooks.run('afterTools', event, run.bound)
  const ended = endTurnOf(event)
  if (ended) run.endTurn = ended
}

function endTurnOf({ endTurn }: HookEvent<'afterTools'>): { readonly text: string | undefined } | undefined {
  if (endTurn === false || endTurn === undefined || endTurn === null) return undefined
  if (endTurn === true) return { text: undefined }
  if (typeof endTurn === 'string') return { text: endTurn }
  const isText = (block: Partial<TextBlock> | undefined): boolean => block?.type === 'text' && typeof block.text === 'string'
  if (Array.isArray(endTurn) && endTurn.every(isText)) return { text: textOf(endTurn) }
  throw new HookError(
    `An afterTools hook set \`endTurn\` to what is none: expected true, a text or text blocks, got ${describe(endTurn)}.`,
    {
      hook: 'afterTools',
    },
  )
}
