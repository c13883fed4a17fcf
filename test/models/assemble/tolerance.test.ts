import { describe, expect, it } from 'vitest'
import { IncompleteStreamError } from '../../../src/errors.ts'
import type { ModelEvent } from '../../../src/models/model-events.ts'
import { assemble, assembler, calling, contentOf, delta, end, input, said, start, stop, thought } from '../../support/assemble.ts'

const used = (n: number, name: string, data: object, id?: string) => ({
  type: 'tool_use',
  id: `call_${n}`,
  name,
  input: data,
  ...(id !== undefined && { provider: { p: { id } } }),
})
const text = (value: string) => ({ type: 'text', text: value })
const unknown = (event: object): ModelEvent => event as unknown as ModelEvent

describe('the assembler takes', () => {
  it.each<[string, readonly ModelEvent[], readonly unknown[]]>([
    ['no start of the message nor of a block', [said(0, 'hi')], [text('hi')]],
    [
      'no stop of any block',
      [start(0, { type: 'text' }), said(0, 'hi'), calling(1, 'add'), input(1, '{"a":1}')],
      [text('hi'), used(1, 'add', { a: 1 })],
    ],
    [
      'text before a call, whose block is never stopped',
      [said(0, 'pre'), calling(1, 'add', 'x'), input(1, '{}'), stop(1)],
      [text('pre'), used(1, 'add', {}, 'x')],
    ],
    [
      'two whole calls',
      [calling(0, 'a', 'x'), input(0, '{"n":1}'), stop(0), calling(1, 'b', 'y'), input(1, '{"n":2}'), stop(1)],
      [used(1, 'a', { n: 1 }, 'x'), used(2, 'b', { n: 2 }, 'y')],
    ],
    [
      'calls whose pieces alternate',
      [calling(0, 'a'), calling(1, 'b'), input(0, '{"n'), input(1, '{"m'), input(0, '":1}'), input(1, '":2}'), stop(1), stop(0)],
      [used(1, 'a', { n: 1 }), used(2, 'b', { m: 2 })],
    ],
    [
      'blocks out of the order of their indexes: they stand as they appeared',
      [said(5, 'a'), calling(2, 'add'), thought(9, 'hm'), said(5, 'b'), stop(2)],
      [text('ab'), used(1, 'add', {}), { type: 'reasoning', text: 'hm' }],
    ],
    [
      'text between the pieces of a call',
      [calling(1, 'add'), input(1, '{"a"'), said(0, 'x'), input(1, ':1}'), stop(1)],
      [used(1, 'add', { a: 1 }), text('x')],
    ],
    [
      'text after a call: a text of its own',
      [said(0, 'A'), stop(0), calling(1, 'add'), stop(1), said(2, 'B')],
      [text('A'), used(1, 'add', {}), text('B')],
    ],
    [
      'text for a block that was closed: another block',
      [start(0, { type: 'text' }), said(0, 'A'), stop(0), said(0, 'B')],
      [text('A'), text('B')],
    ],
    [
      'a thought for a text block',
      [said(0, 'A'), thought(0, 'hm'), said(0, 'B')],
      [text('A'), { type: 'reasoning', text: 'hm' }, text('B')],
    ],
    [
      'an index that is used again',
      [calling(0, 'a'), input(0, '{"n":1}'), stop(0), calling(0, 'b'), input(0, '{"n":2}'), stop(0)],
      [used(1, 'a', { n: 1 }), used(2, 'b', { n: 2 })],
    ],
    [
      'an index that is used again without a stop',
      [calling(0, 'a'), input(0, '{"n":1}'), calling(0, 'b'), input(0, '{"n":2}')],
      [used(1, 'a', { n: 1 }), used(2, 'b', { n: 2 })],
    ],
    [
      'empty pieces, before and after everything',
      [said(0, ''), thought(1, ''), input(2, ''), input(2, ' '), said(0, 'a'), stop(0), said(0, ''), thought(0, '')],
      [text('a')],
    ],
    [
      'empty and blank pieces after a call was closed',
      [calling(0, 'a'), input(0, '{"q":"x"}'), stop(0), input(0, ''), input(0, ' ')],
      [used(1, 'a', { q: 'x' })],
    ],
    [
      'the rest of the input after the stop',
      [calling(0, 'a'), input(0, '{"n":'), stop(0), input(0, '1'), input(0, '}')],
      [used(1, 'a', { n: 1 })],
    ],
    ['a stop of a block that never began, and a second one', [stop(4), said(0, 'a'), stop(0), stop(0)], [text('a')]],
    ['input without a call: a call without a name, to be answered with an error', [input(3, '{"a":1}')], [used(1, '', { a: 1 })]],
    [
      'kinds of events, blocks and pieces that it does not know',
      [
        unknown({ type: 'ping' }),
        start(0, { type: 'hologram' } as never),
        delta(0, { type: 'smell', of: 'x' } as never),
        stop(0),
        said(1, 'a'),
      ],
      [text('a')],
    ],
    [
      'pieces without what they should bring',
      [
        delta(0, { type: 'text' } as never),
        delta(1, { type: 'tool_input' } as never),
        calling(2, 'a'),
        delta(2, { type: 'tool_input' } as never),
        delta(3, { type: 'reasoning' }),
        said(4, 'x'),
        delta(4, { type: 'text' } as never),
      ],
      [used(1, 'a', {}), text('x')],
    ],
  ])('%s', async (_what, events, content) => expect(await contentOf(events)).toStrictEqual(content))

  it('what comes behind the end of the message', async () => {
    const message = await assemble([said(0, 'a'), end(), { type: 'metadata', usage: { outputTokens: 3 } }])
    expect([message.content, message.stopReason, message.usage]).toEqual([
      [text('a')],
      'end_turn',
      { inputTokens: 0, outputTokens: 3, totalTokens: 3 },
    ])
  })

  it('a message without a word', async () => {
    expect(await assemble([end()])).toEqual({
      content: [],
      stopReason: 'end_turn',
      usage: undefined,
      model: undefined,
      timeToFirstTokenMs: undefined,
      redactions: [],
    })
  })
})

describe('a stream that ends without its end', () => {
  it.each<[string, readonly ModelEvent[]]>([
    ['before anything', []],
    ['after the start', [{ type: 'message_start', model: 'x' }]],
    ['in a text', [said(0, 'half')]],
    ['after a whole call', [calling(0, 'add'), input(0, '{}'), stop(0)]],
    ['after its usage', [said(0, 'a'), stop(0), { type: 'metadata', usage: { outputTokens: 1 } }]],
  ])('%s is an error that may be retried', async (_when, events) => {
    const failing = assemble(events)
    await expect(failing).rejects.toThrow(IncompleteStreamError)
    await expect(failing).rejects.toMatchObject({
      code: 'incomplete_stream',
      retryable: true,
      provider: 'p',
      message: 'The stream ended before the message was complete.',
    })
  })

  it('still has its text and its usage', () => {
    const machine = assembler()
    for (const event of [
      said(0, 'half '),
      calling(1, 'add'),
      said(2, 'a word'),
      thought(3, 'hm'),
      { type: 'metadata', usage: { outputTokens: 2 } } as const,
    ])
      void machine.push(event)
    expect([machine.stopped, machine.text, machine.partial(), machine.usage]).toEqual([
      false,
      'half a word',
      [text('half '), text('a word')],
      { inputTokens: 0, outputTokens: 2, totalTokens: 2 },
    ])
    void machine.push(end())
    expect(machine.stopped).toBe(true)
  })
})
