// Streams that others read wrongly, as their users reported it. The short ids stand in docs/regressions.md, too.
import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { AssembledMessage } from '../../../src/models/assemble.ts'
import type { Model } from '../../../src/models/model.ts'
import { openai } from '../../../src/providers/openai/index.ts'
import { tool } from '../../../src/tools/tool.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import * as messages from '../../providers/anthropic/support/ask.ts'
import { adds, begins, closes, ends, opens, sse } from '../../providers/anthropic/support/sse.ts'
import * as generate from '../../providers/google/support/ask.ts'
import { call as geminiCall, ends as geminiEnds, sse as geminiSse } from '../../providers/google/support/sse.ts'
import * as responses from '../../providers/openai-responses/support/ask.ts'
import * as items from '../../providers/openai-responses/support/sse.ts'
import { answer, request } from '../../providers/support/answer.ts'
import { chunk, chunks, fakeFetch } from '../../providers/support/fake-fetch.ts'

const chatModel = (body: string): Model => openai('m', { api: 'chat', apiKey: 'k', fetch: fakeFetch(body).fetch })
const said = (message: AssembledMessage | undefined): readonly unknown[] =>
  message!.content.map((block) => {
    if (block.type === 'text' || block.type === 'reasoning') return block.text
    return block.type === 'tool_use' ? (block.invalidInput ? { cut: block.invalidInput.text } : block.input) : block.type
  })

describe('a chat stream', () => {
  const piece = (fields: object): unknown => chunk({ tool_calls: [fields] })
  const head = (index: number, input: string): unknown => piece({ index, id: `c${index}`, function: { name: 'look', arguments: input } })
  const more = (index: number, input: string): unknown => piece({ index, function: { arguments: input } })
  const rows: readonly (readonly [name: string, pieces: readonly unknown[], content: readonly unknown[]])[] = [
    [
      'whose calls grow in turns keeps them apart (V3)',
      [head(0, '{"n":'), head(1, '{"n":'), more(0, '1}'), more(1, '2}')],
      [{ n: 1 }, { n: 2 }],
    ],
    [
      'that goes on with a call without its id has one call',
      [head(0, '{"path":"a",'), more(0, '"content":"b"}')],
      [{ path: 'a', content: 'b' }],
    ],
    [
      'with a text between the pieces of a call has both whole',
      [head(0, '{"n":'), chunk({ content: 'by the way' }), more(0, '1}')],
      [{ n: 1 }, 'by the way'],
    ],
    ['that ends a call in an empty piece has one call', [head(0, '{"n":1}'), more(0, '')], [{ n: 1 }]],
    ['that tells a call again at its end, without its input, has one call', [head(0, '{"n":1}'), head(0, '')], [{ n: 1 }]],
  ]
  it.each(rows)('%s', async (_name, pieces, content) => {
    const { message } = await answer(chatModel(chunks(...pieces, chunk({}, 'tool_calls'))))
    expect([message?.stopReason, said(message)]).toEqual(['tool_use', content])
  })

  it('with a good call beside one that is no JSON runs the good one, and answers both', async () => {
    const inputs: unknown[] = []
    const look = tool({ name: 'look', description: 'Notes.', inputSchema: { type: 'object' }, execute: (input) => void inputs.push(input) })
    const answers = [chunks(head(0, '{"a":1,'), head(1, '{"n":2}'), chunk({}, 'tool_calls')), chunks(chunk({ content: 'done' }, 'stop'))]
    const fetch = async (): Promise<Response> => new Response(answers.shift(), { headers: { 'content-type': 'text/event-stream' } })
    const agent = new Agent({ model: openai('m', { api: 'chat', apiKey: 'k', fetch }), tools: [look], retry: false })
    expect((await agent.invoke('go')).text).toBe('done')
    expect(inputs).toEqual([{ n: 2 }])
    expect(agent.messages[2]!.content).toMatchObject([
      { status: 'error', code: 'invalid_input', content: [{ text: expect.stringContaining('{"a":1,') as string }] },
      { status: 'success' },
    ])
  })

  it('tells the input of a call while it comes', async () => {
    const { events } = await answer(chatModel(chunks(head(0, '{"n":'), more(0, '1}'), chunk({}, 'tool_calls'))))
    expect(events.flatMap((event) => (event.type === 'block_delta' && event.delta.type === 'tool_input' ? event.delta.text : []))).toEqual([
      '{"n":',
      '1}',
    ])
  })
})

describe('what is cut never passes for whole (V8, V11)', () => {
  it('in a chat stream', async () => {
    const cut = chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'look', arguments: '{"a":1,"b":12' } }] })
    const { message } = await answer(chatModel(chunks(chunk({ content: 'part' }), cut, chunk({}, 'length'))))
    expect([message?.stopReason, said(message)]).toEqual(['max_tokens', ['part', { cut: '{"a":1,"b":12' }]])
  })

  it('nor does a number that was cut become a smaller one', async () => {
    const cut = chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'look', arguments: '{"a":1,"b":12' } }] })
    const { message } = await answer(chatModel(chunks(cut, chunk({}, 'tool_calls'))))
    expect([message?.stopReason, said(message)]).toEqual(['tool_use', [{ cut: '{"a":1,"b":12' }]])
  })

  it('in a Responses stream', async () => {
    const { message } = await responses.answerTo(
      items.sse(items.begins(), items.adds(0, items.call('')), items.passes(0, '{"path":"a"}'), items.incomplete('max_output_tokens')),
    )
    expect(message?.stopReason).toBe('max_tokens')
    expect(message?.content).toMatchObject([
      { type: 'tool_use', invalidInput: { text: expect.stringContaining('{"path":"a"}') as string } },
    ])
  })

  it('in a Gemini stream, whose calls come whole: the reason for its end counts', async () => {
    const { message } = await generate.answerTo(geminiSse(geminiEnds('MAX_TOKENS', geminiCall('look', { n: 1 }))))
    expect(message?.stopReason).toBe('max_tokens')
  })
})

describe('thoughts', () => {
  const thinks = (index: number, thinking: string, signature: string): readonly JsonObject[] => [
    opens(index, { type: 'thinking', thinking: '', signature: '' }),
    ...(thinking === '' ? [] : [adds(index, { type: 'thinking_delta', thinking })]),
    ...(signature === '' ? [] : [adds(index, { type: 'signature_delta', signature })]),
    closes(index),
  ]
  const thoughts = async (...of: readonly JsonObject[]): Promise<readonly object[]> => {
    const { message } = await messages.answerTo(sse(begins(), ...of, ...ends()))
    return message!.content.filter(({ type }) => type === 'reasoning')
  }
  const own = { provider: { anthropic: { type: 'thinking' } } }

  it('keep a signature each, and one that has nothing else is kept', async () =>
    expect(await thoughts(...thinks(0, 'a', 'SIG1'), ...thinks(1, '', 'SIG2'))).toEqual([
      { type: 'reasoning', text: 'a', signature: 'SIG1', ...own },
      { type: 'reasoning', text: '', signature: 'SIG2', ...own },
    ]))

  it('without a signature have none, and do not go back to a model that wants one', async () => {
    const came = await thoughts(...thinks(0, 'a', ''))
    expect(came).toEqual([{ type: 'reasoning', text: 'a' }])
    const { messages: sent } = await messages.bodyOf({
      messages: messages.history(messages.user('go'), messages.assistant(...came, 'said'), messages.user('on')),
    })
    expect(sent[1]!.content).toEqual([{ type: 'text', text: 'said' }])
  })
})

it('a text that never ended before a call keeps its place', async () => {
  const { message } = await messages.answerTo(
    sse(
      begins(),
      opens(0, { type: 'text', text: '' }),
      adds(0, { type: 'text_delta', text: 'pending' }),
      opens(1, { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }),
      adds(1, { type: 'input_json_delta', partial_json: '{"n":1}' }),
      closes(1),
      ...ends('tool_use'),
    ),
  )
  expect(said(message)).toEqual(['pending', { n: 1 }])
})

it('an answer without its beginning is one, and a call in it counts whatever the reason for its end', async () => {
  const { message } = await messages.answerTo(
    sse(opens(0, { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }), closes(0), ...ends('end_turn')),
  )
  expect([message?.stopReason, said(message)]).toEqual(['tool_use', [{}]])
})

it('an answer whose usage is missing is one all the same, with none', async () => {
  const { message } = await answer(chatModel(chunks(chunk({ content: 'said' }, 'stop'))), request())
  expect([said(message), message?.usage]).toEqual([['said'], undefined])
})
