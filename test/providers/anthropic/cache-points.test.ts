import { describe, expect, it } from 'vitest'
import type { TextBlock } from '../../../src/messages/content.ts'
import type { SendableMessage } from '../../../src/messages/normalise.ts'
import type { ModelRequest } from '../../../src/models/model.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { anthropic } from '../../../src/providers/anthropic/index.ts'
import { answer, request } from '../support/answer.ts'
import type { Body, Sent } from './support/ask.ts'
import { assistant, bodyOf, called, fetchOf, history, point, result, user } from './support/ask.ts'
import { saying } from './support/sse.ts'

const tools = [
  { name: 'look', description: 'Looks.', inputSchema: { type: 'object' } },
  { name: 'write', description: 'Writes.', inputSchema: { type: 'object' } },
] as const
const system = (...blocks: readonly (string | object)[]): ModelRequest['system'] =>
  blocks.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block)) as ModelRequest['system']

/** The marked blocks, by what they say. */
function marksOf({ tools: sentTools, system: prompt, messages }: Body): readonly string[] {
  const all = [
    ...((sentTools ?? []) as readonly JsonObject[]),
    ...((prompt ?? []) as readonly JsonObject[]),
    ...messages.flatMap(({ content }) => content),
  ]
  return all.flatMap((block) => {
    const mark = block['cache_control'] as { readonly type: string; readonly ttl?: string } | undefined
    return mark ? `${String(block['text'] ?? block['name'] ?? block['tool_use_id'] ?? block['type'])}${mark.ttl ? ` ${mark.ttl}` : ''}` : []
  })
}

describe('a cache point', () => {
  it('marks the block before it', async () => {
    const body = await bodyOf({ system: system('rules', point('1h'), 'more'), messages: history(user('a', 'b', point(), 'c')) })
    expect([body['system'], body.messages]).toEqual([
      [
        { type: 'text', text: 'rules', cache_control: { type: 'ephemeral', ttl: '1h' } },
        { type: 'text', text: 'more' },
      ],
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b', cache_control: { type: 'ephemeral' } },
            { type: 'text', text: 'c' },
          ],
        },
      ],
    ])
  })

  it.each<readonly [name: string, asked: Partial<ModelRequest>, marks: readonly string[]]>([
    ['before the system prompt: the tools', { tools, system: system(point('1h'), 'rules', point()) }, ['write 1h', 'rules']],
    ['with nothing before it: nothing', { system: system(point(), 'rules'), messages: history(user(point(), 'a')) }, []],
    ['a result', { messages: history(user('a'), assistant(called('call_1')), user(result('call_1'), point(), 'b')) }, ['call_1']],
    [
      'a picture',
      { messages: history(user({ type: 'image', mediaType: 'image/png', source: { type: 'url', url: 'u' } }, point(), 'b')) },
      ['image'],
    ],
    [
      'at the beginning of a message: the message before',
      { messages: history(user('a'), assistant('b', 'c'), user(point('5m'), 'd')) },
      ['c 5m'],
    ],
    [
      'never thinking, but what stands before it',
      {
        messages: history(
          user('a'),
          assistant('b', { type: 'reasoning', text: 't', signature: 's', provider: { anthropic: {} } }),
          user(point(), 'd'),
        ),
      },
      ['b'],
    ],
    [
      'nor what is not sent',
      {
        messages: history(
          user('a'),
          assistant('b', { type: 'server_tool_use', id: 's', name: 'n', input: {}, provider: { openai: {} } }),
          user(point(), 'd'),
        ),
      },
      ['b'],
    ],
    ['two in one place are one', { messages: history(user('a', point('1h'), point('5m'))) }, ['a 5m']],
    [
      'only four: the first of the system prompt, the newest of the messages',
      {
        system: system('s1', point(), 's2', point()),
        messages: history(user('a', point()), assistant('b'), user('c', point()), assistant('d'), user('e', point(), 'f', point())),
      },
      ['s1', 's2', 'e', 'f'],
    ],
    [
      'four of the system prompt leave none',
      { system: system('1', point(), '2', point(), '3', point(), '4', point(), '5', point()), messages: history(user('a', point())) },
      ['1', '2', '3', '4'],
    ],
    [
      'the marks of tools count',
      {
        tools: [{ ...tools[0], cache_control: { type: 'ephemeral' } } as (typeof tools)[0]],
        system: system('s1', point()),
        messages: history(user('a', point(), 'b', point(), 'c', point())),
      },
      ['look', 's1', 'b', 'c'],
    ],
  ])('marks %s', async (_name, asked, marks) => expect(marksOf(await bodyOf(asked))).toEqual(marks))

  it('leaves room for the automatic one of the API', async () => {
    const body = await bodyOf({
      messages: history(user('a', point(), 'b', point(), 'c', point(), 'd', point())),
      settings: { extra: { cache_control: { type: 'ephemeral' } } },
    })
    expect(marksOf(body)).toEqual(['b', 'c', 'd'])
  })

  it('that moves on changes nothing before the oldest mark that went', async () => {
    const seen: Sent[] = []
    const model = anthropic('claude-sonnet-4-5', { apiKey: 'k', fetch: fetchOf(saying('ok'), seen) })
    const turns = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? user(`u${i}`, point()) : assistant(`a${i}`)))
    const messages = history(...turns)
    for (let count = 1; count <= messages.length; count += 2) await answer(model, request({ messages: messages.slice(0, count) }))
    expect(seen.map(({ body }) => marksOf(body))).toEqual([
      ['u0'],
      ['u0', 'u2'],
      ['u0', 'u2', 'u4'],
      ['u0', 'u2', 'u4', 'u6'],
      ['u2', 'u4', 'u6', 'u8'],
      ['u4', 'u6', 'u8', 'u10'],
    ])
    const [fifth, sixth] = [seen[4]!.text, seen[5]!.text]
    const kept = fifth.indexOf('{"role":"user","content":[{"type":"text","text":"u2"')
    expect(kept).toBeGreaterThan(0)
    expect(sixth.slice(0, kept)).toBe(fifth.slice(0, kept))
    expect(seen[5]!.body.messages.map(({ content }) => content[0]!['text'])).toEqual(
      messages.slice(0, 11).map(({ content }) => (content[0] as { text: string }).text),
    )
  })

  it('that moves on has only the messages written again that it leaves, and those behind them', async () => {
    const written = new Map<string, number>()
    const counted = (text: string): TextBlock => ({
      type: 'text',
      get text() {
        written.set(text, (written.get(text) ?? 0) + 1)
        return text
      },
    })
    const model = anthropic('claude-sonnet-4-5', {
      apiKey: 'k',
      fetch: fetchOf(() => new Response(saying('ok'), { headers: { 'content-type': 'text/event-stream' } })),
    })
    const messages: readonly SendableMessage[] = Array.from({ length: 41 }, (_, i) =>
      i % 2 === 0
        ? { role: 'user', content: [counted(`u${i}`), { type: 'cache_point' }] }
        : { role: 'assistant', content: [counted(`a${i}`)] },
    )
    for (let count = 1; count <= messages.length; count += 2) await answer(model, request({ messages: messages.slice(0, count) }))
    // Twice: with the mark and without, or in front of one with it and one without. The newest ones have not come to that.
    expect([...written]).toEqual(messages.map((_, i) => [i % 2 === 0 ? `u${i}` : `a${i}`, i < 41 - 7 ? 2 : 1]))
  })
})
