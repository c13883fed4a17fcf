import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProgram, killRuns } from '../durable/support/kill-run.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'lena-journal-kills-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

it('runs that are killed fifty times come to their end, and do nothing again that was done', async () => {
  // Few points at a time: the kill comes while the process goes on.
  expect(await killRuns(await buildProgram(folder), folder, 50, () => 1 + Math.floor(Math.random() * 24))).toBeGreaterThan(1)
}, 600_000)
