import type { Cut } from '../util/abort.ts'
import { reasonOf, settle } from '../util/abort.ts'
import { isThenable } from '../util/bounded.ts'
import type { JsonValue } from '../util/json.ts'
import type { ToolContext } from './tool.ts'

/** What a tool that has returned this comes to: the value itself, that of a promise, or that of an async generator whose yields are progress. */
export async function valueOf(returned: unknown, context: Pick<ToolContext, 'progress'>, cut: Cut | AbortSignal): Promise<unknown> {
  if (isThenable(returned)) return await returned
  if (!isAsyncGenerator(returned)) return returned
  let last: unknown
  for (;;) {
    const { done, value } = await returned.next()
    if (done) return value === undefined ? last : value
    last = value
    try {
      await context.progress(value as JsonValue)
      // It may not look at the signal itself; between two yields we do.
      if (cut.aborted) throw reasonOf(cut)
    } catch (error) {
      // Its `finally` blocks belong to the call, and have the call's time to end. An iterator need not have `return`.
      await settle(Promise.resolve().then(() => returned.return?.(undefined)))
      throw error
    }
  }
}

const isAsyncGenerator = (value: unknown): value is AsyncGenerator<unknown, unknown, void> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value && typeof (value as { next?: unknown }).next === 'function'
