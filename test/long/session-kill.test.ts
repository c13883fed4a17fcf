import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Session } from 'lena-agent'
import type { Cluster } from '../session-stores/support/postgres.ts'
import { missing, startCluster } from '../session-stores/support/postgres.ts'
import { buildWriter, startWriter } from '../session-stores/support/processes.ts'
import { storeAt } from '../session-stores/support/store-at.ts'

const { signal } = new AbortController()
let dir: string
let cluster: Cluster | undefined
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lena-kills-'))
  if (!missing) cluster = await startCluster()
})
afterAll(async () => {
  await cluster?.stop()
  await rm(dir, { recursive: true, force: true })
})

it('a session file survives kill -9 at a hundred points', async () => {
  expect(await killWriters(`file:${dir}`)).toBeGreaterThan(0)
})
it('a SQLite database survives kill -9 at a hundred points', async () => {
  expect(await killWriters(`sqlite:${join(dir, 'sessions.db')}`)).toBeGreaterThan(0)
})
it.skipIf(missing)(`a PostgreSQL database survives kill -9 of its writers at a hundred points ${missing ?? ''}`, async () => {
  expect(await killWriters(`postgres:${cluster!.url}`)).toBeGreaterThan(0)
})

const seed = 20_261_130

/** The same points in every run: milliseconds after the beginning, from 0 to 60. */
function* points(): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield (state / 2 ** 32) * 60
  }
}

/** Gives the number of records that were acknowledged. */
async function killWriters(place: string): Promise<number> {
  const delays = points()
  const program = await buildWriter(dir)
  const store = storeAt(place)
  let acknowledged = 0
  let cut = 0
  for (let round = 0; round < 100; round++) {
    const id = `s${Math.floor(round / 10)}`
    const before = (await store.load(id, { signal })).records
    const writer = await startWriter(program, place, id, `r${round}`, 1_000_000, round % 2 === 0 ? 100 : 2_000_000)
    writer.start()
    // Most are killed in the midst of their work, some before any of it is done.
    if (round % 5 > 0) await once(writer.child.stdout, 'data')
    await sleep(delays.next().value)
    writer.child.kill('SIGKILL')
    await writer.ended
    // One that had ended by itself was not killed.
    expect(writer.child.signalCode).toBe('SIGKILL')
    const { records, warnings } = await store.load(id, { signal })
    const ids = records.map(({ id }) => id)
    // What was there is there, and so is each record that was acknowledged, in order, behind the newest of before.
    expect(ids.slice(0, before.length)).toEqual(before.map(({ id }) => id))
    // A server may end the last query of the process that was killed before after it was read here.
    const own = records.flatMap(({ id, entry }) => (entry.type === 'message' && entry.message.id.startsWith(`r${round}:`) ? [id] : []))
    expect(own.slice(0, writer.acknowledged().length)).toEqual(writer.acknowledged())
    expect(own.length - writer.acknowledged().length).toBeLessThanOrEqual(1)
    const restored = await new Session({ id, store }).restore()
    expect(restored.messages.length).toBeGreaterThanOrEqual(records.length)
    acknowledged += writer.acknowledged().length
    cut += warnings.some((text) => text.includes('no end')) ? 1 : 0
  }
  await store[Symbol.asyncDispose]?.()
  console.log(`${place.split(':')[0]}: seed ${seed}, 100 kills, ${acknowledged} records acknowledged, ${cut} writings cut`)
  return acknowledged
}
