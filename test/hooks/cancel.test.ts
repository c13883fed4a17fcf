import { describe, expect, it } from 'vitest'
import { collect } from '../../src/testing/collect.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { sketch } from '../support/sketch.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const next = { text: 'The next answer.' }
const done = { text: 'Done.' }
const callsTwo = { calls: [1, 2].map((at) => ({ name: 'look', input: { at } })) }

describe('cancel', () => {
  it.each([
    ['a text', 'Not today.', 'Not today.'],
    ['true', true, 'Cancelled by a hook.'],
    ['a blank text', ' ', 'Cancelled by a hook.'],
    ['an empty text', '', 'Cancelled by a hook.'],
  ])('of beforeInvocation and beforeModelCall is the answer: %s', async (_what, cancel, text) => {
    for (const name of ['beforeInvocation', 'beforeModelCall'] as const) {
      const { agent, model } = makeAgent([next])
      const off = agent.on(name, (event) => void (event.cancel = cancel as string))
      const { result, events } = await collect(agent.stream('go'))
      off()
      expect(result?.stopReason).toBe('end_turn')
      expect(sketch(agent.messages)).toEqual(['user: "go"', `assistant: ${JSON.stringify(text)}`])
      expect(agent.messages[1]!.metadata).toEqual({ synthetic: 'hook' })
      expect(String(result)).toBe(text)
      await holdsInvariant(agent, { requests: model.requests, expected: 0, events })
    }
  })

  it.each(['beforeTools', 'beforeToolCall'] as const)('of %s is the error result of each call, and the run goes on', async (name) => {
    const ran: number[] = []
    const { agent, model } = makeAgent([callsTwo, done, next], { tools: [look(({ at }) => ran.push(at))] })
    agent.on(name, (event) => void (event.cancel = 'Not today.'))
    const { events } = await collect(agent.stream('go'))
    expect(ran).toEqual([])
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: look#call_1 {"at":1} look#call_2 {"at":2}',
      'user: call_1 error/denied "Not today." call_2 error/denied "Not today."',
      'assistant: "Done."',
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('of an invocation that had an open call: it is answered first', async () => {
    const { agent, model } = makeAgent([next], {
      tools: [look()],
      messages: [
        { role: 'user', content: 'before' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'old', name: 'look', input: { at: 1 } }] },
      ],
    })
    const off = agent.on('beforeInvocation', (event) => void (event.cancel = 'Not today.'))
    const { events } = await collect(agent.stream())
    off()
    expect(sketch(agent.messages)).toEqual([
      'user: "before"',
      'assistant: look#old {"at":1}',
      'user: old error/cancelled "The call was not run: the run ended before it."',
      'assistant: "Not today."',
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 0, events })
  })

  it('of one call leaves its siblings alone', async () => {
    const { agent } = makeAgent([callsTwo, done], { tools: [look()] })
    agent.on('beforeToolCall', (event) => {
      if (event.input['at'] === 1) event.cancel = 'Not this one.'
    })
    await agent.invoke('go')
    expect(sketch(agent.messages)[2]).toBe('user: call_1 error/denied "Not this one." call_2 success "seen 2"')
  })

  it.each([undefined, false, null])('cannot be taken back: %s after a text', async (later) => {
    const { agent } = makeAgent([])
    agent.on('beforeInvocation', (event) => void (event.cancel = 'No.'))
    agent.on('beforeInvocation', (event) => void (event.cancel = later as never))
    expect((await agent.invoke('go')).text).toBe('No.')
  })

  it.each([undefined, false, null])('%s cancels nothing', async (value) => {
    const { agent } = makeAgent([done])
    agent.on('beforeInvocation', (event) => void (event.cancel = value as never))
    agent.on('beforeModelCall', (event) => void (event.cancel = value as never))
    expect((await agent.invoke('go')).text).toBe('Done.')
  })

  it('of several hooks: all of them run, the last text counts', async () => {
    const { agent } = makeAgent([])
    agent.on('beforeInvocation', (event) => void (event.cancel = 'first'))
    agent.on('beforeInvocation', (event) => void (event.cancel = `${event.cancel}, second`))
    expect((await agent.invoke('go')).text).toBe('first, second')
  })
})
