import type { HookEvent } from '../hooks/hooks.ts'
import { stickyCancel } from '../hooks/registry.ts'
import type { ToolResultBlock, ToolUseBlock } from '../messages/content.ts'
import { textOf } from '../messages/content.ts'
import { closingResult } from '../messages/repair.ts'
import { denied } from '../tools/execute.ts'
import { resultOf } from '../tools/run-call.ts'
import { CallBatch } from './call-batch.ts'
import type { Run } from './run.ts'
import { ownMessage, storeMessage } from './store-message.ts'

/**
 * Runs the calls of one message and stores their results, in call order, each call with exactly one. Whatever happens in
 * between, every result that there is by then is stored.
 */
export async function runTools(run: Run, calls: readonly ToolUseBlock[]): Promise<void> {
  try {
    if (run.cancelled) return await run.dropBatch(calls)
    const refusal = await beforeTools(run, calls)
    if (refusal === undefined) {
      const batch = run.takeBatch() ?? new CallBatch(run)
      await batch.finish(calls)
    } else for (const call of calls) run.results.set(call.id, resultOf(call.id, denied(refusal)))
  } finally {
    await storeResults(run, calls)
  }
  await afterTools(
    run,
    calls.map((call) => run.results.get(call.id)!),
  )
}

/** One user message with a result for every call. Used on every way out of a turn. */
export async function storeResults(run: Run, calls: readonly ToolUseBlock[]): Promise<void> {
  for (const call of calls)
    if (!run.results.has(call.id))
      run.results.set(call.id, closingResult(call.id, 'cancelled', 'The call was not run: the run ended before it.'))
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

async function beforeTools(run: Run, calls: readonly ToolUseBlock[]): Promise<string | undefined> {
  if (!run.core.hooks.has('beforeTools')) return undefined
  const event = stickyCancel({ ...run.hookBase(), calls: Object.freeze([...calls]) })
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
