import { childController, notNeeded } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import { orAborted } from './or-aborted.ts'

export type WithinOptions = {
  readonly ms: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** What is thrown when the time is up. */
  readonly late: () => Error
}

/** Waits for what `run` does, no longer than the signal and no longer than this; its own signal tells it of both. */
export async function within<T>({ ms, clock, signal, late }: WithinOptions, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { controller, release } = childController(signal)
  const timer = new AbortController()
  void clock.sleep(ms, timer.signal).then(() => {
    if (!timer.signal.aborted) controller.abort(late())
  })
  try {
    return await orAborted(run(controller.signal), controller.signal)
  } finally {
    timer.abort(notNeeded)
    release()
  }
}
