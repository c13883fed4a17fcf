import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writersAt } from '../session-stores/support/writers-at.ts'

let dir: string
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'lena-writers-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

it.each(['file', 'sqlite'])('processes that append many large records to one %s lose none and tear none', async (kind) => {
  expect(await writersAt(`${kind}:${join(dir, kind)}`, { id: 'large', count: 12, size: 1_500_000 })).toBe(48)
})
