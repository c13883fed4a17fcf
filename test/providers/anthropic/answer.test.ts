import { describe, expect, it } from 'vitest'
import { IncompleteStreamError, ModelError, OverloadedError } from '../../../src/errors.ts'
import type { AssembledMessage } from '../../../src/models/assemble.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { answerTo } from './support/ask.ts'
import { adds, begins, calls, closes, ends, opens, says, sse } from './support/sse.ts'

const messageOf = async (...chunks: readonly JsonObject[]): Promise<AssembledMessage> => {
  const { message, error } = await answerTo(sse(begins(), ...chunks))
  if (!message) throw error
  return message
}
const contentOf = async (...chunks: readonly JsonObject[]): Promise<AssembledMessage['content']> =>
  (await messageOf(...chunks, ...ends())).content

describe('an answer', () => {
  it('is told event by event, as it comes', async () => {
    const chunks = [begins(), { type: 'ping' }, ...says(0, 'hi'), ...calls(1, 'look', '{"at":1}'), ...ends('tool_use')]
    const { events } = await answerTo(sse(...chunks))
    expect(events).toEqual([
      { type: 'message_start', model: 'claude-test', responseId: 'msg_1' },
      { type: 'metadata', usage: { inputTokens: 3, outputTokens: 1 }, cumulative: true },
      { type: 'block_start', index: 0, block: { type: 'text' } },
      { type: 'block_delta', index: 0, delta: { type: 'text', text: 'hi' } },
      { type: 'block_stop', index: 0 },
      { type: 'block_start', index: 1, block: { type: 'tool_use', id: 'toolu_1', name: 'look' } },
      { type: 'block_delta', index: 1, delta: { type: 'tool_input', text: '{"at":1}' } },
      { type: 'block_stop', index: 1 },
      { type: 'metadata', usage: { inputTokens: 3, outputTokens: 5 }, cumulative: true },
      { type: 'message_stop', stopReason: 'tool_use' },
    ])
  })

  it('is told with the chunks of the wire, each before what was made of it, when they are asked for', async () => {
    const chunks = [begins(), { type: 'ping' }, ...says(0, 'hi'), ...ends()]
    const { events } = await answerTo(sse(...chunks), { raw: true })
    expect(events.filter(({ type }) => type === 'raw')).toEqual(chunks.map((chunk) => ({ type: 'raw', chunk })))
    expect(events.slice(0, 4).map(({ type }) => type)).toEqual(['raw', 'message_start', 'metadata', 'raw'])
  })

  it.each([
    ['end_turn', 'end_turn'],
    ['stop_sequence', 'stop_sequence'],
    ['max_tokens', 'max_tokens'],
    ['refusal', 'refusal'],
    ['pause_turn', 'pause_turn'],
    ['compaction', 'pause_turn'],
    ['model_context_window_exceeded', 'context_window_exceeded'],
    ['tool_use', 'end_turn'],
    ['something_new', 'end_turn'],
    [null, 'end_turn'],
  ])('that stopped for %s ends with %s', async (said, stopReason) =>
    expect((await messageOf(...says(0, 'hi'), ...ends(said))).stopReason).toBe(stopReason),
  )

  it('names the stop sequence', async () => {
    const { events } = await answerTo(sse(begins(), ...ends('stop_sequence', { stop_sequence: 'END' })))
    expect(events.at(-1)).toEqual({ type: 'message_stop', stopReason: 'stop_sequence', stopSequence: 'END' })
  })

  it('with calls asks for tools, whatever it says', async () =>
    expect((await messageOf(...calls(0, 'look', '{}'), ...ends('end_turn'))).stopReason).toBe('tool_use'))

  it('counts field by field; cache reads and writes are input', async () => {
    const { message } = await answerTo(
      sse(
        begins({ usage: { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: null, output_tokens: 1 } }),
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn' },
          usage: { input_tokens: null, cache_creation_input_tokens: 50, output_tokens: 7, output_tokens_details: { thinking_tokens: 4 } },
        },
        { type: 'message_stop' },
      ),
    )
    expect(message!.usage).toEqual({
      inputTokens: 160,
      outputTokens: 7,
      totalTokens: 167,
      cacheReadTokens: 100,
      cacheWriteTokens: 50,
      reasoningTokens: 4,
    })
  })

  it('passes over what it does not know', async () => {
    const strange = [{ type: 'vertex_event', at: 1 }, adds(0, { type: 'sparkle_delta', sparkle: 1 }), { note: 'no type' }]
    expect(await contentOf(...strange, ...says(0, 'hi'), ...strange)).toEqual([{ type: 'text', text: 'hi' }])
  })

  it('takes the end mark of another API behind its own', async () => {
    const { message } = await answerTo(`${sse(begins(), ...says(0, 'hi'), ...ends())}data: [DONE]\n\n`)
    expect(message?.content).toEqual([{ type: 'text', text: 'hi' }])
  })
})

describe('blocks', () => {
  it('of thinking keep their own signature, also without a word', async () => {
    expect(
      await contentOf(
        opens(0, { type: 'thinking', thinking: '', signature: '' }),
        adds(0, { type: 'thinking_delta', thinking: 'hm' }),
        adds(0, { type: 'signature_delta', signature: 'SIG1' }),
        closes(0),
        opens(1, { type: 'thinking', thinking: '' }),
        adds(1, { type: 'signature_delta', signature: 'SIG2' }),
        closes(1),
        opens(2, { type: 'redacted_thinking', data: 'DATA' }),
        closes(2),
        opens(3, { type: 'thinking', thinking: '' }),
        closes(3),
        ...says(4, 'hi'),
      ),
    ).toEqual([
      { type: 'reasoning', text: 'hm', signature: 'SIG1', provider: { anthropic: { type: 'thinking' } } },
      { type: 'reasoning', text: '', signature: 'SIG2', provider: { anthropic: { type: 'thinking' } } },
      { type: 'reasoning', text: '', redacted: 'DATA', provider: { anthropic: { type: 'redacted_thinking' } } },
      { type: 'text', text: 'hi' },
    ])
  })

  it('of text carry citations, in our words and as they came', async () => {
    const page = { type: 'char_location', cited_text: 'q', document_title: 't', start_char_index: 1, end_char_index: 2 }
    const site = { type: 'web_search_result_location', cited_text: 'r', title: 's', url: 'https://e.example', encrypted_index: 'E' }
    expect(
      await contentOf(
        opens(0, { type: 'text', text: 'so', citations: [page] }),
        adds(0, { type: 'citations_delta', citation: site }),
        closes(0),
      ),
    ).toEqual([
      {
        type: 'text',
        text: 'so',
        citations: [
          { title: 't', quote: 'q', start: 1, end: 2, provider: { anthropic: page } },
          { title: 's', url: 'https://e.example', quote: 'r', provider: { anthropic: site } },
        ],
      },
    ])
  })

  it('of the server are kept with what it wants back', async () => {
    expect(
      await contentOf(
        opens(0, { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} }),
        adds(0, { type: 'input_json_delta', partial_json: '{"query":"q"}' }),
        closes(0),
        opens(1, { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [{ url: 'u' }], caller: { type: 'direct' } }),
        closes(1),
        opens(2, { type: 'compaction', content: null }),
        adds(2, { type: 'compaction_delta', content: 'so far', encrypted_content: 'E' }),
        closes(2),
      ),
    ).toEqual([
      {
        type: 'server_tool_use',
        id: 'srv_1',
        name: 'web_search',
        input: { query: 'q' },
        provider: { anthropic: { type: 'server_tool_use' } },
      },
      {
        type: 'server_tool_result',
        toolUseId: 'srv_1',
        content: [{ url: 'u' }],
        provider: { anthropic: { type: 'web_search_tool_result', caller: { type: 'direct' } } },
      },
      {
        type: 'server_tool_result',
        toolUseId: '',
        content: null,
        provider: { anthropic: { type: 'compaction', content: 'so far', encrypted_content: 'E' } },
      },
    ])
  })

  it('may interleave', async () => {
    expect(
      await contentOf(
        opens(0, { type: 'text', text: '' }),
        opens(1, { type: 'text', text: '' }),
        adds(0, { type: 'text_delta', text: 'a' }),
        adds(1, { type: 'text_delta', text: 'c' }),
        adds(0, { type: 'text_delta', text: 'b' }),
        closes(1),
        closes(0),
      ),
    ).toEqual([
      { type: 'text', text: 'ab' },
      { type: 'text', text: 'cd'.slice(0, 1) },
    ])
  })

  it('of text may lack their start and their stop', async () => {
    expect(
      await contentOf(
        adds(0, { type: 'text_delta', text: 'a' }),
        opens(1, { type: 'text', text: '' }),
        adds(1, { type: 'text_delta', text: 'b' }),
      ),
    ).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ])
  })
})

describe('the input of a call', () => {
  const call = { type: 'tool_use', id: 'call_1', name: 'look', provider: { anthropic: { id: 'toolu_0' } } }
  const start = (input: JsonObject): JsonObject => opens(0, { type: 'tool_use', id: 'toolu_0', name: 'look', input })
  const piece = (text: string): JsonObject => adds(0, { type: 'input_json_delta', partial_json: text })

  it('is what came with the start, when no piece of it follows', async () => {
    expect(await contentOf(start({ at: 1 }), piece(''), closes(0))).toEqual([{ ...call, input: { at: 1 } }])
    expect(await contentOf(start({ at: 1 }), piece('{"at":'), piece('2}'), closes(0))).toEqual([{ ...call, input: { at: 2 } }])
    expect(await contentOf(start({}), closes(0))).toEqual([{ ...call, input: {} }])
  })

  it('may stand in a message that came whole', async () => {
    const { message } = await answerTo(
      sse(
        begins({
          content: [{ type: 'tool_use', id: 'toolu_0', name: 'look', input: { at: 1 }, caller: { type: 'code' } }],
          stop_reason: 'tool_use',
        }),
        { type: 'message_stop' },
      ),
    )
    expect([message!.content, message!.stopReason]).toEqual([
      [{ ...call, input: { at: 1 }, provider: { anthropic: { id: 'toolu_0', caller: { type: 'code' } } } }],
      'tool_use',
    ])
  })

  it.each([
    ['whole as it may seem', ['{"at":1}']],
    ['empty', []],
  ])('that was never closed is invalid, %s', async (_name, pieces) => {
    const [cut] = await contentOf(start({}), ...pieces.map(piece))
    expect(cut).toEqual({
      ...call,
      input: {},
      invalidInput: { text: `${pieces.join('')}\n[The answer ended inside this input.]`, error: expect.any(String) },
    })
  })

  it('that another block took the place of is invalid', async () => {
    const [cut, text] = await contentOf(start({}), piece('{"at":1}'), ...says(0, 'hi'))
    expect([cut?.type === 'tool_use' && cut.invalidInput !== undefined, text]).toEqual([true, { type: 'text', text: 'hi' }])
  })

  it('whose start was lost runs nothing', async () => {
    const [cut] = await contentOf(piece('{"at":1}'))
    expect(cut).toMatchObject({ type: 'tool_use', name: '', input: {}, invalidInput: {} })
  })
})

describe('an answer is not complete', () => {
  it.each([
    ['nothing', ''],
    ['its beginning', sse(begins())],
    ['its blocks', sse(begins(), ...says(0, 'hi'))],
    ['its reason to stop', sse(begins(), ...says(0, 'hi'), ends()[0]!)],
    ['half of its end', sse(begins(), ...says(0, 'hi'), ...ends()).slice(0, -5)],
    ['the end mark of another API', `${sse(begins(), ...says(0, 'hi'))}data: [DONE]\n\n`],
  ])('with %s alone', async (_name, body) => {
    const { message, error } = await answerTo(body)
    expect([message, error]).toEqual([undefined, expect.any(IncompleteStreamError)])
  })

  it('with what is no JSON', async () =>
    expect((await answerTo(`${sse(begins())}data: <html>\n\n`)).error).toEqual(
      new IncompleteStreamError('anthropic: expected JSON in the stream, got "<html>".', { provider: 'anthropic' }),
    ))

  it('with another message amid it', async () => {
    const { message, error } = await answerTo(
      sse(
        begins(),
        ...calls(0, 'look', '{"at":1}').slice(0, 2),
        begins({ id: 'msg_2' }),
        ...calls(0, 'look', '{"at":1}'),
        ...ends('tool_use'),
      ),
    )
    expect([message, error]).toEqual([
      undefined,
      new IncompleteStreamError('anthropic: another message began before the first one was complete.', { provider: 'anthropic' }),
    ])
    expect((await answerTo(sse(begins(), ...says(0, 'hi'), begins(), ...ends()))).message?.content).toEqual([{ type: 'text', text: 'hi' }])
  })

  it('with an error in it, and what came before is told', async () => {
    const { error, partialText } = await answerTo(
      sse(begins(), ...says(0, 'hi'), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    )
    expect([error, partialText]).toEqual([new OverloadedError('anthropic: Overloaded', { provider: 'anthropic' }), 'hi'])
  })

  it.each([
    ['overloaded_error', 'overloaded', true],
    ['api_error', 'overloaded', true],
    ['timeout_error', 'overloaded', true],
    ['rate_limit_error', 'throttled', true],
    ['authentication_error', 'authentication', false],
    ['permission_error', 'authentication', false],
    ['invalid_request_error', 'invalid_request', false],
    ['not_found_error', 'invalid_request', false],
    ['request_too_large', 'context_overflow', false],
  ])('an error event of type %s is %s', async (type, code, retryable) => {
    const { error } = await answerTo(sse(begins(), { type: 'error', error: { type, message: 'Sorry' } }))
    expect(error).toBeInstanceOf(ModelError)
    expect([(error as ModelError).code, (error as ModelError).retryable]).toEqual([code, retryable])
  })
})
