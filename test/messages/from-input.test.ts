import { describe, expect, it } from 'vitest'
import { AgentError, InputError } from '../../src/errors.ts'
import { fromInput } from '../../src/messages/from-input.ts'
import { assistant, call, result, user } from '../support/history.ts'
import { countingIds } from '../support/ids.ts'

const from = (input: unknown) => fromInput(input, countingIds())
const id = (n: number) => ({ id: `message_${n}` })

describe('fromInput makes messages of', () => {
  it.each<[string, unknown, readonly unknown[]]>([
    ['a string', 'hi', [{ ...id(1), ...user('hi') }]],
    ['a string with space around it, kept', ' hi\n', [{ ...id(1), ...user(' hi\n') }]],
    [
      'content blocks: one user message',
      [{ type: 'text', text: 'a' }, { type: 'cache_point' }, result('x')],
      [{ ...id(1), ...user('a', { type: 'cache_point' }, result('x')) }],
    ],
    [
      'messages',
      [user('a'), assistant('b', call('x'))],
      [
        { ...id(1), ...user('a') },
        { ...id(2), ...assistant('b', call('x')) },
      ],
    ],
    ['messages with a string as content', [{ role: 'user', content: 'a' }], [{ ...id(1), ...user('a') }]],
    ['nothing, to go on from the history', undefined, []],
    ['an empty array, likewise', [], []],
  ])('%s', (_what, input, messages) => {
    const made = from(input)
    expect(made).toEqual(messages)
    expect(
      made.every(
        (message) =>
          Object.isFrozen(message) && Object.isFrozen(message.content) && message.content.every((block) => Object.isFrozen(block)),
      ),
    ).toBe(true)
  })

  it('content that changes afterwards, without changing with it', () => {
    const block = { type: 'text', text: 'before' }
    const given = [block]
    const made = from(given)
    block.text = 'after'
    given.push({ type: 'text', text: 'more' })
    expect(made).toEqual([{ ...id(1), ...user('before') }])
  })

  it('stored messages: themselves', () => {
    const [message] = from('hi')
    expect(from([message])[0]).toBe(message)
  })
})

describe('fromInput refuses', () => {
  const forms = 'a string, content blocks, messages, answers to interrupts, a checkpoint, or nothing to go on from the history'
  const blocks = 'text, image, document, tool_result, cache_point'
  // oxlint-disable-next-line no-sparse-arrays
  const sparse = [, { type: 'text', text: 'a' }]
  it.each<[unknown, string]>([
    ['', 'The input is a blank string. Give a prompt, or nothing (undefined) to go on from the history.'],
    [' \n', 'The input is a blank string. Give a prompt, or nothing (undefined) to go on from the history.'],
    [null, `The input must be ${forms}; got null.`],
    [7, `The input must be ${forms}; got 7.`],
    [true, `The input must be ${forms}; got true.`],
    [{}, `The input must be ${forms}; got an object.`],
    [{ role: 'user', content: 'hi' }, `The input must be ${forms}; got an object.`],
    [() => 'hi', `The input must be ${forms}; got a function.`],
    [[user('a'), { type: 'text', text: 'b' }], 'The input mixes messages and content blocks. Give one or the other.'],
    [['a', 'b'], `input[0]: expected a content block of a user message (${blocks}), got "a".`],
    [[null], `input[0]: expected a content block of a user message (${blocks}), got null.`],
    [sparse, `input[0]: expected a content block of a user message (${blocks}), got undefined.`],
    [[call('a')], `input[0].type: expected one of ${blocks} in a user message, got "tool_use".`],
    [[{ type: 'text', text: 'a' }, { type: 'text' }], 'input[1].text: expected a string, got undefined.'],
    [
      [user('a'), { role: 'system', content: 'x' }],
      'input[1].role: expected "user" or "assistant" (the system prompt is the option `instructions`), got "system".',
    ],
    [
      [{ role: 'user', content: [result('a'), { type: 'video' }] }],
      `input[0].content[1].type: expected one of ${blocks} in a user message, got "video".`,
    ],
    [
      [{ type: 'document', mediaType: 'a/b', source: { type: 'base64', data: new Uint8Array(1) } }],
      'input[0].source: expected { type: "base64", data }, { type: "url", url } or { type: "text", text }, got an object.',
    ],
  ])('%j', (input, said) => {
    expect(() => from(input)).toThrow(new InputError(said))
    expect(() => from(input)).toThrow(AgentError)
  })
})
