import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProgram, killRuns } from '../durable/support/kill-run.ts'
import { fc } from '../support/fast-check.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'lena-journal-kills-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

it('runs that are killed fifty times under way come to their end, and do nothing again that was done', async () => {
  // `PROPERTY_SEED=random` looks at other points.
  const seed = fc.readConfigureGlobal().seed ?? Math.trunc(Date.now() % 2 ** 31)
  // Few points at a time; in most the kill comes while the process goes on.
  const kills = fc.sample(fc.noBias(fc.record({ point: fc.integer({ min: 1, max: 24 }), ahead: fc.integer({ min: 0, max: 4 }) })), {
    seed,
    numRuns: 150,
  })
  const killed = await killRuns(await buildProgram(folder), folder, 50, (attempt) => kills[attempt]!).catch((cause: unknown) => {
    throw new Error(`Killed at the points of PROPERTY_SEED=${seed}: ${String(cause)}`, { cause })
  })
  expect(killed, `PROPERTY_SEED=${seed}`).toEqual({ landed: 50, whole: expect.any(Number) })
  expect(killed.whole, `PROPERTY_SEED=${seed}`).toBeGreaterThan(1)
}, 600_000)
