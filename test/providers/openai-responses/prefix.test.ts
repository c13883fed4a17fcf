import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SendableMessage } from '../../../src/messages/normalise.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { freezeOwn } from '../../../src/util/json.ts'
import { answer, request } from '../support/answer.ts'
import type { Sent } from './support/ask.ts'
import { assistant, fetchOf, history, user } from './support/ask.ts'
import { saying } from './support/sse.ts'

const system = freezeOwn([{ type: 'text', text: 'Be brief.' } as const])
const tools = freezeOwn([{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }])
const settings = freezeOwn({ temperature: 0 })

/** A turn: thoughts, a call, its result. */
const turn = (n: number): readonly SendableMessage[] =>
  history(
    user(`question ${n}`),
    assistant(
      { type: 'reasoning', text: '', signature: `s${n}`, provider: { openai: { itemId: `rs_${n}`, part: 'none' } } },
      { type: 'tool_use', id: `c${n}`, name: 'add', input: { n }, provider: { openai: { id: `call_${n}`, itemId: `fc_${n}` } } },
    ),
    user({ type: 'tool_result', toolUseId: `c${n}`, status: 'success', content: [{ type: 'text', text: `result ${n}` }] }),
    assistant({ type: 'text', text: `answer ${n}`, provider: { openai: { itemId: `msg_${n}` } } }),
  )

afterEach(() => void vi.restoreAllMocks())

describe('a conversation of 50 turns', () => {
  it('writes each item, the tools and the head once, and only ever adds to the end', async () => {
    const seen: Sent[] = []
    const model = openai('gpt-5.2', { apiKey: 'k', fetch: fetchOf(saying('ok'), seen) })
    const stringify = vi.spyOn(JSON, 'stringify')
    const messages: SendableMessage[] = []
    for (let n = 0; n < 50; n++) {
      const [question, call, result, answered] = turn(n)
      messages.push(question!)
      await answer(model, request({ system, tools, settings, messages: [...messages] }))
      messages.push(call!, result!)
      await answer(model, request({ system, tools, settings, messages: [...messages] }))
      messages.push(answered!)
    }
    const bodies = seen.map(({ text }) => text)
    for (const [index, body] of bodies.entries()) expect(body.startsWith((bodies[index - 1] ?? '').slice(0, -2))).toBe(true)
    expect(seen.at(-1)!.body.input.length).toBe(50 * 5 - 1)
    const written = stringify.mock.calls.map(([value]) => value as { type?: string; model?: string })
    const count = (type: string): number => written.filter((value) => value.type === type).length
    expect([count('message'), count('reasoning'), count('function_call'), count('function_call_output'), count('function')]).toEqual([
      99, 50, 50, 50, 1,
    ])
    expect(written.filter(({ model: id }) => id !== undefined).length).toBe(1)
  })

  it('sends each result once', async () => {
    const seen: Sent[] = []
    const model = openai('gpt-5.2', { apiKey: 'k', fetch: fetchOf(saying('ok'), seen) })
    const messages = [...turn(0), ...turn(1).slice(0, 3)]
    await answer(model, request({ messages: messages.slice(0, 3) }))
    await answer(model, request({ messages }))
    const results = seen.map(({ body }) => body.input.filter(({ type }) => type === 'function_call_output').map(({ call_id: id }) => id))
    expect(results).toEqual([['call_0'], ['call_0', 'call_1']])
  })
})

describe('one model object', () => {
  it('keeps conversations apart that run at the same time', async () => {
    const seen: Sent[] = []
    const model = openai('gpt-5.2', { apiKey: 'k', fetch: fetchOf(saying('ok'), seen) })
    await Promise.all(Array.from({ length: 20 }, (_, n) => answer(model, request({ system, messages: history(user(`first ${n}`)) }))))
    expect(seen.map(({ body }) => (body.input[0]!['content'] as readonly { text: string }[])[0]!.text)).toEqual(
      Array.from({ length: 20 }, (_, n) => `first ${n}`),
    )
  })

  it('makes each head anew when one part of it is another', async () => {
    const seen: Sent[] = []
    const model = openai('gpt-5.2', { apiKey: 'k', fetch: fetchOf(saying('ok'), seen) })
    const base = { system, tools, settings, messages: history(user('a')) }
    await answer(model, request(base))
    await answer(model, request({ ...base, toolChoice: 'required' }))
    await answer(model, request({ ...base, tools: [] }))
    await answer(model, request({ ...base, settings: { temperature: 1 } }))
    await answer(model, request({ ...base, output: { name: 'x', schema: {} } }))
    expect(
      seen.map(({ body }) => [body['tool_choice'] ?? null, body['tools'] !== undefined, body['temperature'], body['text'] !== undefined]),
    ).toEqual([
      [null, true, 0, false],
      ['required', true, 0, false],
      [null, false, 0, false],
      [null, true, 1, false],
      [null, true, 0, true],
    ])
  })
})
