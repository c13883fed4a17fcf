import { mkdtemp, open, readFile, realpath, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { workspaceState } from '../../../src/cli/folders.ts'
import { Session } from '../../../src/index.ts'
import type { SessionEntry } from '../../../src/index.ts'
import { recordsOf } from '../../../src/sessions/entry.ts'
import { randomIds } from '../../../src/util/ids.ts'
import { fileSessions } from '../../../src/session-stores/index.ts'
import { scriptedModel } from '../../../src/testing/index.ts'
import { lena, newHome, world } from '../support/world.ts'

vi.setConfig({ testTimeout: 60_000 })
afterEach(() => void vi.restoreAllMocks())

/** What is read through file handles, in bytes. */
async function countReads(): Promise<() => number> {
  const handle = await open('/dev/null', 'r')
  const prototype = Object.getPrototypeOf(handle) as { read(...of: unknown[]): Promise<{ readonly bytesRead: number }> }
  await handle.close()
  const { read } = prototype
  let bytes = 0
  vi.spyOn(prototype, 'read').mockImplementation(async function (this: unknown, ...args) {
    const done = await read.apply(this, args)
    bytes += done.bytesRead
    return done
  })
  return () => bytes
}

it('a session that is gone on with is read once, and of the others only how they begin', async () => {
  const [home, cwd] = [newHome(), await realpath(await mkdtemp(join(tmpdir(), 'lena-reads-')))]
  const around = { cwd, home, ids: 'random' as const }
  const says = (text: string): Parameters<typeof lena>[1] => ({ ...around, model: scriptedModel({ text }) })
  expect((await lena(['-p', 'begin'], says('Begun.'))).code).toBe(0)
  const dir = join(workspaceState(world({ home }).io, cwd), 'sessions')
  const store = fileSessions({ dir })
  const [first] = await store.list()
  const path = join(dir, `${first!.id}.jsonl`)
  // Twenty others, all older.
  const others = await Promise.all(
    Array.from({ length: 20 }, (_, n) => new Session({ id: first!.id, store }).fork({ id: `3old${String(n).padStart(2, 'a')}` })),
  )
  for (const { id } of others) {
    const old = join(dir, `${id}.jsonl`)
    await writeFile(old, `${await readFile(old, 'utf8')}${JSON.stringify({ filler: 'x'.repeat(200_000) })}\n`)
    await utimes(old, 1, 1)
  }
  // Results of calls count, but the model is sent nothing of them.
  const text = 'word '.repeat(4000)
  const entries = Array.from({ length: 100 }, (_, n): SessionEntry => ({
    type: 'tool_result',
    idempotencyKey: `k${n}`,
    result: { type: 'tool_result', toolUseId: `c${n}`, status: 'success', content: [{ type: 'text', text }] },
  }))
  const after = (await store.load(first!.id)).records.at(-1)!.id
  for (const record of recordsOf(entries, { after, time: 1, ids: randomIds })) await store.append(first!.id, [record])
  const { length } = await readFile(path)
  expect(length).toBeGreaterThan(1_900_000)
  const bytes = await countReads()
  expect(await lena(['-p', '--continue', 'and now'], says('Now.'))).toMatchObject({ code: 0, stdout: 'Now.\n' })
  // All of the one, its beginning for the title, and a piece of each for its header.
  expect(bytes()).toBeLessThan(length + 65_536 + 21 * 4096 + 65_536)
  expect(bytes()).toBeGreaterThanOrEqual(length)
})
