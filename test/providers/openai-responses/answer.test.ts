import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/util/json.ts'
import { answerTo } from './support/ask.ts'
import { adds, begins, call, completed, ends, incomplete, message, passed, passes, saying, says, sse } from './support/sse.ts'

/** What the message holds, and why it ended. */
async function readOf(...events: readonly JsonObject[]): Promise<{ readonly content: unknown; readonly stopReason: unknown }> {
  const { message: read, error } = await answerTo(sse(begins(), ...events))
  if (!read) throw error
  return { content: read.content, stopReason: read.stopReason }
}
const own = (data: object): object => ({ provider: { openai: data } })
const added = { type: 'tool_use', id: 'call_1', name: 'add', input: { a: 1 }, ...own({ id: 'call_A', itemId: 'fc_1' }) }

describe('an answer', () => {
  it('has text, usage and the name of its model', async () => {
    const { message: read } = await answerTo(saying('hi'))
    expect(read).toEqual({
      content: [{ type: 'text', text: 'hi', ...own({ itemId: 'msg_1' }) }],
      stopReason: 'end_turn',
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
      model: 'gpt-5.2',
      timeToFirstTokenMs: 0,
      redactions: [],
    })
  })

  it('shows the chunks when they are wanted', async () => {
    const { events } = await answerTo(sse(begins(), completed()), { raw: true })
    expect(events.map((event) => (event.type === 'raw' ? (event.chunk as { type: unknown }).type : event.type))).toEqual([
      'response.created',
      'message_start',
      'response.completed',
      'metadata',
      'message_stop',
    ])
  })

  it('ignores events that it does not know, and [DONE]', async () => {
    const body = sse(begins(), { type: 'response.brand_new', x: 1 }, adds(0, message('')), says(0, 'hi'), completed()) + 'data: [DONE]\n\n'
    expect((await answerTo(body)).message?.content).toEqual([{ type: 'text', text: 'hi', ...own({ itemId: 'msg_1' }) }])
  })

  it('keeps items apart whose pieces alternate', async () => {
    const second = { id: 'fc_2', call_id: 'call_B' }
    const events = [adds(0, call('')), adds(1, call('', second)), passes(0, '{"a"'), passes(1, '{"a":'), passes(0, ':1}'), passes(1, '2}')]
    expect(await readOf(...events, ends(1, call('{"a":2}', second)), ends(0, call('{"a":1}')), completed())).toEqual({
      content: [added, { ...added, id: 'call_2', input: { a: 2 }, ...own({ id: 'call_B', itemId: 'fc_2' }) }],
      stopReason: 'tool_use',
    })
  })

  it('knows an item by its place, though its id is another in each event', async () => {
    const events = [
      adds(0, message('', { id: 'a' })),
      says(0, 'h', { item_id: 'b' }),
      says(0, 'i', { item_id: 'c' }),
      ends(0, message('hi', { id: 'd' })),
    ]
    expect(await readOf(...events, completed())).toEqual({
      content: [{ type: 'text', text: 'hi', ...own({ itemId: 'd' }) }],
      stopReason: 'end_turn',
    })
  })
})

describe('what comes whole', () => {
  it.each([
    ['with its end, and not with the item', [adds(0, call('')), passed(0, '{"a":1}'), ends(0, call('{}'))]],
    ['with the item alone', [adds(0, call('')), ends(0, call('{"a":1}'))]],
    ['with the item alone, and an empty end', [adds(0, call('')), passed(0, '{}'), ends(0, call('{"a":1}'))]],
    ['with the beginning of the item', [adds(0, call('{"a":1}')), ends(0, call(''))]],
    ['with the beginning of an item that never ends', [adds(0, call('{"a":1}'))]],
    [
      'in pieces and again with its end',
      [adds(0, call('')), passes(0, '{"a":'), passes(0, '1}'), passed(0, '{"a":1}'), ends(0, call('{"a":1}'))],
    ],
    ['with an end that says more than the pieces', [adds(0, call('')), passes(0, '{"a"'), passed(0, '{"a":1}')]],
    ['in an item without a beginning', [ends(0, call('{"a":1}'))]],
    ['in pieces before the name', [passes(0, '{"a":1}'), ends(0, call('{"a":1}'))]],
    ['in the response alone', []],
  ])('is the input of a call: %s', async (_how, events) => {
    const last = events.length === 0 ? completed({ output: [call('{"a":1}')] }) : completed()
    expect(await readOf(...events, last)).toEqual({ content: [added], stopReason: 'tool_use' })
  })

  it('is an empty input when there is none anywhere', async () => {
    expect(await readOf(adds(0, call('')), passed(0, '{}'), ends(0, call('{}')), completed())).toEqual({
      content: [{ ...added, input: {} }],
      stopReason: 'tool_use',
    })
  })

  it('is text', async () => {
    const done = { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'hi' }
    const whole = { content: [{ type: 'text', text: 'hi', ...own({ itemId: 'msg_1' }) }], stopReason: 'end_turn' }
    expect(await readOf(adds(0, message('')), done, ends(0, message('hi')), completed())).toEqual(whole)
    expect(await readOf(ends(0, message('hi')), completed())).toEqual(whole)
    expect(await readOf(completed({ output: [message('hi')] }))).toEqual(whole)
  })
})

describe('thoughts', () => {
  const reasoning = (more: JsonObject = {}): JsonObject => ({ type: 'reasoning', id: 'rs_1', summary: [], ...more })
  const summary = (part: number, delta: string): JsonObject => ({
    type: 'response.reasoning_summary_text.delta',
    output_index: 0,
    summary_index: part,
    delta,
  })

  it('are a block for each part of the summary, the proof with the last', async () => {
    const texts = [
      { type: 'summary_text', text: 'ab' },
      { type: 'summary_text', text: 'c' },
    ]
    const events = [adds(0, reasoning({ encrypted_content: 'early' })), summary(0, 'a'), summary(0, 'b'), summary(1, 'c')]
    expect(await readOf(...events, ends(0, reasoning({ summary: texts, encrypted_content: 'late' })), completed())).toEqual({
      content: [
        { type: 'reasoning', text: 'ab', ...own({ itemId: 'rs_1', part: 'summary' }) },
        { type: 'reasoning', text: 'c', signature: 'late', ...own({ itemId: 'rs_1', part: 'summary' }) },
      ],
      stopReason: 'end_turn',
    })
  })

  it('may be nothing but a proof', async () => {
    expect(await readOf(adds(0, reasoning()), ends(0, reasoning({ encrypted_content: 's' })), completed())).toEqual({
      content: [{ type: 'reasoning', text: '', signature: 's', ...own({ itemId: 'rs_1', part: 'none' }) }],
      stopReason: 'end_turn',
    })
  })

  it('have a block though there is nothing of them', async () => {
    expect(await readOf(adds(0, reasoning()), ends(0, reasoning()), completed())).toEqual({
      content: [{ type: 'reasoning', text: '', ...own({ itemId: 'rs_1', part: 'none' }) }],
      stopReason: 'end_turn',
    })
  })

  it('may come in full', async () => {
    const events = [adds(0, reasoning()), { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'hm' }]
    expect(await readOf(...events, completed())).toEqual({
      content: [{ type: 'reasoning', text: 'hm', ...own({ itemId: 'rs_1', part: 'content' }) }],
      stopReason: 'end_turn',
    })
  })
})

describe('a refusal', () => {
  const refusal = { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'No.' }
  const refused = { type: 'text', text: 'No.', ...own({ itemId: 'msg_1', refusal: true }) }

  it('is text, and why the message ended', async () => {
    expect(await readOf(adds(0, message('')), refusal, completed())).toEqual({ content: [refused], stopReason: 'refusal' })
  })

  it('keeps no call from being run', async () => {
    expect(await readOf(adds(0, message('')), refusal, ends(1, call('{"a":1}')), completed())).toEqual({
      content: [refused, added],
      stopReason: 'tool_use',
    })
  })
})

describe('sources', () => {
  it('are told once, with what the API wants back', async () => {
    const annotation = { type: 'url_citation', url: 'https://a.test', title: 'A', start_index: 0, end_index: 2 }
    const file = { type: 'file_citation', file_id: 'f', filename: 'a.txt', index: 3 }
    const told = { type: 'response.output_text.annotation.added', output_index: 0, content_index: 0, annotation_index: 0, annotation }
    const whole = message('hi', { content: [{ type: 'output_text', text: 'hi', annotations: [annotation, file] }] })
    expect(await readOf(adds(0, message('')), says(0, 'hi'), told, ends(0, whole), completed())).toEqual({
      content: [
        {
          type: 'text',
          text: 'hi',
          citations: [
            { title: 'A', url: 'https://a.test', start: 0, end: 2, ...own(annotation) },
            { title: 'a.txt', ...own(file) },
          ],
          ...own({ itemId: 'msg_1' }),
        },
      ],
      stopReason: 'end_turn',
    })
  })
})

describe('tools of the server', () => {
  it('are kept with what came of them', async () => {
    const search = { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['a'] }
    expect(
      await readOf(adds(0, { ...search, status: 'in_progress' }), ends(0, { ...search, results: [{ text: 'b' }] }), completed()),
    ).toEqual({
      content: [
        { type: 'server_tool_use', id: 'fs_1', name: 'file_search', input: { queries: ['a'] }, ...own({ item: search }) },
        { type: 'server_tool_result', toolUseId: 'fs_1', content: [{ text: 'b' }], ...own({ field: 'results' }) },
      ],
      stopReason: 'end_turn',
    })
  })

  it('are kept when the result is an item of its own', async () => {
    const shell = { type: 'shell_call', id: 'sh_1', call_id: 'c', action: { commands: ['ls'] } }
    const output = { type: 'shell_call_output', id: 'sho_1', call_id: 'c' }
    expect(await readOf(adds(0, shell), ends(0, shell), adds(1, output), ends(1, { ...output, output: ['a'] }), completed())).toEqual({
      content: [
        { type: 'server_tool_use', id: 'c', name: 'shell', input: { commands: ['ls'] }, ...own({ item: shell }) },
        { type: 'server_tool_result', toolUseId: 'c', content: ['a'], ...own({ item: output, field: 'output' }) },
      ],
      stopReason: 'end_turn',
    })
  })
})

describe('an answer that was cut', () => {
  it('by the limit has its text', async () => {
    expect(await readOf(adds(0, message('')), says(0, 'hi'), incomplete('max_output_tokens'))).toEqual({
      content: [{ type: 'text', text: 'hi', ...own({ itemId: 'msg_1' }) }],
      stopReason: 'max_tokens',
    })
  })

  it('by a filter says so', async () => {
    expect((await readOf(adds(0, message('')), says(0, 'hi'), incomplete('content_filter'))).stopReason).toBe('content_filtered')
  })

  it.each([
    ['in an input that looks whole', [passes(0, '{"a":1}')]],
    ['before the input', []],
    ['inside the input', [passes(0, '{"a":')]],
    [
      'inside the input, which is ended all the same',
      [passes(0, '{"a":'), passed(0, '{"a":'), ends(0, call('{"a":', { status: 'incomplete' }))],
    ],
    ['in an input that looks whole, which is ended all the same', [passes(0, '{}'), ends(0, call('{}', { status: 'incomplete' }))]],
  ])('in a call marks its input as no input: %s', async (_where, events) => {
    const { content, stopReason } = await readOf(adds(0, call('')), ...events, incomplete('max_output_tokens'))
    expect(content).toEqual([{ ...added, input: {}, invalidInput: expect.any(Object) as unknown }])
    expect(stopReason).toBe('max_tokens')
  })

  it('behind a call leaves that as it is', async () => {
    const events = [adds(0, call('')), passes(0, '{"a":1}'), ends(0, call('{"a":1}', { status: 'completed' })), adds(1, message(''))]
    expect(await readOf(...events, says(1, 'hi'), incomplete('max_output_tokens'))).toEqual({
      content: [added, { type: 'text', text: 'hi', ...own({ itemId: 'msg_1' }) }],
      stopReason: 'max_tokens',
    })
  })
})
