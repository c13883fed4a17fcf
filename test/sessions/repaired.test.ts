import { expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import type { ContextManager } from '../../src/context/context-manager.ts'
import type { Message } from '../../src/messages/message.ts'
import { memorySessions } from '../../src/sessions/memory-sessions.ts'
import { recordsOf } from '../../src/sessions/entry.ts'
import { Session } from '../../src/sessions/session.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'

const { signal } = new AbortController()
const said = (id: string, role: Message['role']): Message => ({ id, role, content: [{ type: 'text', text: id }] })

it('what had to be repaired is in the session as the agent has it, and what a compaction keeps of it is not lost', async () => {
  const store = memorySessions()
  const session = new Session({ id: 's', store })
  // The record of the first prompt is lost.
  const messages = [said('m2', 'assistant'), said('m3', 'user'), said('m4', 'assistant')]
  const records = recordsOf(
    messages.map((message) => ({ type: 'message', message })),
    { after: null, time: 1, ids: countingIds() },
  )
  await store.append('s', records, { signal })
  const changesTheLast: ContextManager = {
    name: 'changes the last',
    before: async ({ messages }) => [...messages.slice(0, -1), { ...messages.at(-1)!, id: 'changed' }],
    reduce: async () => undefined,
  }
  const agent = new Agent({ model: scriptedModel({ text: 'Yes.' }), retry: false, session, context: changesTheLast })
  await agent.invoke('go on')
  expect(agent.messages.map(({ id }) => id).slice(1, 5)).toEqual(['m2', 'm3', 'm4', 'changed'])
  const { messages: kept, warnings } = await session.restore()
  expect(kept).toEqual(agent.messages)
  expect(warnings).toEqual([])
})
