import type { RepeatedFailureError } from '../errors.ts'
import type { HookEvent } from '../hooks/hooks.ts'
import { stickyCancel } from '../hooks/registry.ts'
import { Asking } from '../interrupts/asking.ts'
import type { ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import { textOf } from '../messages/content.ts'
import { closingResult } from '../messages/repair.ts'
import { denied } from '../tools/execute.ts'
import { askAhead } from '../tools/judge.ts'
import { resolveCall } from '../tools/resolve-call.ts'
import { resultOf } from '../tools/run-call.ts'
import { CallBatch } from './call-batch.ts'
import { repeatedFailure } from './repeated-failures.ts'
import { shortenTurn } from './result-budget.ts'
import type { Run } from './run.ts'
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
    if (!asks || run.failure) await storeResults(run, calls)
  }
  if (asks && !run.failure) {
    for (const interrupt of run.questions.raised) await run.emit?.({ type: 'interrupt', ...run.base, interrupt })
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
  const { blocked } = questions
  const startable = blocked.size === 0 ? calls : calls.filter(({ id }) => !blocked.has(id) && questions.answered(id) > 0)
  const batch = run.takeBatch() ?? new CallBatch(run)
  await batch.finish(startable)
  if (questions.hasRaised && !run.cancelled) await askAheadFor(run, calls)
  return questions.open.length > 0
}

/** One user message with a result for every call. Used on every way out of a turn. */
export async function storeResults(run: Run, calls: readonly ToolUseBlock[]): Promise<void> {
  for (const { id } of calls) {
    if (run.results.has(id)) continue
    const asked = run.questions.raisedBy(id) || run.questions.blocked.has(id)
    run.results.set(
      id,
      asked
        ? closingResult(id, 'not_answered', 'The call was not run: what it asked was not answered.')
        : closingResult(id, 'cancelled', 'The call was not run: the run ended before it.'),
    )
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

/** The calls that did not begin, because another one asked: what they would have to ask is asked now, too. */
async function askAheadFor(run: Run, calls: readonly ToolUseBlock[]): Promise<void> {
  const env = toolEnvironment(run, run.signal)
  for (const toolUse of calls) {
    if (run.results.has(toolUse.id) || run.questions.raisedBy(toolUse.id) || run.questions.blocked.has(toolUse.id)) continue
    const tool = env.tools.get(toolUse.name)
    if (!tool) continue
    await askAhead(await resolveCall({ toolUse, tool, input: toolUse.input, names: [] }), tool, env)
  }
}

async function beforeTools(run: Run, calls: readonly ToolUseBlock[]): Promise<string | undefined> {
  if (!run.core.hooks.has('beforeTools')) return undefined
  const asking = new Asking({ questions: run.questions, about: `${run.core.transcript.last!.id}/before_tools` })
  const event = stickyCancel({ ...run.hookBase(), calls: Object.freeze([...calls]), interrupt: asking.interrupt })
  await run.core.hooks.run('beforeTools', event, run.bound)
  return event.cancel
}

async function afterTools(run: Run, results: readonly ToolResultBlock[]): Promise<void> {
  if (!run.core.hooks.has('afterTools')) return
  const event: HookEvent<'afterTools'> = { ...run.hookBase(), results, endTurn: false }
  await run.core.hooks.run('afterTools', event, run.bound)
  const ended = endTurnOf(event)
  if (ended) run.endTurn = ended
}

function endTurnOf({ endTurn }: HookEvent<'afterTools'>): { readonly text: string | undefined } | undefined {
  if (endTurn === false) return undefined
  if (endTurn === true) return { text: undefined }
  return { text: typeof endTurn === 'string' ? endTurn : textOf(endTurn) }
}
