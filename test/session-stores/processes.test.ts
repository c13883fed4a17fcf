import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Session } from 'lena-agent'
import { fileSessions } from 'lena-agent/sessions'
import { buildWriter, startWriter } from './support/processes.ts'

const { signal } = new AbortController()
let dir: string
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'lena-writers-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

it.each([
  ['small', 50, 10],
  ['large', 8, 1_500_000],
])('processes that append %s records to one file lose none and tear none', { timeout: 120_000 }, async (id, count, size) => {
  const program = await buildWriter(dir)
  const writers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => startWriter(program, dir, id, name, count, size)))
  for (const writer of writers) writer.start()
  await Promise.all(writers.map(({ ended }) => ended))
  const store = fileSessions({ dir })
  const { records, warnings } = await store.load(id, { signal })
  expect([records.length, warnings]).toEqual([4 * count, []])
  const session = new Session({ id, store })
  const branches = await session.branches()
  expect(branches.map(({ leaf }) => leaf).sort()).toEqual(writers.map((writer) => writer.acknowledged().at(-1)!).sort())
  for (const { leaf } of branches) {
    const { messages } = await new Session({ id, store, at: leaf }).restore()
    const [name] = messages[0]!.id.split(':')
    expect(messages.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, i) => `${name}:${i}`))
  }
})
