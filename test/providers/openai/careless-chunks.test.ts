// Chunks of servers that forget a bracket, put `null` into lists, or do not know of pieces.
import { describe, expect, it } from 'vitest'
import { openai } from '../../../src/providers/openai/index.ts'
import { answer, request } from '../support/answer.ts'
import { chunk, chunks, fakeFetch } from '../support/fake-fetch.ts'

const tools = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }]
const answerTo = (...of: readonly unknown[]) =>
  answer(openai('m', { api: 'chat', apiKey: 'k', fetch: fakeFetch(chunks(...of)).fetch, provider: 'p' }), request({ tools }))

const call = { id: 'x', function: { name: 'add', arguments: '{"a":1}' } }
const called = [{ type: 'tool_use', id: 'call_1', name: 'add', input: { a: 1 }, provider: { p: { id: 'x' } } }]
const text = [{ type: 'text', text: 'hi' }]

describe('a careless chunk is read all the same:', () => {
  it.each<readonly [string, unknown, unknown]>([
    ['the answer as a message', { choices: [{ index: 0, message: { content: 'hi' }, finish_reason: 'stop' }] }, text],
    [
      'a call in a message',
      { choices: [{ index: 0, message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }] },
      called,
    ],
    ['one choice without its list', { choices: { index: 0, delta: { content: 'hi' }, finish_reason: 'stop' } }, text],
    ['no choice in the list', { choices: [null, { index: 0, delta: { content: 'hi' }, finish_reason: 'stop' }] }, text],
    ['one call without its list', chunk({ tool_calls: call }, 'tool_calls'), called],
    ['no call in the list', chunk({ tool_calls: [null, call] }, 'tool_calls'), called],
    ['one part without its list', chunk({ content: { type: 'text', text: 'hi' } }, 'stop'), text],
    ['no part in the list', chunk({ content: [null, { type: 'text', text: 'hi' }] }, 'stop'), text],
    ['what is none of it', chunk({ content: 42, annotations: 7, tool_calls: 'none', reasoning: { a: 1 } }, 'stop'), []],
    ['citations with holes', chunk({ content: 'hi', annotations: [null, {}] }, 'stop'), text],
  ])('%s', async (_what, said, content) => {
    const { message, error } = await answerTo(said)
    expect([error, message?.content]).toEqual([undefined, content])
  })

  it('what comes in pieces counts where both are there', async () => {
    const { message } = await answerTo(
      { choices: [{ index: 0, delta: { content: 'h' }, message: { content: 'h' } }] },
      { choices: [{ index: 0, delta: { content: 'i' }, message: { content: 'hi' }, finish_reason: 'stop' }] },
    )
    expect(message?.content).toEqual(text)
  })
})

describe('an input that begins with an empty object', () => {
  const pieces = (...of: readonly object[]) =>
    answerTo(...of.map((piece) => chunk({ tool_calls: [piece] })), chunk({}, 'tool_calls')).then(({ message }) =>
      message!.content.map((block) => (block.type === 'tool_use' ? (block.invalidInput?.text ?? block.input) : block.type)),
    )
  const head = (args: string, more: object = {}) => ({ index: 0, id: 'x', function: { name: 'add', arguments: args }, ...more })
  const rest = (args: string) => ({ index: 0, function: { arguments: args } })

  it('which stands for what is still to come is left out', async () => {
    expect(await pieces(head('{}'), rest('{"a":'), rest('1}'))).toEqual([{ a: 1 }])
    expect(await pieces(head('{}'), rest(''), rest('{"a":1}'), rest(' '))).toEqual([{ a: 1 }])
    expect(await pieces(head(' { } '), head('{"a":1}'))).toEqual([{ a: 1 }])
  })

  it('is that where nothing follows', async () => {
    expect(await pieces(head('{}'))).toEqual([{}])
    expect(await pieces(head('{}'), rest(''), rest('{}'))).toEqual([{}])
    expect(await pieces(head('{}'), { index: 1, id: 'y', function: { name: 'add', arguments: '{"a":2}' } })).toEqual([{}, { a: 2 }])
    // Neither index nor id: the second head is another call.
    expect(await pieces({ function: { name: 'add', arguments: '{}' } }, { function: { name: 'add', arguments: '{}' } })).toEqual([{}, {}])
  })

  it('or that comes whole once more behind its pieces is read once', async () => {
    expect(await pieces(head('{"a"'), rest(':1}'), rest('{"a":1}'))).toEqual([{ a: 1 }])
    // Anything else behind it is not what it seems.
    expect(await pieces(head('{"a"'), rest(':1}'), rest('{"a":2}'))).toEqual(['{"a":1}{"a":2}'])
  })
})
