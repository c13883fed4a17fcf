import { expect, it } from 'vitest'
import { Agent } from '../../../../src/agent/agent.ts'
import { check } from '../../../../src/messages/check.ts'
import type { ModelEvent } from '../../../../src/models/model-events.ts'
import { memorySessions } from '../../../../src/sessions/memory-sessions.ts'
import { Session } from '../../../../src/sessions/session.ts'
import { scriptedModel } from '../../../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../../../src/testing/scripted-model.ts'
import { breachesOf } from '../../../support/invariant.ts'
import { sketch } from '../../../support/sketch.ts'
import { look } from '../../../support/tools.ts'
import { refuseUnhandled } from '../../../support/unhandled.ts'

refuseUnhandled()

const calling: ScriptStep = { calls: [{ name: 'look', input: { at: 1 } }] }
const secret = 'the secret is 42'
const textDelta = (text: string): ModelEvent => ({ type: 'block_delta', index: 0, delta: { type: 'text', text } })

function inSession(...steps: readonly ScriptStep[]) {
  const store = memorySessions()
  const session = (): Session => new Session({ id: 's', store })
  const model = scriptedModel(...steps)
  const agent = new Agent({ model, retry: false, session: session(), tools: [look()] })
  const log = async (): Promise<string> => JSON.stringify(await store.load('s', { signal: new AbortController().signal }))
  return { agent, model, session, log }
}

it('an answer that a guardrail replaced is not in the session, and what tools had done is (openai-agents-js#1584, openai-agents-python#1840)', async () => {
  const { agent, session, log } = inSession(calling, [
    textDelta(secret),
    { type: 'redaction', target: 'output', replacement: 'I may not say that.' },
    { type: 'message_stop', stopReason: 'guardrail_intervened' },
  ])
  await agent.invoke('go')
  const { messages } = await session().restore()
  expect(sketch(messages)).toEqual([
    'user: "go"',
    expect.stringMatching(/^assistant: look#/),
    expect.stringMatching(/ success "seen 1"$/),
    'assistant: "I may not say that."',
  ])
  expect(await log()).not.toContain(secret)
})

it('an answer that a hook rejected is not in the session, and what tools had done is', async () => {
  const { agent, session, log } = inSession(calling, { text: secret }, { text: 'Better.' })
  agent.on('afterModelCall', (event) => {
    if (JSON.stringify(event.message?.content).includes(secret)) event.retry = { delayMs: 0, reason: 'rejected' }
  })
  await agent.invoke('go')
  const { messages } = await session().restore()
  expect([messages.length, sketch(messages).at(-1)]).toEqual([4, 'assistant: "Better."'])
  expect(await log()).not.toContain(secret)
})

it('a call that was cut off leaves neither a call without its result nor a result without its call (pi#11227, pi#6285)', async () => {
  const { agent, session } = inSession([
    textDelta('Let me look.'),
    { type: 'block_start', index: 1, block: { type: 'tool_use', name: 'look' } },
    { type: 'block_delta', index: 1, delta: { type: 'tool_input', text: '{"at":1,"te' } },
    { type: 'message_stop', stopReason: 'max_tokens' },
  ])
  await expect(agent.invoke('go')).rejects.toMatchObject({ code: 'max_tokens' })
  const model = scriptedModel({ text: 'Yes.' }, { text: 'Still.' })
  const next = new Agent({ model, session: session(), tools: [look()] })
  await next.invoke('again')
  await next.invoke('and again')
  expect(model.requests.flatMap((request) => breachesOf(request))).toEqual([])
  expect(check((await session().restore()).messages)).toEqual([])
})
