import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { localFiles } from '../../../src/host/local-files.ts'
import { onePerFile } from '../../../src/toolkit/files/one-per-file.ts'

const { signal } = new AbortController()

test('who comes while the second one is at work waits for it, although the first has ended', async () => {
  const files = { ...localFiles }
  const log: string[] = []
  const ends = new Map<string, () => void>()
  const change = (name: string, path = '/a'): Promise<void> =>
    onePerFile(
      files,
      path,
      () => {
        log.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      },
      signal,
    )
  const first = change('first')
  const second = change('second')
  await setImmediate()
  ends.get('first')!()
  await first
  await setImmediate()
  const third = change('third')
  const other = change('another file', '/b')
  await setImmediate()
  expect(log).toEqual(['first', 'second', 'another file'])
  ends.get('second')!()
  await second
  await setImmediate()
  expect(log).toEqual(['first', 'second', 'another file', 'third'])
  for (const end of ends.values()) end()
  await Promise.all([third, other])
})
