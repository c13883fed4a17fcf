import { describe, expect, it } from 'vitest'
import { IncompleteStreamError } from '../../../src/errors.ts'
import { answerTo, name, own } from './support/ask.ts'
import type { Part } from './support/scripted.ts'
import { calls, finish } from './support/scripted.ts'

const contentOf = async (...parts: readonly Part[]): Promise<unknown> => {
  const { message, error } = await answerTo([...parts, finish('tool-calls')])
  if (!message) throw error
  return message.content
}
const start = (id: string, toolName = 'look', more: object = {}): Part => ({ type: 'tool-input-start', id, toolName, ...more })
const piece = (id: string, delta: string): Part => ({ type: 'tool-input-delta', id, delta })
const end = (id: string): Part => ({ type: 'tool-input-end', id })
const whole = (toolCallId: string, input: string, more: object = {}): Part => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  input,
  ...more,
})
const use = (id: string | undefined, input: object = { at: 1 }, more: object = {}): object => ({
  type: 'tool_use',
  id: expect.any(String),
  name: 'look',
  input,
  ...(id && own({ id })),
  ...more,
})

describe('a call', () => {
  it('may come whole, in pieces, or in both', async () => {
    expect(
      await contentOf(whole('a', '{"at":1}'), ...calls('look', '{"at":2}', 'b'), start('c'), piece('c', '{"at":3}'), end('c')),
    ).toEqual([use('a'), use('b', { at: 2 }), use('c', { at: 3 })])
  })

  it('may interleave with another', async () => {
    expect(
      await contentOf(
        start('a'),
        start('b'),
        piece('a', '{"at'),
        piece('b', '{"at'),
        piece('a', '":1}'),
        piece('b', '":2}'),
        whole('b', '{"at":2}'),
        whole('a', '{"at":1}'),
      ),
    ).toEqual([use('a'), use('b', { at: 2 })])
  })

  it('keeps what the provider says of it, whenever it says it', async () => {
    const said = (n: number): object => ({ providerMetadata: { google: { [`n${n}`]: n } } })
    expect(
      await contentOf(
        start('a', 'look', said(1)),
        { ...piece('a', '{"at":1}'), ...said(2) },
        { ...end('a'), ...said(3) },
        whole('a', '{"at":1}', said(4)),
      ),
    ).toEqual([use('a', { at: 1 }, own({ id: 'a', metadata: { google: { n1: 1, n2: 2, n3: 3, n4: 4 } } }))])
  })

  it('that has the id of another is one of its own, whose id is not kept', async () => {
    expect(await contentOf(...calls('look', '{"at":1}', 'a'), ...calls('look', '{"at":2}', 'a'), whole('a', '{"at":3}'))).toEqual([
      use('a'),
      use(undefined, { at: 2 }),
      use(undefined, { at: 3 }),
    ])
  })

  it('may lack its id, or its start', async () => {
    const { id: _start, ...noId } = start('') as { readonly type: 'tool-input-start'; readonly id: string }
    expect(await contentOf(noId, { type: 'tool-input-delta', delta: '{"at":1}' }, finish('tool-calls'))).toEqual([
      use(undefined, {}, { invalidInput: expect.objectContaining({ text: '{"at":1}\n[The answer ended inside this input.]' }) }),
    ])
    expect(await contentOf(piece('a', ' '), piece('b', '{"at":1}'), end('b'))).toEqual([{ ...use('b'), name: '' }])
  })

  it('may begin twice, and is over when it is whole', async () => {
    const idless = { type: 'tool-input-delta', delta: '{"at":2}' } as const
    expect(await contentOf(start('a'), piece('a', '{"at'), start('a'), piece('a', '":1}'), whole('a', '{"at":1}'), idless)).toEqual([
      use('a'),
      { ...use(undefined, {}, { invalidInput: expect.objectContaining({ text: expect.stringMatching(/^{"at":2}/) }) }), name: '' },
    ])
  })

  it('of no input has an empty one', async () => {
    expect(await contentOf(start('a'), end('a'), whole('a', ''), start('b'), whole('b', '{}'), whole('c', 'null'))).toEqual([
      use('a', {}),
      use('b', {}),
      use('c', {}),
    ])
  })

  it('whose input is no JSON is told so', async () => {
    expect(await contentOf(start('a'), piece('a', '{"at":'), whole('a', '{"at":'), whole('b', '[1]'))).toEqual([
      use('a', {}, { invalidInput: { text: '{"at":', error: expect.any(String) } }),
      use('b', {}, { invalidInput: { text: '[1]', error: 'expected a JSON object, got an array' } }),
    ])
  })

  it('may be given as the value itself', async () => {
    expect(await contentOf(whole('a', { at: 1 } as never), whole('b', undefined as never))).toEqual([use('a'), use('b', {})])
  })

  it('that never ends must not run', async () => {
    expect(await contentOf(start('a'), piece('a', '{"at":1}'))).toEqual([
      use('a', {}, { invalidInput: { text: '{"at":1}\n[The answer ended inside this input.]', error: expect.any(String) } }),
    ])
  })
})

describe('the whole input counts', () => {
  it.each([
    ['more than its pieces', ['{"at'], '{"at":1}'],
    ['written otherwise', ['{ "b": 2, "at": 1 }'], '{"at":1,"b":2}'],
    ['after blank pieces', [' '], '{"at":1}'],
    ['nothing but null', ['null'], '{}'],
  ])('where it is %s', async (_what, pieces, input) => {
    const expected = { ...(JSON.parse(input) as object) }
    expect(await contentOf(start('a'), ...pieces.map((said) => piece('a', said)), end('a'), whole('a', input))).toEqual([
      use('a', expected),
    ])
  })

  it('where its pieces are another, the message does not', async () => {
    const { error } = await answerTo([start('a'), piece('a', '{"at":1}'), end('a'), whole('a', '{"at":2}'), finish('tool-calls')])
    expect(error).toBeInstanceOf(IncompleteStreamError)
    expect((error as Error).message).toBe(
      `${name}: the pieces of the input of a call of look do not make the input that it has. Where a middleware changes inputs, set \`toolInput: 'whole'\`.`,
    )
  })

  it('where its pieces are held back, or are no JSON', async () => {
    const parts = [start('a'), piece('a', '{"at":1}'), end('a'), whole('a', '{"at":2}'), finish('tool-calls')]
    const { message, events } = await answerTo(parts, { toolInput: 'whole' })
    expect(message?.content).toEqual([use('a', { at: 2 })])
    expect(events.filter((event) => event.type === 'block_delta')).toEqual([
      { type: 'block_delta', index: 0, delta: { type: 'tool_input', text: '{"at":2}' } },
    ])
    expect(await contentOf(start('a', 'look', { inputEncoding: 'text' }), piece('a', 'at 1'), end('a'), whole('a', '{"at":1}'))).toEqual([
      use('a'),
    ])
  })
})

describe('a tool that the provider runs', () => {
  const ran = (id: string, input: unknown, data: object = {}): object => ({
    type: 'server_tool_use',
    id,
    name: 'search',
    input,
    ...own(data as never),
  })
  const executed = { providerExecuted: true, toolName: 'search' }

  it('is a block of its own, and so is its result', async () => {
    expect(
      await contentOf(
        start('s1', 'search', executed),
        piece('s1', '{"q":'),
        piece('s1', '"x"}'),
        end('s1'),
        whole('s1', '{"q":"x"}', { ...executed, providerMetadata: { acme: { n: 1 } } }),
        { type: 'tool-result', toolCallId: 's1', toolName: 'search', result: { partly: true }, preliminary: true },
        { type: 'tool-result', toolCallId: 's1', toolName: 'search', result: [{ url: 'u' }], providerMetadata: { acme: { n: 2 } } },
        { type: 'tool-result', toolCallId: 's0', toolName: 'search', result: 'no', isError: true },
      ),
    ).toEqual([
      ran('s1', { q: 'x' }, { metadata: { acme: { n: 1 } } }),
      {
        type: 'server_tool_result',
        toolUseId: 's1',
        content: [{ url: 'u' }],
        ...own({ toolName: 'search', metadata: { acme: { n: 2 } } }),
      },
      { type: 'server_tool_result', toolUseId: 's0', content: 'no', ...own({ toolName: 'search', isError: true }) },
    ])
  })

  it('may be known as such only when its call is whole', async () => {
    const parts = [start('s1', 'search'), piece('s1', '{"q":"x"}'), end('s1')]
    expect(await contentOf(...parts, whole('s1', '{"q":"x"}', executed))).toEqual([ran('s1', { q: 'x' })])
    // Nobody offered it, but who runs it then is not the provider.
    expect(await contentOf(...parts, whole('s1', '{"q":"x"}', { toolName: 'search' }))).toEqual([
      { ...use('s1', { q: 'x' }), name: 'search' },
    ])
    expect(await contentOf(...parts)).toEqual([{ ...use('s1', { q: 'x' }), name: 'search' }])
  })

  it('may have any input', async () => {
    expect(await contentOf(whole('s1', 'plain words', executed), whole('s2', '[1]', executed), whole('s3', '', executed))).toEqual([
      ran('s1', 'plain words'),
      ran('s2', [1]),
      ran('s3', {}),
    ])
    expect(await contentOf(start('s4', 'search', executed), piece('s4', '{"q":1}'))).toEqual([ran('s4', { q: 1 })])
  })
})
