import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { check } from '../../../src/messages/check.ts'
import { memorySessions } from '../../../src/sessions/memory-sessions.ts'
import { Session } from '../../../src/sessions/session.ts'
import type { SessionStore } from '../../../src/sessions/session-store.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import { frontDoors } from '../../support/front-doors.ts'
import { look, toolNamed, write } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

type Fails = { now: boolean }

/** A store that fails when a call is claimed: when the claim is written, or when its order is read back. */
const failing: Readonly<Record<string, (inner: SessionStore, fails: Fails) => SessionStore>> = {
  'that cannot write the claim': (inner, fails) => ({
    ...inner,
    append: async (id, records, options) => {
      if (fails.now && records.some(({ entry }) => entry.type === 'claim')) throw new Error('the database is gone')
      await inner.append(id, records, options)
    },
  }),
  'that cannot read it back': (inner, fails) => ({
    ...inner,
    load: async (id, options) => {
      if (fails.now && options.after !== undefined) throw new Error('the database is gone')
      return await inner.load(id, options)
    },
  }),
}

const callsWrite = { calls: [{ name: 'write', input: { at: 1 } }] }
const failed = { name: 'SessionError', code: 'session_failed', message: expect.stringContaining('the database is gone') as string }

describe.each(Object.entries(failing))('a store %s', (_name, make) => {
  const made = (steps: Parameters<typeof scriptedModel>, tools = [write(() => void done.push(1))], middleware = false) => {
    const fails: Fails = { now: true }
    const model = scriptedModel(...steps)
    const store = make(memorySessions(), fails)
    const agent = new Agent({ model, retry: false, tools, session: new Session({ id: 's', store }) })
    if (middleware) agent.use('tool', (call, next) => next(call))
    return { agent, model, fails }
  }
  const done: number[] = []

  it.each(Object.entries(frontDoors))(
    'ends the run with its failure, through %s: nothing ran, and the model reads nothing',
    async (_door, open) => {
      done.length = 0
      const { agent, model, fails } = made([callsWrite, { text: 'Later.' }])
      const { result, error } = await open(agent, 'go')
      expect([result, error, done, model.requests.length]).toEqual([undefined, expect.objectContaining(failed), [], 1])
      expect(check(agent.messages)).toEqual([])
      // The agent is as good as before, and the call is closed.
      fails.now = false
      expect((await agent.invoke('and now?')).text).toBe('Later.')
      expect(done).toEqual([])
    },
  )

  it('behind a middleware, and beside a call that only reads', async () => {
    done.length = 0
    const calls = [{ name: 'look', input: { at: 1 } }, ...callsWrite.calls]
    const { agent, model } = made([{ calls }], [look(() => 'seen'), write(() => void done.push(1))], true)
    await expect(agent.invoke('go')).rejects.toMatchObject(failed)
    expect([done, model.requests.length, check(agent.messages)]).toEqual([[], 1, []])
  })

  it('in an agent below ends all the runs above it', async () => {
    done.length = 0
    const inner = new Agent({ name: 'inner', description: 'd', model: scriptedModel(callsWrite), tools: [write(() => void done.push(1))] })
    const { agent, model } = made([{ calls: [{ name: 'inner', input: { input: 'x' } }] }, { text: 'Never.' }], [inner.asTool() as never])
    await expect(agent.invoke('go')).rejects.toMatchObject(failed)
    expect([done, model.requests.length, check(agent.messages)]).toEqual([[], 1, []])
  })

  it('fails a direct call', async () => {
    done.length = 0
    const { agent } = made([])
    await expect(agent.callTool('write', { at: 1 })).rejects.toMatchObject(failed)
    expect([done, check(agent.messages)]).toEqual([[], []])
  })

  it('is not asked for what only reads', async () => {
    const { agent } = made([{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Seen.' }], [look(() => 'seen')])
    expect((await agent.invoke('go')).text).toBe('Seen.')
  })

  it('and what a tool throws is still read by the model', async () => {
    const { agent, model, fails } = made([callsWrite, { text: 'I see.' }], [toolNamed('write', () => Promise.reject(new Error('mishap')))])
    fails.now = false
    expect((await agent.invoke('go')).text).toBe('I see.')
    expect(model.requests).toHaveLength(2)
  })
})

it('a cancel while the store is asked ends the run as a cancel', async () => {
  const inner = memorySessions()
  const store: SessionStore = {
    ...inner,
    append: async (id, records, options) => {
      if (records.some(({ entry }) => entry.type === 'claim')) {
        agent.cancel('enough')
        throw new Error('the database is gone')
      }
      await inner.append(id, records, options)
    },
  }
  const agent: Agent = new Agent({ model: scriptedModel(callsWrite), tools: [write()], session: new Session({ id: 's', store }) })
  expect((await agent.invoke('go')).stopReason).toBe('cancelled')
  expect(check(agent.messages)).toEqual([])
})
