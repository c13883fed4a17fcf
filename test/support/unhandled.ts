import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { tick } from '../../src/util/clock.ts'

/** Fails each test of the file in which a promise was rejected and nobody took note, or Node gave a warning. */
export function refuseUnhandled(): void {
  const seen: unknown[] = []
  const onRejection = (reason: unknown): void => void seen.push(reason)
  const onWarning = (warning: Error): void => void seen.push(warning)
  beforeAll(() => {
    process.on('unhandledRejection', onRejection)
    process.on('warning', onWarning)
  })
  afterEach(async () => {
    // Node tells of them only after the microtasks of a turn have run.
    await tick()
    await tick()
    expect(seen.splice(0)).toEqual([])
  })
  afterAll(() => {
    process.off('unhandledRejection', onRejection)
    process.off('warning', onWarning)
  })
}
