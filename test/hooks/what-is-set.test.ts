import { describe, expect, it } from 'vitest'
import { HookError } from '../../src/errors.ts'
import type { HookName } from '../../src/hooks/hooks.ts'
import { InterruptSignal } from '../../src/interrupts/interrupt.ts'
import type { TextBlock } from '../../src/messages/content.ts'
import type { ModelRequest } from '../../src/models/model.ts'
import { collect } from '../../src/testing/collect.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { sketch } from '../support/sketch.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const script = [{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Done.' }]
const next = { text: 'The next answer.' }
type Writable = Record<string, unknown>

describe('what a hook sets that is none', () => {
  it.each<[HookName, string, unknown, string]>([
    ['beforeModelCall', 'request', undefined, 'A beforeModelCall hook set `request` to what is none: expected a request'],
    ['beforeModelCall', 'request', { messages: 'x' }, 'A beforeModelCall hook set `request` to what is none: expected a request'],
    ...(['system', 'messages', 'tools', 'settings'] as const).map((field): [HookName, string, unknown, string] => [
      'beforeModelCall',
      'request',
      { system: [], messages: [], tools: [], settings: {}, [field]: undefined },
      'A beforeModelCall hook set `request` to what is none: expected a request',
    ]),
    ['beforeToolCall', 'tool', 'look', 'A beforeToolCall hook set `tool` to what is none: A tool is made by tool({ … }); got string.'],
    ['beforeToolCall', 'tool', {}, 'A beforeToolCall hook set `tool` to what is none: This is not a tool'],
    ['beforeToolCall', 'input', 'at 1', 'A beforeToolCall hook set `input` to what is none: expected an object such as'],
    ['beforeToolCall', 'input', [1], 'A beforeToolCall hook set `input` to what is none: expected an object such as'],
    ['beforeToolCall', 'input', null, 'A beforeToolCall hook set `input` to what is none: expected an object such as'],
    ['beforeToolCall', 'input', { at: 1n }, 'A beforeToolCall hook set `input` to what is none:'],
    ['afterTools', 'endTurn', 5, 'An afterTools hook set `endTurn` to what is none: expected true, a text or text blocks, got 5.'],
    ['afterTools', 'endTurn', {}, 'An afterTools hook set `endTurn` to what is none: expected true, a text or text blocks'],
    [
      'afterTools',
      'endTurn',
      [{ type: 'image' }],
      'An afterTools hook set `endTurn` to what is none: expected true, a text or text blocks',
    ],
  ])('%s, `%s` = %o: the run ends with an error that says so', async (name, field, value, message) => {
    const { agent, model } = makeAgent([...script, next, next], { tools: [look()] })
    const off = agent.on(name, (event) => void ((event as unknown as Writable)[field] = value))
    const { error, events } = await collect(agent.stream('go'))
    off()
    expect(error).toBeInstanceOf(HookError)
    expect({ code: error?.code, hook: (error as HookError).hook }).toEqual({ code: 'hook_failed', hook: name })
    expect(error?.message).toContain(message)
    while (model.requests.length < 2) await agent.invoke('more').catch(() => {})
    await holdsInvariant(agent, { requests: model.requests, events })
  })

  it.each([undefined, null])('afterTools, `endTurn` = %s: the run goes on', async (value) => {
    const { agent } = makeAgent(script, { tools: [look()] })
    agent.on('afterTools', (event) => void ((event as unknown as Writable)['endTurn'] = value))
    expect((await agent.invoke('go')).text).toBe('Done.')
  })

  it('afterModelCall, `retry` = true: asked again at once, and the event says who wanted it', async () => {
    const { agent } = makeAgent([{ text: 'One.' }, { text: 'Two.' }])
    agent.on('afterModelCall', (event) => void (event.attempt === 1 && ((event as unknown as Writable)['retry'] = true)))
    const { events } = await collect(agent.stream('go'))
    expect(events.find(({ type }) => type === 'retry')).toMatchObject({ code: 'hook', delayMs: 0, attempt: 2 })
    expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: "Two."'])
  })
})

describe('a hook that cannot ask, and throws what it kept of a question', () => {
  it('has thrown: it is not passed over in silence', async () => {
    const { agent } = makeAgent(script, { tools: [look()] })
    const signal = new InterruptSignal({ id: 'call_1/x', name: 'x', reason: null, path: [] })
    const seen: string[] = []
    agent.on('messageAdded', () => Promise.reject(signal))
    agent.on('messageAdded', () => void seen.push('behind it'))
    await expect(agent.invoke('go')).rejects.toMatchObject({ code: 'hook_failed', hook: 'messageAdded', cause: signal })
    expect(seen).toEqual([])
  })
})

describe('what a hook changes in place', () => {
  it.each(['of an agent', 'of an agent as a tool'] as const)('the system prompt %s that has none stays as it was', async (whose) => {
    const { agent, model } = makeAgent([{ text: 'One.' }, { text: 'Two.' }])
    const add = ({ system }: ModelRequest): unknown => (system as TextBlock[]).push({ type: 'text', text: 'mine' })
    agent.on('beforeModelCall', ({ request }) => void expect(() => add(request)).toThrow(TypeError))
    if (whose === 'of an agent') {
      await agent.invoke('go')
      await agent.invoke('go on')
    } else {
      const calls = [1, 2].map(() => ({ name: 'agent', input: { input: 'go' } }))
      const boss = makeAgent([{ calls }, { text: 'Done.' }], { tools: [agent.asTool({ instructions: '' })] })
      await boss.agent.invoke('go')
      expect(sketch(boss.agent.messages)[2]).toBe('user: call_1 success "One." call_2 success "Two."')
    }
    expect(model.requests.map(({ system }) => system)).toEqual([[], []])
  })
})
