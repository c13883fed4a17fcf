import { join } from 'node:path'
import { expect } from 'vitest'
import { Session } from 'lena-agent'
import { programOf } from '../../support/program.ts'
import { startWriter } from './processes.ts'
import { storeAt } from './store-at.ts'

const { signal } = new AbortController()

/** Four processes open one store at once, and append to one session. Gives the number of records that are there. */
export async function writersAt(place: string, { id = 'a', count = 50, size = 10 } = {}): Promise<number> {
  const store = storeAt(place)
  try {
    const program = await programOf(join(import.meta.dirname, 'writer.ts'))
    const writers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => startWriter(program, place, id, name, count, size)))
    for (const writer of writers) writer.start()
    await Promise.all(writers.map(({ ended }) => ended))
    expect(writers.map(({ child }) => child.exitCode)).toEqual([0, 0, 0, 0])
    const { records, warnings } = await store.load(id, { signal })
    expect([records.length, warnings]).toEqual([4 * count, []])
    const branches = await new Session({ id, store }).branches()
    expect(branches.map(({ leaf }) => leaf).sort()).toEqual(writers.map((writer) => writer.acknowledged().at(-1)!).sort())
    for (const { leaf } of branches) {
      const { messages } = await new Session({ id, store, at: leaf }).restore()
      const [name] = messages[0]!.id.split(':')
      expect(messages.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, i) => `${name}:${i}`))
    }
    return records.length
  } finally {
    await store[Symbol.asyncDispose]?.()
  }
}
