import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { reporter } from '../../../src/toolkit/process/reporter.ts'

test('while the last word is still being taken nothing more is said, and then only what is new', async () => {
  let take = (): void => {}
  let wake = (): void => {}
  const said: number[] = []
  let value = 0
  const report = reporter({
    everyMs: 1,
    clock: { now: () => 0, sleep: () => new Promise<void>((resolve) => (wake = resolve)) },
    value: () => value,
    progress: (now) => {
      said.push(now as number)
      return new Promise<void>((resolve) => (take = resolve))
    },
  })
  for (value = 1; value <= 3; value++) report.changed()
  await setImmediate()
  expect(said).toEqual([1])
  take()
  await setImmediate()
  report.changed()
  await setImmediate()
  expect(said).toEqual([1])
  wake()
  await setImmediate()
  expect(said).toEqual([1, 4])
  take()
  await setImmediate()
  wake()
  await setImmediate()
  expect(said).toEqual([1, 4])
  report.changed()
  await setImmediate()
  expect(said).toEqual([1, 4, 4])
  report.stop()
})
