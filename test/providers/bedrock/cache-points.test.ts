import { describe, expect, it } from 'vitest'
import type { ModelRequest, ToolSpec } from '../../../src/models/model.ts'
import { assistant, bodyOf, called, claude, history, point, result, user, wirePoint } from './support/ask.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

const nova = 'us.amazon.nova-pro-v1:0'
const tools: readonly ToolSpec[] = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }]
const spec = { toolSpec: { name: 'look', description: 'Looks.', inputSchema: { json: { type: 'object' } } } }
const text = (said: string): { readonly type: 'text'; readonly text: string } => ({ type: 'text', text: said })
const mark = { type: 'cache_point' } as const
const contents = async (messages: ModelRequest['messages'], id = claude, more: Partial<ModelRequest> = {}): Promise<readonly unknown[]> =>
  (await bodyOf({ messages, ...more }, id)).messages.map(({ content }) => content)

describe('cache points', () => {
  it('stand behind the blocks that they follow', async () =>
    expect(await contents(history(user('a', point(), 'b'), assistant('c'), user('d', point('1h'))))).toEqual([
      [{ text: 'a' }, wirePoint(), { text: 'b' }],
      [{ text: 'c' }],
      [{ text: 'd' }, wirePoint('1h')],
    ]))

  it('stand behind results, and not twice', async () =>
    expect(await contents(history(user('go'), assistant(called('call_1')), user(result('call_1'), point(), point(), 'on')))).toEqual([
      [{ text: 'go' }],
      [{ toolUse: { toolUseId: 'call_1', name: 'look', input: { at: 1 } } }],
      [{ toolResult: { toolUseId: 'call_1', content: [{ text: 'done' }] } }, wirePoint(), { text: 'on' }],
    ]))

  it('that stand first belong to the message before', async () =>
    expect(await contents(history(user('a'), assistant('b'), user(point(), 'c')))).toEqual([
      [{ text: 'a' }],
      [{ text: 'b' }, wirePoint()],
      [{ text: 'c' }],
    ]))

  it('never follow thinking', async () => {
    const thought = { type: 'reasoning', text: 'hm', signature: 's', provider: { bedrock: { maker: 'anthropic' } } }
    const wire = { reasoningContent: { reasoningText: { text: 'hm', signature: 's' } } }
    expect(await contents(history(user('a'), assistant('b', thought), user(point(), 'c')))).toEqual([
      [{ text: 'a' }],
      [{ text: 'b' }, wirePoint(), wire, { text: '[no content]' }],
      [{ text: 'c' }],
    ])
    expect((await contents(history(user('a'), assistant(thought), user(point(), 'c'))))[1]).toEqual([wire, { text: '[no content]' }])
  })

  it('never follow a document other than PDF', async () => {
    const note = { type: 'document', mediaType: 'text/plain', source: { type: 'text', text: 'hi' } }
    const pdf = { type: 'document', mediaType: 'application/pdf', source: { type: 'base64', data: 'aGk=' } }
    const [first, second] = await contents(history(user('a', note, point()), assistant('b'), user('c', pdf, point())))
    const kinds = (blocks: unknown): readonly string[] => (blocks as readonly object[]).flatMap(Object.keys)
    expect([kinds(first), kinds(second)]).toEqual([['text', 'cachePoint', 'document'], ['text']])
    expect(kinds((await contents(history(user('c', pdf, point()))))[0])).toEqual(['text', 'document', 'cachePoint'])
  })

  it('are at most four, the newest', async () => {
    const many = history(...Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? user(`${i}`, point(), 'x', point()) : assistant('ok'))))
    expect(await contents(many)).toEqual([
      [{ text: '0' }, { text: 'x' }],
      [{ text: 'ok' }],
      [{ text: '2' }, wirePoint(), { text: 'x' }, wirePoint()],
      [{ text: 'ok' }],
      [{ text: '4' }, wirePoint(), { text: 'x' }, wirePoint()],
      [{ text: 'ok' }],
    ])
  })

  it('in the system prompt follow a text; one that stands first is meant for the tools; messages get what is left', async () => {
    const system = [mark, mark, text('a'), mark, mark, text('b'), mark]
    const messages = history(user('c', point(), 'd', point()))
    expect(await bodyOf({ system, tools, messages })).toEqual({
      system: [{ text: 'a' }, wirePoint(), { text: 'b' }, wirePoint()],
      toolConfig: { tools: [spec, wirePoint()] },
      messages: [{ role: 'user', content: [{ text: 'c' }, { text: 'd' }, wirePoint()] }],
    })
  })

  it('for tools are left out where there are none', async () =>
    expect(await bodyOf({ system: [mark, text('a')] })).toEqual({
      system: [{ text: 'a' }],
      messages: [{ role: 'user', content: [{ text: 'hello' }] }],
    }))
})

describe('what a model caches', () => {
  const asked = { system: [mark, text('a'), { ...mark, ttl: '1h' as const }], tools, messages: history(user('b', point('5m'))) }
  const points = async (id: string): Promise<unknown> => {
    const { system, toolConfig, messages } = await bodyOf(asked, id)
    const pointsIn = (blocks: unknown): readonly unknown[] => (blocks as readonly object[]).filter((block) => 'cachePoint' in block)
    return [(toolConfig as { tools: unknown }).tools, system, messages[0]!.content].map(pointsIn)
  }

  it.each([
    [claude, [[wirePoint()], [wirePoint('1h')], [wirePoint()]]],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', [[wirePoint()], [wirePoint('1h')], [wirePoint()]]],
    ['us.anthropic.claude-opus-4-1-20250805-v1:0', [[wirePoint()], [wirePoint()], [wirePoint()]]],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', [[wirePoint()], [wirePoint()], [wirePoint()]]],
    ['us.anthropic.claude-3-7-sonnet-20250219-v1:0', [[wirePoint()], [wirePoint()], [wirePoint()]]],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', [[], [], []]],
    ['anthropic.claude-3-haiku-20240307-v1:0', [[], [], []]],
    [nova, [[], [wirePoint()], [wirePoint()]]],
    ['us.meta.llama3-3-70b-instruct-v1:0', [[], [], []]],
    ['arn:aws:bedrock:us-east-1:1:application-inference-profile/abc', [[wirePoint()], [wirePoint('1h')], [wirePoint()]]],
  ])('%s', async (id, expected) => expect(await points(id)).toEqual(expected))
})
