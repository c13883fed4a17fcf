import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/agent/events.ts'
import { AgentError, InputError, MaxTokensError, NetworkError } from '../../src/errors.ts'
import { collect } from '../../src/testing/collect.ts'
import { breachesOf, holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { sketch } from '../support/sketch.ts'
import { look, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const next = { text: 'The next answer.' }
const callsWrite = { calls: [{ name: 'write', input: { at: 1 } }] }

describe('after a run that failed', () => {
  it('invoke() without input tries the same again', async () => {
    const { agent, model } = makeAgent([{ error: new NetworkError('reset') }, { text: 'At last.' }, next])
    await expect(agent.invoke('go')).rejects.toMatchObject({ code: 'network' })
    expect((await agent.invoke()).text).toBe('At last.')
    expect(model.requests[1]!.messages).toEqual(model.requests[0]!.messages)
    expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: "At last."'])
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })

  it('a new prompt is joined to the one that is open: the message is replaced, and that is told', async () => {
    const { agent, model } = makeAgent([{ error: new NetworkError('reset') }, { text: 'Both.' }, next])
    await collect(agent.stream('first'))
    const { events } = await collect(agent.stream('second'))
    expect(events.filter(({ type }) => type === 'message_added')).toEqual([
      { type: 'message_added', invocationId: 'inv_2', turn: 0, message: agent.messages[0], replaces: 'msg_1' },
      { type: 'message_added', invocationId: 'inv_2', turn: 1, message: agent.messages[1] },
    ])
    expect(agent.messages[0]).toEqual({
      id: 'msg_1',
      role: 'user',
      content: [
        { type: 'text', text: 'first' },
        { type: 'text', text: 'second' },
      ],
    })
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('behind a tool that was run: neither the paid model call nor the tool is repeated', async () => {
    let ran = 0
    const { agent, model } = makeAgent([callsWrite, { error: new NetworkError('reset') }, { text: 'Done.' }, next], {
      tools: [write(() => `written ${++ran}`)],
    })
    await expect(agent.invoke('go')).rejects.toMatchObject({ code: 'network' })
    expect((await agent.invoke()).text).toBe('Done.')
    expect(ran).toBe(1)
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: write#call_1 {"at":1}',
      'user: call_1 success "written 1"',
      'assistant: "Done."',
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 3 })
  })

  it.each(['afterTools', 'afterToolCall', 'messageAdded'] as const)(
    'by a throwing %s hook: the result is there, and the tool is not run again',
    async (name) => {
      let ran = 0
      const { agent, model } = makeAgent([callsWrite, { text: 'Done.' }, next], { tools: [write(() => `written ${++ran}`)] })
      const off = agent.on(name, (event) => {
        if (name !== 'messageAdded' || ('message' in event && event.message?.content[0]?.type === 'tool_result')) throw new Error('no')
      })
      const { error } = await collect(agent.stream('go'))
      off()
      expect(error).toMatchObject({ code: 'hook_failed', hook: name, message: `The hook ${name} threw: no` })
      expect(error?.partial?.results).toEqual([agent.messages[2]!.content[0]])
      expect((await agent.invoke()).text).toBe('Done.')
      expect(ran).toBe(1)
      expect(sketch(agent.messages)).toEqual([
        'user: "go"',
        'assistant: write#call_1 {"at":1}',
        'user: call_1 success "written 1"',
        'assistant: "Done."',
      ])
      await holdsInvariant(agent, { requests: model.requests, expected: 2 })
    },
  )
})

describe('after a message that was cut', () => {
  it('the error has it, and the next call goes on from a legal history', async () => {
    const { agent, model } = makeAgent(
      [{ text: 'Part one.', calls: [{ name: 'look', input: '{"at"' }], stopReason: 'max_tokens' }, { text: ' Part two.' }, next],
      { tools: [look()] },
    )
    const { error } = await collect(agent.stream('go'))
    expect(error).toBeInstanceOf(MaxTokensError)
    expect((error as MaxTokensError).partialMessage).toBe(agent.messages[1])
    expect((await agent.invoke('Go on.')).text).toBe(' Part two.')
    expect(model.requests.map(breachesOf)).toEqual([[], []])
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })
})

describe('after a run that was cancelled', () => {
  it('a new prompt follows the text that closed it', async () => {
    const { agent, model } = makeAgent([{ text: 'Fine.' }, next])
    await agent.invoke('go', { signal: AbortSignal.abort(new Error('stop it')) })
    await agent.invoke('again')
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: "[The run was cancelled before the answer was complete: stop it]"',
      'user: "again"',
      'assistant: "Fine."',
    ])
    expect(agent.messages[1]!.metadata).toEqual({ synthetic: 'cancelled' })
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })
})

describe('after a limit', () => {
  it('the next prompt is joined to the results, which stand first', async () => {
    const { agent, model } = makeAgent([callsWrite, { text: 'Done.' }, next], { tools: [write()] })
    expect((await agent.invoke('go', { limits: { turns: 1 } })).stopReason).toBe('limit_turns')
    await agent.invoke('more')
    expect(sketch(agent.messages)).toEqual([
      'user: "go"',
      'assistant: write#call_1 {"at":1}',
      'user: call_1 success "written 1" "more"',
      'assistant: "Done."',
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })
})

describe('setMessages', () => {
  it('puts another history in the place of this one, copied and repaired', async () => {
    const { agent, model } = makeAgent([{ text: 'One.' }, { text: 'Two.' }, next], { tools: [look()] })
    await agent.invoke('go')
    const mine = [
      { role: 'user' as const, content: 'new' },
      { role: 'assistant' as const, content: [{ type: 'tool_use' as const, id: 'a', name: 'look', input: { at: 1 } }] },
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'what?' }] },
    ]
    agent.setMessages(mine)
    mine.length = 0
    expect(sketch(agent.messages)).toEqual([
      'user: "new"',
      'assistant: look#a {"at":1}',
      'user: a error/unknown_outcome "No result of this call of look was recorded. It may or may not have run; check before you repeat it." "what?"',
    ])
    expect((await agent.invoke()).text).toBe('Two.')
    await holdsInvariant(agent, { requests: model.requests, expected: 2 })
  })

  it('refuses what is no history, and changes nothing then', async () => {
    const { agent } = makeAgent([{ text: 'One.' }])
    await agent.invoke('go')
    const before = agent.messages
    expect(() => agent.setMessages('no' as never)).toThrow(InputError)
    expect(() => agent.setMessages([{ role: 'system', content: 'x' } as never])).toThrow(
      /messages\[0\]\.role: expected "user" or "assistant"/,
    )
    expect(agent.messages).toBe(before)
  })
})

describe('a history from elsewhere', () => {
  it('whose ids a counting source gives again: each call has an id of its own all the same', async () => {
    const old = (id: string) => [
      { role: 'user' as const, content: 'before' },
      {
        role: 'assistant' as const,
        content: [{ type: 'tool_use' as const, id, name: 'look', input: { at: 1 }, provider: { scripted: { id: 'toolu_1' } } }],
      },
      { role: 'user' as const, content: [{ type: 'tool_result' as const, toolUseId: id, status: 'success' as const, content: [] }] },
    ]
    const call = { name: 'look', input: { at: 2 }, id: 'toolu_1' }
    const { agent, model } = makeAgent([{ calls: [call] }, { calls: [call] }, { calls: [call] }, { text: 'Done.' }, next], {
      tools: [look()],
      messages: old('call_1'),
    })
    await agent.invoke([...old('call_2'), { role: 'user', content: 'go' }])
    const calls = agent.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.provider]] : [])),
    )
    expect(calls).toEqual([
      ['call_1', { scripted: { id: 'toolu_1' } }],
      ['call_2', { scripted: { id: 'toolu_1' } }],
      ['call_1_2', undefined],
      ['call_2_2', undefined],
      ['call_3', undefined],
    ])
    await holdsInvariant(agent, { requests: model.requests, expected: 4 })
  })
})

describe('agent.messages', () => {
  it('is frozen, and what was given is copied', async () => {
    const given = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'before' }] }]
    const { agent } = makeAgent([{ text: 'One.' }], { messages: given })
    given[0]!.content[0]!.text = 'changed'
    expect(sketch(agent.messages)).toEqual(['user: "before"'])
    expect(() => (agent.messages as unknown as unknown[]).push('x')).toThrow(TypeError)
    await agent.invoke()
    const input = [{ type: 'text' as const, text: 'mine' }]
    const stream = agent.stream(input)
    input[0]!.text = 'changed'
    await collect(stream)
    expect(sketch(agent.messages).slice(-1)).toEqual(['user: "mine"'])
  })
})

describe('input that is none is refused before anything is touched', () => {
  it.each([
    [7, 'invalid_input'],
    [null, 'invalid_input'],
    [true, 'invalid_input'],
    [{}, 'invalid_input'],
    [' \n', 'invalid_input'],
    ['', 'invalid_input'],
    [[1], 'invalid_input'],
    [[{ type: 'nothing' }], 'invalid_input'],
    [[{ type: 'tool_use', id: 'a', name: 'b', input: {} }], 'invalid_input'],
    [
      [
        { type: 'text', text: 'a' },
        { role: 'user', content: 'b' },
      ],
      'invalid_input',
    ],
    [[{ role: 'system', content: 'a' }], 'invalid_input'],
    [[{ type: 'tool_result', toolUseId: 'unknown', status: 'success', content: [] }], 'invalid_input'],
    [{ type: 'resume', checkpoint: {} }, 'invalid_checkpoint'],
    [{ type: 'checkpoint' }, 'invalid_checkpoint'],
    [[{ type: 'interrupt_response', id: 'a', response: true }], 'no_interrupt_pending'],
  ])('%j: %s', async (input, code) => {
    const { agent, model } = makeAgent([next])
    const error: unknown = await agent.invoke(input as never).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AgentError)
    expect((error as AgentError).code).toBe(code)
    expect(agent.messages).toEqual([])
    await holdsInvariant(agent, { requests: model.requests, expected: 0 })
  })

  it('stream() says so at the call', () => {
    const { agent } = makeAgent([])
    expect(() => agent.stream(7 as never)).toThrow(InputError)
    expect(() => agent.stream('go', { signel: 1 } as never)).toThrow('There is no option "signel". Did you mean "signal"?')
  })

  it('nothing to go on from', async () => {
    const { agent, model } = makeAgent([next])
    await expect(agent.invoke()).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'There is nothing to go on from: the history is empty. Give a prompt.',
    })
    await holdsInvariant(agent, { requests: model.requests, expected: 0 })
  })
})

it('a repaired input is told as a warning', async () => {
  const { agent, model } = makeAgent([{ text: 'Done.' }, next], {
    messages: [
      { role: 'user', content: 'before' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'old', name: 'look', input: {} }] },
    ],
  })
  const { events } = await collect(agent.stream('go'))
  const warnings = events.filter((event): event is AgentEvent & { type: 'warning' } => event.type === 'warning')
  expect(warnings.map(({ code, message }) => [code, message])).toEqual([
    ['history_repaired', 'The history was repaired: the call "old" of look had no result.'],
  ])
  await holdsInvariant(agent, { requests: model.requests, expected: 1, events })
})
