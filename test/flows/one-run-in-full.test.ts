import { describe, expect, it } from 'vitest'
import { NetworkError } from '../../src/errors.ts'
import { collect } from '../../src/testing/collect.ts'
import { makeAgent } from '../support/make-agent.ts'
import { typesOf } from '../support/sketch.ts'
import { look, toolNamed } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 }

describe('a tool call and an answer', () => {
  const run = async () => {
    const made = makeAgent([{ text: 'Let me see.', calls: [{ name: 'look', input: { at: 1 }, id: 'toolu_9' }] }, { text: 'Warm.' }], {
      tools: [look()],
    })
    return { ...made, ...(await collect(made.agent.stream('Is it warm?'))) }
  }

  it('leaves the whole of it in the history', async () => {
    const { agent } = await run()
    expect(agent.messages).toEqual([
      { id: 'msg_1', role: 'user', content: [{ type: 'text', text: 'Is it warm?' }] },
      {
        id: 'msg_2',
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 }, provider: { scripted: { id: 'toolu_9' } } },
        ],
        metadata: { usage, timeToFirstTokenMs: 0, durationMs: 0, model: 'scripted', stopReason: 'tool_use' },
      },
      {
        id: 'msg_3',
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: 'call_1', status: 'success', content: [{ type: 'text', text: 'seen 1' }] }],
      },
      {
        id: 'msg_4',
        role: 'assistant',
        content: [{ type: 'text', text: 'Warm.' }],
        metadata: { usage, timeToFirstTokenMs: 0, durationMs: 0, model: 'scripted', stopReason: 'end_turn' },
      },
    ])
  })

  it('tells it in order', async () => {
    const { events } = await run()
    expect(typesOf(events)).toEqual([
      'invocation_start',
      'message_added',
      'turn_start',
      'message_start',
      'text_start',
      'text_delta ×3',
      'text_end',
      'tool_input_start',
      'tool_input_delta ×2',
      'tool_input_end',
      'tool_start',
      'message_end',
      'message_added',
      'tool_end',
      'message_added',
      'turn_end',
      'turn_start',
      'message_start',
      'text_start',
      'text_delta',
      'text_end',
      'message_end',
      'message_added',
      'turn_end',
      'invocation_end',
    ])
  })

  it('tells each event in full', async () => {
    const { events, agent } = await run()
    const base = { invocationId: 'inv_1', turn: 1 }
    expect(events.filter(({ turn }) => turn === 1)).toEqual([
      { type: 'turn_start', ...base },
      { type: 'message_start', ...base, messageId: 'msg_2', model: 'scripted', attempt: 1 },
      { type: 'text_start', ...base, messageId: 'msg_2', blockId: 'msg_2:0' },
      { type: 'text_delta', ...base, messageId: 'msg_2', blockId: 'msg_2:0', text: 'Let ' },
      { type: 'text_delta', ...base, messageId: 'msg_2', blockId: 'msg_2:0', text: 'me ' },
      { type: 'text_delta', ...base, messageId: 'msg_2', blockId: 'msg_2:0', text: 'see.' },
      { type: 'text_end', ...base, messageId: 'msg_2', blockId: 'msg_2:0' },
      { type: 'tool_input_start', ...base, messageId: 'msg_2', callId: 'call_1', name: 'look' },
      { type: 'tool_input_delta', ...base, messageId: 'msg_2', callId: 'call_1', text: '{"at' },
      { type: 'tool_input_delta', ...base, messageId: 'msg_2', callId: 'call_1', text: '":1}' },
      { type: 'tool_input_end', ...base, messageId: 'msg_2', callId: 'call_1', input: { at: 1 } },
      { type: 'tool_start', ...base, callId: 'call_1', name: 'look', input: { at: 1 }, early: true },
      { type: 'message_end', ...base, message: agent.messages[1], stopReason: 'tool_use', usage },
      { type: 'message_added', ...base, message: agent.messages[1] },
      { type: 'tool_end', ...base, callId: 'call_1', name: 'look', result: agent.messages[2]!.content[0], durationMs: 0, discarded: false },
      { type: 'message_added', ...base, message: agent.messages[2] },
      { type: 'turn_end', ...base },
    ])
  })

  it('sends the model role and content alone, and its own id of the call back to it', async () => {
    const { model, agent } = await run()
    expect(model.requests.map(({ messages, ...rest }) => ({ ...rest, roles: messages.map(({ role }) => role) }))).toEqual([
      { system: [], tools: agent.tools.specs, toolChoice: 'auto', settings: {}, roles: ['user'] },
      { system: [], tools: agent.tools.specs, toolChoice: 'auto', settings: {}, roles: ['user', 'assistant', 'user'] },
    ])
    expect(model.requests[1]!.messages).toEqual(agent.messages.slice(0, 3).map(({ role, content }) => ({ role, content })))
  })

  it('gives a result that is whole', async () => {
    const { result, agent } = await run()
    expect(JSON.parse(JSON.stringify(result))).toEqual({
      stopReason: 'end_turn',
      message: agent.messages[3],
      text: 'Warm.',
      usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30 },
      metrics: {
        turns: 2,
        modelCalls: 2,
        retries: 0,
        durationMs: 0,
        modelMs: 0,
        timeToFirstTokenMs: 0,
        tools: { look: { calls: 1, errors: 0, ms: 0 } },
      },
      trace: {
        kind: 'invocation',
        name: 'agent',
        startedAt: 1000,
        durationMs: 0,
        children: [
          {
            kind: 'turn',
            name: 'turn 1',
            startedAt: 1000,
            durationMs: 0,
            children: [
              { kind: 'model', name: 'scripted', startedAt: 1000, durationMs: 0 },
              { kind: 'tool', name: 'look', startedAt: 1000, durationMs: 0 },
            ],
          },
          {
            kind: 'turn',
            name: 'turn 2',
            startedAt: 1000,
            durationMs: 0,
            children: [{ kind: 'model', name: 'scripted', startedAt: 1000, durationMs: 0 }],
          },
        ],
      },
      partial: [],
      interrupts: [],
      invocationState: {},
    })
  })
})

describe('a call that fails', () => {
  it('is told, counted and traced as an error', async () => {
    const breaks = toolNamed('breaks', () => {
      throw new Error('no')
    })
    const { agent } = makeAgent([{ calls: [{ name: 'breaks', input: { at: 1 } }] }, { text: 'Oh.' }], { tools: [breaks] })
    const { events, result } = await collect(agent.stream('go'))
    const told = { type: 'tool_result', toolUseId: 'call_1', status: 'error', content: [{ type: 'text', text: 'Error: no' }] }
    expect(events.find(({ type }) => type === 'tool_end')).toEqual({
      type: 'tool_end',
      invocationId: 'inv_1',
      turn: 1,
      callId: 'call_1',
      name: 'breaks',
      result: told,
      durationMs: 0,
      discarded: false,
    })
    expect(agent.messages[2]).toEqual({ id: 'msg_3', role: 'user', content: [told] })
    expect(result?.metrics.tools).toEqual({ breaks: { calls: 1, errors: 1, ms: 0 } })
    expect(result?.trace.children?.[0]?.children?.[1]).toEqual({
      kind: 'tool',
      name: 'breaks',
      startedAt: 1000,
      durationMs: 0,
      error: 'tool_error',
    })
  })
})

describe('a run that fails in mid-stream', () => {
  const run = async () => {
    const made = makeAgent(
      [
        { calls: [{ name: 'look', input: { at: 1 } }] },
        { text: 'It is so', error: new NetworkError('reset', { provider: 'scripted' }), after: 4 },
      ],
      { tools: [look()] },
    )
    return { ...made, ...(await collect(made.agent.stream('go'))) }
  }

  it('takes back what was said, closes what is open, and ends with the error', async () => {
    const { events, error } = await run()
    const base = { invocationId: 'inv_1', turn: 2 }
    expect(events.filter(({ turn }) => turn === 2)).toEqual([
      { type: 'turn_start', ...base },
      { type: 'message_start', ...base, messageId: 'msg_4', model: 'scripted', attempt: 1 },
      { type: 'text_start', ...base, messageId: 'msg_4', blockId: 'msg_4:0' },
      { type: 'text_delta', ...base, messageId: 'msg_4', blockId: 'msg_4:0', text: 'It ' },
      { type: 'text_delta', ...base, messageId: 'msg_4', blockId: 'msg_4:0', text: 'is ' },
      { type: 'message_discarded', ...base, messageId: 'msg_4', reason: 'error' },
      { type: 'turn_end', ...base },
      { type: 'invocation_error', ...base, error },
    ])
  })

  it('gives with the error what it had', async () => {
    const { error, agent } = await run()
    expect(error?.partial).toEqual({
      text: 'It is ',
      results: [],
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
      messages: agent.messages,
    })
  })
})

describe('an invocation whose tools were not all done when it failed', () => {
  it('gives the results of the turn that failed', async () => {
    const { agent } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }], { tools: [look()] })
    agent.on('afterTools', () => {
      throw new Error('late')
    })
    const { error } = await collect(agent.stream('go'))
    expect(error?.partial?.results).toEqual([
      { type: 'tool_result', toolUseId: 'call_1', status: 'success', content: [{ type: 'text', text: 'seen 1' }] },
    ])
  })
})
