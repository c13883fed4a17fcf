import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProgram, killRuns } from './support/kill-run.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'lena-journal-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

it('a run that is killed five times comes to its end, and does nothing again that was done', async () => {
  // At a point, and while the process goes on.
  const kills = [1, 4, 7, 10, 5].map((point, index) => ({ point, ahead: index % 2 === 0 ? 0 : 4 }))
  expect(await killRuns(await buildProgram(folder), folder, kills.length, (attempt) => kills[attempt]!)).toEqual({ landed: 5, whole: 1 })
}, 120_000)
