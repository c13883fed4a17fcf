import { AgentError, HookError, IdempotencyError } from '../errors.ts'
import { onAbort, reasonOf, settleOrAbort } from '../util/abort.ts'
import type { AgentEvent, Emit } from './events.ts'
import type { CheckedInvokeOptions } from './invoke-options.ts'
import type { AgentResult } from './result.ts'
import type { RunControl } from './stream.ts'

/**
 * Waits for a run that somebody else has started, under the same token. Hears only its end.
 *
 * @throws {IdempotencyError} when that run fails, or when this one does not want to wait any longer.
 */
export async function joinRun(
  running: { readonly id: string; readonly result: Promise<AgentResult> },
  { signal, onEvent, idempotencyToken }: CheckedInvokeOptions,
  reader: Emit | undefined,
  onStart: (run: RunControl) => void,
): Promise<AgentResult> {
  const controller = new AbortController()
  const off = signal ? onAbort(signal, () => controller.abort(signal.reason)) : () => {}
  onStart({ cancel: (reason) => controller.abort(reason), signal: controller.signal })
  const tell = async (event: AgentEvent): Promise<void> => {
    let failure: HookError | undefined
    try {
      // As the listener of a run: after a cancel nobody waits for it.
      const told = await settleOrAbort(Promise.resolve(onEvent?.(event)), controller.signal)
      if (told && !told.ok) throw told.error
    } catch (error) {
      failure = new HookError(`\`onEvent\` threw: ${error instanceof Error ? error.message : String(error)}`, {
        hook: 'onEvent',
        cause: error,
      })
    }
    await reader?.(event)
    if (failure) throw failure
  }
  try {
    const settled = await settleOrAbort(running.result, controller.signal)
    if (settled?.ok) {
      const { value: result } = settled
      await tell({ type: 'invocation_end', invocationId: running.id, turn: result.metrics.turns, result })
      return result
    }
    const cause = settled ? settled.error : reasonOf(controller.signal)
    const what = settled ? 'which this call waited for, has failed' : 'is not waited for any longer'
    const error = new IdempotencyError(`The run with the token "${idempotencyToken}" ${what}: ${saidBy(cause)}`, { cause })
    await tell({ type: 'invocation_error', invocationId: running.id, turn: 0, error })
    throw error
  } finally {
    off()
  }
}

const saidBy = (cause: unknown): string => (AgentError.isInstance(cause) ? `${cause.code}, ${cause.message}` : String(cause))
