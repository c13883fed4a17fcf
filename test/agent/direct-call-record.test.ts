import { describe, expect, it } from 'vitest'
import { check } from '../../src/messages/check.ts'
import type { MessageInput } from '../../src/messages/message.ts'
import { repair } from '../../src/messages/repair.ts'
import { fc } from '../support/fast-check.ts'
import { anyHistory, assistant, call, user } from '../support/history.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { sketch } from '../support/sketch.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const done = { text: 'Done.' }
const note = '[The program calls the tool look itself; the model did not ask for it.]'
const end = "[The program's call of look ended with success.]"

describe('the record of a direct call', () => {
  it('is four messages, frozen, that say whose they are', async () => {
    const { agent, model } = makeAgent([done], { tools: [look()] })
    await agent.callTool('look', { at: 1 })
    const metadata = { synthetic: 'direct_call' }
    expect(agent.messages).toEqual([
      { id: 'msg_1', role: 'user', content: [{ type: 'text', text: note }], metadata },
      { id: 'msg_2', role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 } }], metadata },
      {
        id: 'msg_3',
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: 'call_1', status: 'success', content: [{ type: 'text', text: 'seen 1' }] }],
        metadata,
      },
      { id: 'msg_4', role: 'assistant', content: [{ type: 'text', text: end }], metadata },
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 0 })
  })

  it('is there from the beginning of the call on', async () => {
    const seen: (readonly string[])[] = []
    const { agent } = makeAgent([done], { tools: [look((_input, context) => (seen.push(sketch(context.agent.messages)), 'ok'))] })
    await agent.callTool('look', { at: 1 })
    expect(seen).toEqual([[`user: ${JSON.stringify(note)}`, 'assistant: look#call_1 {"at":1}']])
  })

  it('is told to the hooks, message by message', async () => {
    const added: string[] = []
    const { agent } = makeAgent([done], { tools: [look()], messages: [user('go')] })
    agent.on('messageAdded', ({ message, replaces, turn }) => void added.push(`${turn} ${message.role} ${replaces ?? 'new'}`))
    await agent.callTool('look', { at: 1 })
    expect(added).toEqual([`0 user ${agent.messages[0]!.id}`, '0 assistant new', '0 user new', '0 assistant new'])
  })

  it('is left out with `record: false`', async () => {
    const { agent, model } = makeAgent([done], { tools: [look()], messages: [user('go'), assistant('calling', call('a', 'look'))] })
    const { messages } = agent
    const added: string[] = []
    agent.on('messageAdded', ({ message }) => void added.push(message.role))
    expect(await agent.callTool('look', { at: 1 }, { record: false })).toMatchObject({ status: 'success', value: 'seen 1' })
    expect(agent.messages).toBe(messages)
    expect([added, model.requests]).toEqual([[], []])
  })
})

describe('a history that ends', () => {
  const ends = async (messages: readonly MessageInput[]) => {
    const { agent, model } = makeAgent([done], { tools: [look()], messages })
    await agent.callTool('look', { at: 1 })
    const lines = sketch(agent.messages)
    await holdsInvariant(agent, { requests: model.requests, expected: 0 })
    return lines
  }
  const record = ['assistant: look#call_1 {"at":1}', 'user: call_1 success "seen 1"', `assistant: ${JSON.stringify(end)}`]

  it('with an answer goes on behind it', async () => {
    expect(await ends([user('go'), assistant('well')])).toEqual([
      'user: "go"',
      'assistant: "well"',
      `user: ${JSON.stringify(note)}`,
      ...record,
    ])
  })

  it('with a prompt has the note joined to it', async () => {
    expect(await ends([user('go')])).toEqual([`user: "go" ${JSON.stringify(note)}`, ...record])
  })

  it('with open calls has them answered first, as by a prompt', async () => {
    const lines = await ends([user('go'), assistant('calling', call('a'), call('b'))])
    const lost = (id: string): string =>
      `${id} error/unknown_outcome "No result of this call of add was recorded. It may or may not have run; check before you repeat it."`
    expect(lines).toEqual([
      'user: "go"',
      'assistant: "calling" add#a {} add#b {}',
      `user: ${lost('a')} ${lost('b')} ${JSON.stringify(note)}`,
      ...record,
    ])
  })

  it('in whatever way is legal afterwards, and what was in it is still there', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, fc.boolean(), async (messages, recorded) => {
        const { agent } = makeAgent([], { tools: [look()], messages })
        const before = agent.messages
        const outcome = await agent.callTool('look', { at: 1 }, { record: recorded })
        expect(outcome.status).toBe('success')
        if (!recorded) {
          expect(agent.messages).toBe(before)
          return
        }
        expect(check(agent.messages)).toEqual([])
        const said = JSON.stringify(agent.messages)
        for (const { content } of repair(messages, { openCalls: 'keep' }))
          for (const block of content) expect(said).toContain(JSON.stringify(block))
        expect(sketch(agent.messages.slice(-3))[1]).toContain('success "seen 1"')
      }),
    )
  })
})

it('the id of the call is new in a history that has it already', async () => {
  const { agent } = makeAgent([done], {
    tools: [look()],
    messages: [
      user('go'),
      assistant(call('call_1', 'look')),
      user({ type: 'tool_result', toolUseId: 'call_1', status: 'success', content: [] }),
    ],
  })
  await agent.callTool('look', { at: 1 })
  expect(check(agent.messages)).toEqual([])
  expect(sketch(agent.messages)[3]).toBe('assistant: look#call_1_2 {"at":1}')
})
