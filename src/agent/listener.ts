import { HookError } from '../errors.ts'
import { settle, settleOrAbort } from '../util/abort.ts'
import { isThenable } from '../util/bounded.ts'
import type { AgentEvent, Emit } from './events.ts'
import type { Run } from './run.ts'

/**
 * Calls `onEvent` with one event after the other, each when the last was dealt with. What it throws ends the run, and it is
 * not called again. After a cancel nobody waits for it any more.
 */
export function listener(run: Run, onEvent: (event: AgentEvent) => void | Promise<void>): Emit {
  let tail: Promise<void> | undefined
  let broken = false

  const failed = (error: unknown): void => {
    broken = true
    run.fail(
      new HookError(`\`onEvent\` threw: ${error instanceof Error ? error.message : String(error)}`, { hook: 'onEvent', cause: error }),
    )
  }
  const call = (event: AgentEvent): void | Promise<void> => {
    if (broken) return
    try {
      const returned: unknown = onEvent(event)
      if (!isThenable(returned)) return
      return settle(returned).then((settled) => void (settled.ok || failed(settled.error)))
    } catch (error) {
      failed(error)
    }
  }
  const deliver = (event: AgentEvent): void | Promise<void> => {
    if (!tail) {
      const returned = call(event)
      if (!returned) return
      tail = returned
    } else {
      tail = tail.then(() => call(event))
    }
    const mine = tail
    void mine.then(() => {
      if (tail === mine) tail = undefined
    })
    return settleOrAbort(mine, run.signal).then(() => {})
  }
  return deliver
}
