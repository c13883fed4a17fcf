import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SendableMessage } from '../../../src/messages/normalise.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { freezeOwn } from '../../../src/util/json.ts'
import { answer, request } from '../support/answer.ts'
import { fakeFetch } from '../support/fake-fetch.ts'

const say = (role: 'user' | 'assistant', text: string): SendableMessage => freezeOwn({ role, content: [{ type: 'text', text }] })
const textsOf = (body: string): readonly unknown[] =>
  (JSON.parse(body) as { messages: readonly { content: unknown }[] }).messages.map(({ content }) => content)
const system = freezeOwn([{ type: 'text', text: 'Be brief.' } as const])
const tools = freezeOwn([{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }])
const settings = freezeOwn({ temperature: 0 })

afterEach(() => void vi.restoreAllMocks())

describe('a conversation of 50 turns', () => {
  it('serialises each message, the tools and the system prompt once, and only ever adds to the end', async () => {
    const { fetch, asked } = fakeFetch()
    const model = openai('gpt', { api: 'chat', apiKey: 'k', fetch })
    const stringify = vi.spyOn(JSON, 'stringify')
    const messages: SendableMessage[] = []
    for (let turn = 0; turn < 50; turn++) {
      messages.push(say('user', `question ${turn}`), say('assistant', `answer ${turn}`))
      await answer(model, request({ system, tools, settings, messages: [...messages] }))
    }
    const counts = new Map<string, number>()
    for (const [value] of stringify.mock.calls) {
      const { role, content, type, model: id } = value as { role?: string; content?: string; type?: string; model?: string }
      const key = role === undefined ? (type ?? id) : `${role}: ${content}`
      // Something else than a request, somewhere in the platform.
      if (key === undefined) continue
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const expected = messages.map(({ role, content }): [string, number] => [`${role}: ${(content[0] as { text: string }).text}`, 1])
    expect(Object.fromEntries(counts)).toEqual(Object.fromEntries([...expected, ['system: Be brief.', 1], ['function', 1], ['gpt', 1]]))
    const bodies = asked.map(({ body }) => body)
    for (const [index, body] of bodies.entries()) expect(body.startsWith((bodies[index - 1] ?? '').slice(0, -2))).toBe(true)
    expect(textsOf(bodies.at(-1)!)).toEqual(['Be brief.', ...messages.map(({ content }) => (content[0] as { text: string }).text)])
  })
})

describe('the bytes of a turn', () => {
  it('are those of the turn before, with more behind them', async () => {
    const buffers: unknown[] = []
    const { fetch } = fakeFetch()
    const watched: typeof fetch = (url, init) => {
      buffers.push((init!.body as Uint8Array).buffer)
      return fetch(url, init)
    }
    const model = openai('gpt', { api: 'chat', apiKey: 'k', fetch: watched })
    const [a, b, c] = [say('user', 'a'), say('assistant', 'b'), say('user', 'c')] as const
    await answer(model, request({ messages: [a], system, tools, settings }))
    await answer(model, request({ messages: [a, b, c], system, tools, settings }))
    expect(buffers[1]).toBe(buffers[0])
  })
})

describe('one model object', () => {
  it('keeps conversations apart that run at the same time', async () => {
    const { fetch, asked } = fakeFetch()
    const model = openai('gpt', { api: 'chat', apiKey: 'k', fetch })
    const conversations = Array.from({ length: 50 }, (_, index) => [say('user', `first ${index}`)])
    for (let turn = 0; turn < 3; turn++) {
      asked.length = 0
      await Promise.all(conversations.map((messages) => answer(model, request({ system, messages: [...messages] }))))
      const expected = conversations.map((messages) => [
        'Be brief.',
        ...messages.map(({ content }) => (content[0] as { text: string }).text),
      ])
      expect(asked.map(({ body }) => textsOf(body))).toEqual(expected)
      for (const [index, messages] of conversations.entries())
        messages.push(say('assistant', `answer ${index}/${turn}`), say('user', `next ${index}/${turn}`))
    }
  })

  it('sends a history that was replaced as it is now', async () => {
    const { fetch, asked } = fakeFetch()
    const model = openai('gpt', { api: 'chat', apiKey: 'k', fetch })
    const [a, b, c, summary] = [say('user', 'a'), say('assistant', 'b'), say('user', 'c'), say('user', 'summary')] as const
    await answer(model, request({ messages: [a, b, c] }))
    await answer(model, request({ messages: [summary, b, c] }))
    await answer(model, request({ messages: [a, b] }))
    await answer(model, request({ messages: [a, b, c], settings: { temperature: 1 } }))
    expect(asked.map(({ body }) => textsOf(body))).toEqual([
      ['a', 'b', 'c'],
      ['summary', 'b', 'c'],
      ['a', 'b'],
      ['a', 'b', 'c'],
    ])
    expect(JSON.parse(asked[3]!.body)).toMatchObject({ temperature: 1 })
  })

  it('makes each head anew when one part of it is another', async () => {
    const { fetch, asked } = fakeFetch()
    const model = openai('gpt', { api: 'chat', apiKey: 'k', fetch })
    const base = { system, tools, settings, messages: [say('user', 'a')] }
    await answer(model, request(base))
    await answer(model, request({ ...base, toolChoice: 'required' }))
    await answer(model, request({ ...base, tools: [] }))
    await answer(model, request({ ...base, settings: { temperature: 1 } }))
    await answer(model, request({ ...base, output: { name: 'x', schema: {} } }))
    const keys = asked.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    expect(
      keys.map(({ tool_choice: choice, tools: sent, temperature, response_format: format }) => [
        choice ?? null,
        sent !== undefined,
        temperature,
        format !== undefined,
      ]),
    ).toEqual([
      [null, true, 0, false],
      ['required', true, 0, false],
      [null, false, 0, false],
      [null, true, 1, false],
      [null, true, 0, true],
    ])
  })
})
