import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writersAt } from '../session-stores/support/writers-at.ts'

let dir: string
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'lena-writers-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

// The processes start at once, where there is no database yet: they make it at once too. With more large records:
// `test/long/session-writers.test.ts`.
it.each([
  ['file', 'small', 50, 10],
  ['file', 'large', 3, 1_500_000],
  ['sqlite', 'small', 50, 10],
  ['sqlite', 'large', 3, 1_500_000],
])('processes that append to one %s %s records lose none and tear none', { timeout: 120_000 }, async (kind, id, count, size) => {
  expect(await writersAt(`${kind}:${join(dir, `${kind}-${id}`)}`, { id, count, size })).toBe(4 * count)
})
