import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Session } from 'lena-agent'
import { fileSessions } from 'lena-agent/sessions'
import { buildWriter, startWriter } from '../session-stores/support/processes.ts'

const { signal } = new AbortController()
let dir: string
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'lena-kills-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

it('a session file survives kill -9 at a hundred points', async () => {
  const program = await buildWriter(dir)
  const store = fileSessions({ dir })
  let acknowledged = 0
  let cut = 0
  for (let round = 0; round < 100; round++) {
    const id = `s${Math.floor(round / 10)}`
    const before = (await store.load(id, { signal })).records
    const writer = await startWriter(program, dir, id, `r${round}`, 1_000_000, round % 2 === 0 ? 100 : 2_000_000)
    writer.start()
    await sleep((round * 7.3) % 60)
    writer.child.kill('SIGKILL')
    await writer.ended
    const { records, warnings } = await store.load(id, { signal })
    const ids = records.map(({ id }) => id)
    // What was there is there, and so is each record that was acknowledged, in order, behind the newest of before.
    expect(ids.slice(0, before.length)).toEqual(before.map(({ id }) => id))
    expect(ids.slice(before.length, before.length + writer.acknowledged().length)).toEqual(writer.acknowledged())
    expect(records.length - before.length - writer.acknowledged().length).toBeLessThanOrEqual(1)
    const restored = await new Session({ id, store }).restore()
    expect(restored.messages).toHaveLength(records.length)
    acknowledged += writer.acknowledged().length
    cut += warnings.some((text) => text.includes('no end')) ? 1 : 0
  }
  console.log(`${acknowledged} records acknowledged, ${cut} writings cut`)
  expect(acknowledged).toBeGreaterThan(0)
})
