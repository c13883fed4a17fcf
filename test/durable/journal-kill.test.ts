import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProgram, killRuns } from './support/kill-run.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'lena-journal-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

it('a run that is killed five times comes to its end, and does nothing again that was done', async () => {
  const points = [1, 4, 7, 10, 5]
  expect(await killRuns(await buildProgram(folder), folder, 5, (kill) => points[kill]!)).toBe(1)
}, 120_000)
