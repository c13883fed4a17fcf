import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../../src/messages/message.ts'
import { normalise } from '../../src/messages/normalise.ts'
import { storedMessage } from '../../src/messages/stored.ts'
import { assistant, call, result, user } from '../support/history.ts'
import { countingIds } from '../support/ids.ts'

const stored = (message: MessageInput) => storedMessage(message, countingIds(), 'm')
const sent = (message: MessageInput) => normalise(stored(message))
const nothing = '[no content]'
const half = '\ud83d'

describe('normalise sends', () => {
  it.each<[string, MessageInput, MessageInput]>([
    ['role and content alone', { ...user('hi'), id: 'm1', metadata: { model: 'x' } }, user('hi')],
    ['no blank text', assistant('', 'a', ' \n', call('x')), assistant('a', call('x'))],
    ['a placeholder instead of nothing', assistant(), assistant(nothing)],
    ['a placeholder instead of blank text alone', user(' ', ''), user(nothing)],
    ['a placeholder before a cache point alone', user('', { type: 'cache_point' }), user(nothing, { type: 'cache_point' })],
    [
      'thinking without text, as it is',
      assistant({ type: 'reasoning', text: '', signature: 's' }),
      assistant({ type: 'reasoning', text: '', signature: 's' }),
    ],
    [
      'a name that every wire takes',
      assistant(call('x', 'bad.name!'), call('y', ''), call('z', 'n'.repeat(65))),
      assistant(call('x', 'INVALID_TOOL_NAME'), call('y', 'INVALID_TOOL_NAME'), call('z', 'INVALID_TOOL_NAME')),
    ],
    [
      'a legal name as it is',
      assistant(call('x', 'Good_name-1'), call('y', 'n'.repeat(64))),
      assistant(call('x', 'Good_name-1'), call('y', 'n'.repeat(64))),
    ],
    [
      'a result with a placeholder instead of nothing',
      user({ ...result('x'), content: [] }, result('y', ' ')),
      user(result('x', nothing), result('y', nothing)),
    ],
    [
      'a result without its blank texts',
      user({
        ...result('x'),
        content: [
          { type: 'text', text: '' },
          { type: 'json', value: '' },
        ],
      }),
      user({ ...result('x'), content: [{ type: 'json', value: '' }] }),
    ],
    [
      'no half of a character, wherever it stands',
      user(`a${half}`, result('x', `${half}b`), { ...result('y'), content: [{ type: 'json', value: { [half]: [half] } }] }),
      user('a\ufffd', result('x', '\ufffdb'), { ...result('y'), content: [{ type: 'json', value: { '\ufffd': ['\ufffd'] } }] }),
    ],
    [
      'no half of a character in the input of a call',
      assistant({ ...call('x'), input: { a: [half], b: 1 } }),
      assistant({ ...call('x'), input: { a: ['\ufffd'], b: 1 } }),
    ],
    ['whole characters as they are', user('😀'), user('😀')],
  ])('%s', (_what, message, expected) => expect(sent(message)).toEqual(expected))
})

describe('normalise', () => {
  it('does not change the stored message', () => {
    const message = stored(assistant('', 'a', call('x', 'bad name'), ' '))
    const before = structuredClone(message)
    normalise(message)
    expect(message).toEqual(before)
  })

  it('shares every block that is fit as it is', () => {
    const blocks = [
      { type: 'text', text: 'a' },
      { type: 'image', mediaType: 'a/b', source: { type: 'base64', data: 'AA==' } },
      result('x'),
      { ...result('y'), content: [{ type: 'json', value: { a: [1] } }] },
    ] as const
    const message = stored(user(...blocks))
    const { content } = normalise(message)
    expect(content.map((block, i) => block === message.content[i])).toEqual([true, true, true, true])
    const calls = stored(assistant({ ...call('x'), input: { a: [{ b: 'c' }] } }))
    expect(normalise(calls).content[0]).toBe(calls.content[0])
  })

  it('gives frozen data', () => {
    const { content } = sent(user('', result('x', '')))
    expect([content, content[0]!, (content[0] as ReturnType<typeof result>).content].every(Object.isFrozen)).toBe(true)
  })
})
