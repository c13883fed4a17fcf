import { describe, expect, it } from 'vitest'
import { collect } from '../../src/testing/collect.ts'
import { tick } from '../../src/util/clock.ts'
import { holdsInvariant } from '../support/invariant.ts'
import { makeAgent } from '../support/make-agent.ts'
import { sketch, typesOf } from '../support/sketch.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const next = { text: 'The next answer.' }
const done = { text: 'Done.' }

describe('beforeModelCall', () => {
  it('may send another request; the history does not change', async () => {
    const { agent, model } = makeAgent([done, next])
    const off = agent.on('beforeModelCall', (event) => {
      event.request = {
        ...event.request,
        system: [{ type: 'text', text: 'Be brief.' }],
        messages: event.request.messages.slice(-1),
        settings: { maxTokens: 9 },
      }
    })
    await agent.invoke([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'three' },
    ])
    off()
    expect(model.requests[0]).toEqual({
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'three' }] }],
      tools: [],
      toolChoice: 'auto',
      settings: { maxTokens: 9 },
    })
    expect(sketch(agent.messages)).toEqual(['user: "one"', 'assistant: "two"', 'user: "three"', 'assistant: "Done."'])
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })

  it('cannot change what is stored through the request: it is frozen, and its list is a copy', async () => {
    const { agent, model } = makeAgent([done, next])
    const off = agent.on('beforeModelCall', ({ request }) => {
      ;(request.messages as unknown[]).push({ role: 'assistant', content: [] })
      for (const message of request.messages.slice(0, 1)) expect(() => ((message as { role: string }).role = 'x')).toThrow(TypeError)
      expect(() => ((request.messages[0]!.content[0] as { text: string }).text = 'x')).toThrow(TypeError)
      expect(() => ((request.settings as { maxTokens: number }).maxTokens = 1)).toThrow(TypeError)
    })
    await agent.invoke('go')
    off()
    expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: "Done."'])
    await holdsInvariant(agent, { requests: model.requests, expected: 1 })
  })
})

describe('afterModelCall', () => {
  it('may have the model asked again: what was said is withdrawn, the wait is told, the attempt is counted', async () => {
    const { agent, model, clock } = makeAgent([{ text: 'half of it', error: new Error('busy'), after: 4 }, done, next])
    agent.on('afterModelCall', (event) => {
      if (event.error) event.retry = { delayMs: 4000, reason: 'throttled', maxAttempts: 6 }
    })
    const run = collect(agent.stream('go'))
    await tick()
    expect(model.requests.length).toBe(1)
    await clock.advance(4000)
    const { events, result } = await run
    expect(typesOf(events)).toEqual([
      'invocation_start',
      'message_added',
      'turn_start',
      'message_start',
      'text_start',
      'text_delta ×2',
      'message_discarded',
      'retry',
      'message_start',
      'text_start',
      'text_delta',
      'text_end',
      'message_end',
      'message_added',
      'turn_end',
      'invocation_end',
    ])
    const base = { invocationId: 'inv_1', turn: 1 }
    expect(events.filter(({ type }) => ['message_start', 'message_discarded', 'retry'].includes(type))).toEqual([
      { type: 'message_start', ...base, messageId: 'msg_2', model: 'scripted', attempt: 1 },
      { type: 'message_discarded', ...base, messageId: 'msg_2', reason: 'retry' },
      {
        type: 'retry',
        ...base,
        attempt: 2,
        maxAttempts: 6,
        delayMs: 4000,
        code: 'throttled',
        message: 'The model is asked again in 4000 ms (throttled).',
      },
      { type: 'message_start', ...base, messageId: 'msg_3', model: 'scripted', attempt: 2 },
    ])
    expect(result?.metrics).toMatchObject({ turns: 1, modelCalls: 2, retries: 1 })
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('may refuse a good message, too; the tokens of both are counted', async () => {
    const { agent, model } = makeAgent([{ text: 'Bad.', calls: [{ name: 'look', input: { at: 1 } }] }, done, next], { tools: [look()] })
    agent.on('afterModelCall', (event) => {
      if (event.attempt === 1 && event.stopReason === 'tool_use') event.retry = { delayMs: 0, reason: 'guard' }
    })
    const { result, events } = await collect(agent.stream('go'))
    expect(sketch(agent.messages)).toEqual(['user: "go"', 'assistant: "Done."'])
    expect(result?.usage).toEqual({ inputTokens: 20, outputTokens: 10, totalTokens: 30 })
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })

  it('is bounded: ten repetitions, then the error surfaces', async () => {
    const { agent, model } = makeAgent([...Array.from({ length: 11 }, (_, n) => ({ error: new Error(`busy ${n}`) })), next])
    const attempts: number[] = []
    const off = agent.on('afterModelCall', (event) => {
      attempts.push(event.attempt)
      event.retry = { delayMs: 0, reason: 'always' }
    })
    const { error, events } = await collect(agent.stream('go'))
    off()
    expect(error).toMatchObject({ code: 'model_error', message: 'The model failed: busy 10' })
    expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    await holdsInvariant(agent, { requests: model.requests, expected: 11, events })
  })

  it('that throws over a good message discards it, and what was said is with the error', async () => {
    const { agent, model } = makeAgent([{ text: 'Said.' }, next])
    const off = agent.on('afterModelCall', () => {
      throw new Error('no')
    })
    const { error, events } = await collect(agent.stream('go'))
    off()
    expect(error?.partial?.text).toBe('Said.')
    expect(sketch(agent.messages)).toEqual(['user: "go"'])
    await holdsInvariant(agent, { requests: model.requests, expected: 1, events })
  })
})
