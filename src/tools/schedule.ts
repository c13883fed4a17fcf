import { ScheduleError } from '../errors.ts'
import type { ScheduledCall, ToolStrategy } from './strategies.ts'

export type ScheduleOptions = {
  readonly calls: readonly ScheduledCall[]
  readonly strategy: ToolStrategy
  readonly maxConcurrency: number
  /** Once it fires no call starts any more. */
  readonly signal: AbortSignal
  /** Runs one call to its end; never rejects. `again` puts it back with other flags, before it has done anything. */
  readonly start: (call: ScheduledCall) => Promise<{ readonly again: ScheduledCall } | undefined>
}

/**
 * Runs calls in the order that a strategy gives. Resolves when all that started have ended and nothing more will start.
 *
 * Every end of a call costs the same, however many are running: each wakes the schedule itself, nothing is raced.
 *
 * @throws {ScheduleError} when the strategy starts nothing while nothing runs and calls are waiting.
 */
export function runSchedule({ calls, strategy, maxConcurrency, signal, start }: ScheduleOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    let waiting: readonly ScheduledCall[] = calls
    const running = new Map<string, ScheduledCall>()
    let failure: ScheduleError | undefined

    const pump = (): void => {
      // Asked before each: the start of one call may be what fires the signal.
      if (!signal.aborted && !failure && waiting.length > 0) for (const call of choose()) if (!signal.aborted) begin(call)
      if (running.size > 0) return
      if (failure && !signal.aborted) reject(failure)
      else resolve()
    }
    const begin = (call: ScheduledCall): void => {
      waiting = waiting.filter((other) => other !== call)
      running.set(call.id, call)
      void start(call).then((outcome) => {
        running.delete(call.id)
        if (outcome) waiting = [...waiting, outcome.again].sort((a, b) => a.index - b.index)
        pump()
      })
    }
    /** What the strategy wants, as far as it is waiting and there is room: a user's strategy may be wrong. */
    const choose = (): readonly ScheduledCall[] => {
      try {
        const wanted = new Set(
          strategy.next({ waiting: [...waiting], running: [...running.values()], sealed: true, maxConcurrency }).map((call) => call.id),
        )
        const chosen = waiting.filter((call) => wanted.has(call.id)).slice(0, Math.max(0, maxConcurrency - running.size))
        if (chosen.length > 0 || running.size > 0) return chosen
        failure = new ScheduleError(
          `The schedule strategy "${strategy.name}" starts none of ${waiting.length} waiting calls although nothing is running. It must start at least one.`,
        )
      } catch (error) {
        failure = new ScheduleError(
          `The schedule strategy "${strategy.name}" threw: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        )
      }
      return []
    }
    pump()
  })
}
