import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { check } from '../../../src/messages/check.ts'
import type { SessionRecord } from '../../../src/sessions/entry.ts'
import { memorySessions } from '../../../src/sessions/memory-sessions.ts'
import { Session } from '../../../src/sessions/session.ts'
import type { SessionStore } from '../../../src/sessions/session-store.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../../src/testing/scripted-model.ts'
import { look, write } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const { signal } = new AbortController()
const both: ScriptStep = { text: 'Both.', calls: ['write', 'look', 'write'].map((name, at) => ({ name, input: { at } })) }

/** What a whole run leaves behind, record by record. */
async function wholeLog(): Promise<{ readonly records: readonly SessionRecord[]; readonly ran: readonly string[] }> {
  const store = memorySessions()
  const { agent, ran } = agentOn(store, [both, both, { text: 'Done.' }])
  await agent.invoke('go')
  return { records: (await store.load('s', { signal })).records, ran }
}

function agentOn(store: SessionStore, steps: readonly ScriptStep[], session = new Session({ id: 's', store })) {
  const ran: string[] = []
  const note = (name: string) => (_: unknown, context: { readonly idempotencyKey: string }) => {
    ran.push(`${name} ${context.idempotencyKey}`)
    return `${name} ran`
  }
  const tools = [look(note('look')), write(note('write'))]
  return { agent: new Agent({ model: scriptedModel(...steps), retry: false, tools, session }), ran }
}

/** A process died when so many records were stored. */
async function diedAfter(records: readonly SessionRecord[]): Promise<SessionStore> {
  const store = memorySessions()
  await store.append('s', records, { signal })
  return store
}

const writes = (ran: readonly string[]): readonly string[] => ran.filter((name) => name.startsWith('write'))
const answers = Array.from({ length: 4 }, (): ScriptStep => ({ text: 'I see.' }))

describe('a process that dies after any record', () => {
  it('leaves a session that a prompt goes on with: legal, and nothing is run again', async () => {
    const { records } = await wholeLog()
    expect(records.length).toBe(16)
    for (let stored = 0; stored <= records.length; stored++) {
      const store = await diedAfter(records.slice(0, stored))
      const { agent, ran } = agentOn(store, answers)
      await agent.invoke('and now?')
      expect([stored, check(agent.messages), ran]).toEqual([stored, [], []])
      // What was repaired is in the session as the agent has it.
      const again = agentOn(store, [])
      await again.agent.ready()
      expect(again.agent.messages).toEqual(agent.messages)
    }
  })

  it('leaves a session that is gone on with by itself: what was written is never written again, what was read may be', async () => {
    const { records, ran: before } = await wholeLog()
    const stores = await Promise.all(records.map(async (_, stored) => await diedAfter(records.slice(0, stored + 1))))
    const claimed = records.map(({ entry }) => (entry.type === 'claim' ? entry.idempotencyKey : ''))
    let again = 0
    for (const [stored, store] of stores.entries()) {
      const { agent, ran } = agentOn(store, answers)
      await agent.ready()
      if (agent.messages.at(-1)?.role !== 'user' && !agent.messages.at(-1)?.content.some(({ type }) => type === 'tool_use')) continue
      await agent.invoke()
      expect(check(agent.messages)).toEqual([])
      // A write that somebody had begun is not begun again, whatever came of it.
      const begun = new Set(claimed.slice(0, stored + 1))
      expect(writes(ran).filter((line) => begun.has(line.slice('write '.length)))).toEqual([])
      expect(writes(ran).every((line) => writes(before).includes(line))).toBe(true)
      again += ran.length - writes(ran).length
    }
    expect(again).toBeGreaterThan(0)
  })

  it('leaves a session whose forks write nothing again either, wherever they leave it', async () => {
    const { records } = await wholeLog()
    let gone = 0
    for (let stored = 1; stored <= records.length; stored++)
      for (const { id: at } of records.slice(0, stored)) {
        const store = await diedAfter(records.slice(0, stored))
        const fork = await new Session({ id: 's', store }).fork({ id: 'fork', at })
        const { agent, ran } = agentOn(store, answers, fork)
        await agent.ready()
        if (agent.messages.at(-1)?.role !== 'user' && !agent.messages.at(-1)?.content.some(({ type }) => type === 'tool_use')) continue
        await agent.invoke()
        expect(check(agent.messages)).toEqual([])
        const begun = records
          .slice(0, stored)
          .flatMap(({ entry }) => (entry.type === 'claim' ? [entry.idempotencyKey.slice('s:'.length)] : []))
        expect(writes(ran).filter((line) => begun.includes(line.slice('write fork:'.length)))).toEqual([])
        // Nor when the fork is read once more.
        const again = agentOn(store, [], fork)
        await again.agent.ready()
        expect(again.agent.messages).toEqual(agent.messages)
        gone++
      }
    expect(gone).toBeGreaterThan(50)
  })
})
