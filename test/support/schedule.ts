import { Schedule } from '../../src/tools/schedule.ts'
import type { ScheduledCall, ToolStrategy } from '../../src/tools/strategies.ts'
import { deferred } from './promises.ts'
import type { Deferred } from './promises.ts'

type Outcome = { readonly again: ScheduledCall } | undefined

/** Calls from their flags: `calls(true, false, 'key')`. */
export const calls = (...safe: readonly (boolean | string)[]): readonly ScheduledCall[] =>
  safe.map((flag, index) => ({ id: `c${index}`, index, name: 't', readOnly: flag !== false, safe: flag }))

export const idsOf = (list: readonly ScheduledCall[]): readonly string[] => list.map(({ id }) => id)

/** One turn of the event loop: whatever can happen has happened. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A schedule whose calls end when the test says so. */
export function schedule(
  list: readonly ScheduledCall[],
  options: {
    readonly strategy: ToolStrategy
    readonly maxConcurrency?: number
    readonly signal?: AbortSignal
    readonly onStart?: (call: ScheduledCall) => void
  },
) {
  const { strategy, maxConcurrency = 10, signal = new AbortController().signal, onStart = () => {} } = options
  const running = new Map<string, Deferred<Outcome>>()
  const started: string[] = []
  const made = new Schedule(
    {
      strategy,
      maxConcurrency,
      signal,
      start: (call) => {
        onStart(call)
        started.push(call.id)
        const end = deferred<Outcome>()
        running.set(call.id, end)
        return end.promise
      },
    },
    list,
  )
  const done = made.seal()
  // Looked at by the test when it wants to; never unhandled meanwhile.
  done.catch(() => {})
  return {
    done,
    started: started as readonly string[],
    running: (): readonly string[] => [...running.keys()],
    revise: async (waiting: ScheduledCall, call: ScheduledCall): Promise<void> => {
      made.revise(waiting, call)
      await turn()
    },
    end: async (id: string, outcome?: Outcome): Promise<void> => {
      const call = running.get(id)!
      running.delete(id)
      call.resolve(outcome)
      await turn()
    },
  }
}
