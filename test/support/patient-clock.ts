import type { FakeClock } from '../../src/testing/fake-clock.ts'
import { fakeClock } from '../../src/testing/fake-clock.ts'
import type { Clock } from '../../src/util/clock.ts'
import { systemClock } from '../../src/util/clock.ts'

/** A real clock for short sleeps, on which limits of a second and more are up when the test says so, however slow the machine is. */
export function patientClock(): { readonly clock: Clock; readonly limits: FakeClock } {
  const limits = fakeClock()
  return { clock: { now: limits.now, sleep: (ms, signal) => (ms < 1000 ? systemClock : limits).sleep(ms, signal) }, limits }
}
