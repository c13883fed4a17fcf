import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Message, SessionEntry, SessionStore } from 'lena-agent'
import { Agent, check, memorySessions, Session } from 'lena-agent'
import { fileSessions, sqliteSessions } from 'lena-agent/sessions'
import { countingIds, fakeClock, scriptedModel } from 'lena-agent/testing'
import { recordsOf } from '../../src/sessions/entry.ts'
import { openSession } from '../../src/sessions/open-session.ts'
import { settlesWithin } from '../support/settles.ts'

const { signal } = new AbortController()
const said = (id: string, role: Message['role'] = 'user'): SessionEntry => ({
  type: 'message',
  message: { id, role, content: [{ type: 'text', text: id }] } satisfies Message,
})
const hanging = (): Promise<never> => new Promise(() => {})

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'lena-hostile-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

const stores: readonly (readonly [name: string, make: () => Promise<Required<SessionStore> & Partial<AsyncDisposable>>])[] = [
  ['memory', async () => memorySessions()],
  ['files', async () => fileSessions({ dir: await folder() })],
  ['SQLite', async () => sqliteSessions({ path: join(await folder(), 'sessions.db') })],
]

describe.each(stores)('sessions in %s', { timeout: 120_000 }, (_, make) => {
  async function store() {
    const made = await make()
    onTestFinished(async () => await made[Symbol.asyncDispose]?.())
    return made
  }
  const idsOf = async (session: Session): Promise<readonly string[]> => (await session.restore()).messages.map(({ id }) => id)
  const add = async (session: Session, ...entries: readonly SessionEntry[]): Promise<void> =>
    await (await openSession(session, { signal })).append(entries)

  it('may be forked from forks, each with its own past and future', async () => {
    const first = new Session({ id: 'first', store: await store() })
    await add(first, said('a'), said('b', 'assistant'), { type: 'state', state: { turns: 1 } }, said('c'), said('d', 'assistant'))
    const second = await first.fork({ id: 'second', at: 'b' })
    await add(second, said('e'), said('f', 'assistant'))
    const third = await second.fork({ id: 'third' })
    const fourth = await third.fork({ id: 'fourth', at: 'e' })
    await add(third, said('g'), { type: 'compaction', messages: [{ kept: ['a', 'b'] }, { kept: ['g', 'g'] }] })
    await add(fourth, { type: 'state', state: { turns: 9 } })
    const fifth = await third.fork({ id: 'fifth' })
    expect(await Promise.all([first, second, third, fourth, fifth].map(idsOf))).toEqual([
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'e', 'f'],
      ['a', 'b', 'g'],
      ['a', 'b', 'e'],
      ['a', 'b', 'g'],
    ])
    // A record of the session that was left is none of the fork.
    await expect(fourth.fork({ id: 'sixth', at: 'd' })).rejects.toMatchObject({ code: 'record_not_found' })
    expect([(await first.restore()).state, (await second.restore()).state, (await fourth.restore()).state]).toEqual([
      { turns: 1 },
      undefined,
      { turns: 9 },
    ])
  })

  it('follow what was written last, also when the clock went back', async () => {
    const session = new Session({ id: 's', store: await store() })
    const at = async (time: number): Promise<void> => {
      const open = await openSession(session, { signal, clock: fakeClock(time) })
      await open.append([said(`at ${time}`)])
    }
    for (const time of [5000, 3000, -1, 4000]) await at(time)
    expect(await idsOf(session)).toEqual(['at 5000', 'at 3000', 'at -1', 'at 4000'])
    expect((await session.branches()).length).toBe(1)
  })

  it('of ten thousand messages are restored whole, and gone on with', async () => {
    const kept = await store()
    const entries = Array.from({ length: 10_000 }, (_, i) => said(`m${i}`, i % 2 === 0 ? 'user' : 'assistant'))
    await kept.append('s', recordsOf(entries, { after: null, time: 1, ids: countingIds() }), { signal })
    const agent = new Agent({ model: scriptedModel({ text: 'Yes.' }), session: new Session({ id: 's', store: kept }) })
    await agent.invoke('and now?')
    expect([agent.messages.length, check(agent.messages)]).toEqual([10_002, []])
    expect((await new Session({ id: 's', store: kept }).restore()).messages).toEqual(agent.messages)
  })
})

describe('a store that does not answer, and does not heed its signal', () => {
  const reading: SessionStore = { ...memorySessions(), load: hanging }
  const session = new Session({ id: 's', store: reading })
  const agentOn = (clock = fakeClock()) => ({ agent: new Agent({ model: scriptedModel({ text: 'Yes.' }), session, clock }), clock })

  it('does not keep a run that was cancelled', async () => {
    const { agent } = agentOn()
    const controller = new AbortController()
    const run = agent.invoke('go', { signal: controller.signal })
    setImmediate(() => controller.abort(new Error('enough')))
    expect((await run).stopReason).toBe('cancelled')
    expect(agent.isRunning).toBe(false)
  })

  it('is given up after two minutes', async () => {
    const { agent, clock } = agentOn()
    const run = agent.invoke('go').catch((error: unknown) => error)
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(120_000)
    expect(await run).toMatchObject({ name: 'SessionError', code: 'session_timeout' })
  })

  it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ['restore()', (signal) => session.restore({ signal })],
    ['branches()', (signal) => session.branches({ signal })],
    ['fork()', (signal) => session.fork({ id: 'f', signal })],
    [
      'the writing of fork()',
      (signal) => new Session({ id: 's', store: { ...memorySessions(), append: hanging } }).fork({ id: 'f', signal }),
    ],
    ['agent.ready()', (signal) => agentOn().agent.ready({ signal })],
  ])('does not keep %s', async (_, begin) => {
    const controller = new AbortController()
    const begun = begin(controller.signal)
    setImmediate(() => controller.abort(new Error('enough')))
    expect((await settlesWithin(begun, 50, 'what was begun')).status).toBe('rejected')
  })
})
