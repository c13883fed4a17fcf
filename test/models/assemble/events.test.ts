import { describe, expect, it } from 'vitest'
import type { MessageEvent } from '../../../src/models/message-events.ts'
import { assembler, calling, delta, emitted, end, input, said, start, stop, thought } from '../../support/assemble.ts'

describe('the assembler tells', () => {
  it('of each block its start, its pieces and its end', async () => {
    expect(
      await emitted([
        start(0, { type: 'reasoning' }),
        thought(0, 'hm'),
        stop(0),
        start(1, { type: 'text' }),
        said(1, 'a'),
        said(1, 'b'),
        stop(1),
        calling(2, 'add', 'x'),
        input(2, '{"a":'),
        input(2, '1}'),
        stop(2),
      ]),
    ).toEqual([
      { type: 'reasoning_start', blockId: 'm:0' },
      { type: 'reasoning_delta', blockId: 'm:0', text: 'hm' },
      { type: 'reasoning_end', blockId: 'm:0' },
      { type: 'text_start', blockId: 'm:1' },
      { type: 'text_delta', blockId: 'm:1', text: 'a' },
      { type: 'text_delta', blockId: 'm:1', text: 'b' },
      { type: 'text_end', blockId: 'm:1' },
      { type: 'tool_input_start', callId: 'call_1', name: 'add' },
      { type: 'tool_input_delta', callId: 'call_1', text: '{"a":' },
      { type: 'tool_input_delta', callId: 'call_1', text: '1}' },
      { type: 'tool_input_end', callId: 'call_1', input: { a: 1 } },
    ])
  })

  it('of starts and ends that the provider left out', async () => {
    expect(await emitted([said(0, 'a'), calling(0, 'add')])).toEqual([
      { type: 'text_start', blockId: 'm:0' },
      { type: 'text_delta', blockId: 'm:0', text: 'a' },
      { type: 'text_end', blockId: 'm:0' },
      { type: 'tool_input_start', callId: 'call_1', name: 'add' },
      { type: 'tool_input_end', callId: 'call_1', input: {} },
    ])
  })

  it('of a new block where a closed one is said to go on', async () => {
    expect(await emitted([said(0, 'A'), stop(0), said(0, 'B')])).toEqual([
      { type: 'text_start', blockId: 'm:0' },
      { type: 'text_delta', blockId: 'm:0', text: 'A' },
      { type: 'text_end', blockId: 'm:0' },
      { type: 'text_start', blockId: 'm:1' },
      { type: 'text_delta', blockId: 'm:1', text: 'B' },
      { type: 'text_end', blockId: 'm:1' },
    ])
  })

  it('of citations, and of chunks of the wire', async () => {
    const citation = { title: 'T' }
    expect(await emitted([{ type: 'raw', chunk: { data: 1 } }, said(0, 'a'), delta(0, { type: 'citation', citation })])).toEqual([
      { type: 'raw_chunk', chunk: { data: 1 } },
      { type: 'text_start', blockId: 'm:0' },
      { type: 'text_delta', blockId: 'm:0', text: 'a' },
      { type: 'citation', blockId: 'm:0', citation },
      { type: 'text_end', blockId: 'm:0' },
    ])
  })

  it('nothing of pieces that say nothing, and of input that came too late', async () => {
    expect(await emitted([said(0, ''), input(1, ' '), calling(2, 'add'), input(2, '{}'), stop(2), input(2, '{}'), input(2, '')])).toEqual([
      { type: 'tool_input_start', callId: 'call_1', name: 'add' },
      { type: 'tool_input_delta', callId: 'call_1', text: '{}' },
      { type: 'tool_input_end', callId: 'call_1', input: {} },
    ])
  })

  it('in every event where it belongs', () => {
    const events: MessageEvent[] = []
    const machine = assembler({ emit: (event) => void events.push(event) })
    for (const event of [thought(0, 'a'), said(1, 'b'), calling(2, 'c'), input(2, '{}'), stop(2), stop(1), stop(0), end()])
      void machine.push(event)
    expect(new Set(events.map((event) => `${event.invocationId} ${event.turn} ${'messageId' in event && event.messageId}`))).toEqual(
      new Set(['inv 1 m']),
    )
  })

  it('at once: a piece is out before the next is taken', () => {
    const events: string[] = []
    const machine = assembler({ emit: (event) => void events.push(event.type) })
    void machine.push(said(0, 'a'))
    expect(events).toEqual(['text_start', 'text_delta'])
    void machine.push(said(0, 'b'))
    expect(events).toEqual(['text_start', 'text_delta', 'text_delta'])
  })
})

describe('a consumer that asks for time', () => {
  it('is waited for: push gives its promise back', async () => {
    const wait = Promise.resolve()
    const machine = assembler({ emit: () => wait })
    expect(machine.push(said(0, 'a'))).toBe(wait)
    expect(machine.push(said(0, ''))).toBeUndefined()
    expect(machine.push(end())).toBeUndefined()
    await machine.finish()
  })

  it('is waited for at the end of a block that another one ends', async () => {
    const wait = Promise.resolve()
    const asking = (type: string) => assembler({ emit: (event) => (event.type === type ? wait : undefined) })
    const image = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AA==' } } as const
    const closing = asking('text_end')
    expect(closing.push(said(0, 'a'))).toBeUndefined()
    expect(closing.push(start(0, image))).toBe(wait)
    const opening = asking('text_start')
    expect(opening.push(said(0, 'a'))).toBe(wait)
  })

  it('costs nothing where there is none', () => {
    const machine = assembler()
    expect([said(0, 'a'), calling(1, 'b'), stop(1), { type: 'raw', chunk: 1 } as const].map((event) => machine.push(event))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
