import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ModelEvent } from '../../../src/models/model-events.ts'
import { assemble, calling, contentOf, emitted, end, input, stop } from '../../support/assemble.ts'

const call = async (...pieces: readonly string[]) =>
  (await contentOf([calling(0, 'add'), ...pieces.map((piece) => input(0, piece)), stop(0)]))[0]

describe('the input of a call', () => {
  it.each<[readonly string[], object]>([
    [[], {}],
    [['null'], {}],
    [['  ', '\n'], {}],
    [['{}'], {}],
    [['{"a"', ':"x', 'y"}'], { a: 'xy' }],
    [['{"a":"\\u00', 'e9"}'], { a: 'é' }],
    [['{"a":"\ud83d', '\ude00"}'], { a: '😀' }],
  ])('%j → %j', async (pieces, value) =>
    expect(await call(...pieces)).toStrictEqual({ type: 'tool_use', id: 'call_1', name: 'add', input: value }),
  )

  it.each(['{"x":', '{"a":1}{"b":2}', '[1]', '"s"', '7', '{"a":{"b":[}}'])(
    '%s: the call stays, with what is wrong with it',
    async (text) => {
      expect(await call(text)).toEqual({
        type: 'tool_use',
        id: 'call_1',
        name: 'add',
        input: {},
        invalidInput: { text, error: expect.any(String) as string },
      })
    },
  )

  it('that goes on after a whole object makes the call invalid, after blanks it does not', async () => {
    expect(await contentOf([calling(0, 'a'), input(0, '{"a":1}'), stop(0), input(0, '{"b":2}')])).toMatchObject([
      { input: {}, invalidInput: { text: '{"a":1}{"b":2}' } },
    ])
    expect(await contentOf([calling(0, 'a'), input(0, '{"a":1}'), stop(0), input(0, ' ')])).toMatchObject([{ input: { a: 1 } }])
  })

  it('keeps a key named __proto__ a key', async () => {
    const block = (await call('{"__proto__":{"admin":true},"a":1}')) as { input: Record<string, unknown> }
    expect(JSON.stringify(block.input)).toBe('{"__proto__":{"admin":true},"a":1}')
    expect(block.input['admin']).toBeUndefined()
  })
})

describe('ids of the provider', () => {
  const idsOf = async (events: readonly ModelEvent[], isUsedId?: (id: string) => boolean) =>
    (await contentOf(events, { isUsedId })).map((block) =>
      block.type === 'tool_use' ? [block.id, block.provider?.['p']?.['id']] : undefined,
    )

  it('are kept beside ours', async () => {
    expect(await idsOf([calling(0, 'a', 'x'), calling(1, 'b', 'y')])).toEqual([
      ['call_1', 'x'],
      ['call_2', 'y'],
    ])
  })

  it('are dropped where they are missing, empty, or used before in the message or the history', async () => {
    const events = [calling(0, 'a', 'x'), calling(1, 'b', 'x'), calling(2, 'c'), calling(3, 'd', ''), calling(4, 'e', 'old')]
    expect(await idsOf(events, (id) => id === 'old')).toEqual([
      ['call_1', 'x'],
      ['call_2', undefined],
      ['call_3', undefined],
      ['call_4', undefined],
      ['call_5', undefined],
    ])
  })
})

describe('the cost of the pieces', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('is one parse, however many they are, before or after the stop', async () => {
    const pieces = ['{"a":"', ...Array.from({ length: 5000 }, () => 'x'), '"}']
    const parse = vi.spyOn(JSON, 'parse')
    await assemble([calling(0, 'add'), ...pieces.map((piece) => input(0, piece)), stop(0), end()])
    expect(parse).toHaveBeenCalledTimes(1)
    parse.mockClear()
    await assemble([calling(0, 'add'), stop(0), ...pieces.map((piece) => input(0, piece)), end()])
    expect(parse).toHaveBeenCalledTimes(1)
  })

  it('stays linear with the input shown as it grows: what is parsed in all is a small multiple of its length', async () => {
    const pieces = ['{"a":"', ...Array.from({ length: 5000 }, () => 'word ')]
    let parsed = 0
    let length = 0
    const events = await emitted([calling(0, 'add'), ...pieces.map((piece) => input(0, piece)), input(0, '"}')], { partialInput: true })
    for (const event of events as { type: string; text: string; partial?: unknown }[]) {
      if (event.type !== 'tool_input_delta') continue
      length += event.text.length
      if (event.partial !== undefined) parsed += length
    }
    expect(parsed).toBeGreaterThan(length)
    expect(parsed).toBeLessThan(10 * length)
  })
})

describe('the input so far', () => {
  const partials = async (pieces: readonly string[], partialInput = true) =>
    (
      (await emitted([calling(0, 'add'), ...pieces.map((piece) => input(0, piece))], { partialInput })) as {
        type: string
        partial?: unknown
      }[]
    )
      .filter(({ type }) => type === 'tool_input_delta')
      .map(({ partial }) => partial)

  it('grows with its pieces', async () => {
    expect(await partials(['{"path":"/t', 'mp","lines":[1', ',2],"deep":{"a":', 'true}}'])).toEqual([
      { path: '/t' },
      { path: '/tmp', lines: [1] },
      { path: '/tmp', lines: [1, 2], deep: {} },
      { path: '/tmp', lines: [1, 2], deep: { a: true } },
    ])
  })

  it('is given to those alone who ask', async () => {
    expect(await partials(['{"a":1', '}'], false)).toEqual([undefined, undefined])
  })

  it('is left out where the text is no JSON, or would become what JSON cannot be', async () => {
    expect(await partials(['nonsense'])).toEqual([undefined])
    expect(await partials(['{"a":NaN'])).toEqual([undefined])
    expect(await partials(['{"__proto__":{"admin":true}'])).toEqual([undefined])
  })

  it('is data of its own: nobody can change it for others', async () => {
    expect((await partials(['{"a":[1]}'])).every((partial) => Object.isFrozen(partial))).toBe(true)
  })
})
