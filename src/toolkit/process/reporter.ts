import type { JsonValue } from '../../util/json.ts'
import type { Clock } from '../../util/clock.ts'

/** Tells how it goes, not more often than its time allows and never while the last word is still being taken. */
export interface Reporter {
  /** There is something new. */
  changed(): void
  stop(): void
}

export type ReporterOptions = {
  readonly everyMs: number
  readonly clock: Clock
  readonly value: () => JsonValue
  readonly progress: (value: JsonValue) => Promise<void>
}

export function reporter({ everyMs, clock, value, progress }: ReporterOptions): Reporter {
  const stopped = new AbortController()
  let isBusy = false
  let isNew = false
  const report = async (): Promise<void> => {
    isBusy = true
    try {
      while (isNew && !stopped.signal.aborted) {
        isNew = false
        await progress(value())
        await clock.sleep(everyMs, stopped.signal)
      }
    } catch {
      // That nobody wants to hear how it goes must not end it.
    } finally {
      isBusy = false
    }
  }
  return {
    changed() {
      isNew = true
      if (!isBusy && !stopped.signal.aborted) void report()
    },
    stop: () => stopped.abort(),
  }
}
