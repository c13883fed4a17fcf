import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/errors.ts'
import { describe as inWords, isResultContent, storedBlocks, storedMessage } from '../../src/messages/stored.ts'
import { freezeOwn, frozenCopy } from '../../src/util/json.ts'
import { assistant, call, result, user } from '../support/history.ts'
import { countingIds } from '../support/ids.ts'

const stored = (message: unknown, path = 'm') => storedMessage(message as never, countingIds(), path)
/** Data that a store read from its file. */
const ours = (json: string): unknown => freezeOwn(JSON.parse(json) as unknown)
const allFrozen = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(allFrozen))

const source = { type: 'base64', data: 'AA==' } as const
const wholeUser = user(
  { type: 'text', text: 'hi', citations: [{ title: 't' }], provider: { p: { x: 1 } } },
  { type: 'image', mediaType: 'image/png', source: { type: 'url', url: 'https://example.com/a.png' } },
  { type: 'document', mediaType: 'text/plain', source: { type: 'text', text: 'x' }, title: 'x' },
  { type: 'cache_point', ttl: '1h' },
  {
    type: 'tool_result',
    toolUseId: 'a',
    status: 'error',
    code: 'timeout',
    structuredContent: null,
    content: [
      { type: 'text', text: '' },
      { type: 'json', value: null },
      { type: 'image', mediaType: 'image/png', source },
    ],
  },
)
const wholeAssistant = assistant(
  { type: 'reasoning', text: '', signature: 's', redacted: 'r', provider: { p: {} } },
  { type: 'text', text: '' },
  {
    type: 'tool_use',
    id: 'a',
    name: 'illegal name!',
    input: { deep: [{ a: null }] },
    invalidInput: { text: '[', error: 'x' },
    provider: { p: { id: '1' } },
  },
  { type: 'server_tool_use', id: 's', name: 'web', input: 'any' },
  { type: 'server_tool_result', toolUseId: 's', content: null },
  { type: 'image', mediaType: 'image/png', source },
)

describe('storedMessage', () => {
  it.each([
    ['user', wholeUser],
    ['assistant', wholeAssistant],
  ])('keeps every block of a %s message, copied and frozen to the ground', (_role, given) => {
    const message = stored(given)
    expect(message).toEqual({ id: 'message_1', ...given })
    expect(allFrozen(message)).toBe(true)
  })

  it('keeps a given id and metadata; a string is one text', () => {
    expect(stored({ role: 'user', content: 'hi', id: 'mine', metadata: { model: 'p/m' } })).toEqual({
      id: 'mine',
      role: 'user',
      content: [{ type: 'text', text: 'hi' }],
      metadata: { model: 'p/m' },
    })
  })

  it('does not change what it is given, nor change with it', () => {
    const given = structuredClone({ ...user(result('a')), id: 'm', metadata: { model: 'x' } })
    const before = structuredClone(given)
    const message = stored(given)
    expect(given).toEqual(before)
    expect(Object.isFrozen(given)).toBe(false)
    ;(given.content as unknown[]).push('more')
    ;(given.metadata as Record<string, unknown>)['model'] = 'y'
    ;(given.content[0] as unknown as { content: unknown[] }).content.length = 0
    expect(message).toEqual(before)
  })

  it('gives a stored message back as it is', () => {
    const message = stored(user('hi'))
    expect(stored(message)).toBe(message)
  })

  it('shares the blocks of a stored message that is changed', () => {
    const message = stored(assistant('a', call('x')))
    const changed = stored({ ...message, id: 'other' })
    expect(changed).toEqual({ ...message, id: 'other' })
    expect(changed.content).toBe(message.content)
  })

  it('checks data that is frozen and ours, but no message: a record of a session may look like one', () => {
    const record = ours('{"id":"m1","role":"system","content":[{"type":"text","text":"obey"}]}')
    expect(() => stored(record)).toThrow(
      new InputError('m.role: expected "user" or "assistant" (the system prompt is the option `instructions`), got "system".'),
    )
    const block = ours('{"id":"m1","role":"user","content":[{"type":"video"}]}')
    expect(() => stored(block)).toThrow(InputError)
    const good = ours('{"id":"m1","role":"user","content":[{"type":"text","text":"hi"}]}')
    expect(stored(good)).toBe(good)
  })
})

describe('storedMessage says what it expected and what it got', () => {
  const one = (block: unknown, role = 'user') => ({ role, content: [block] })
  const userBlocks = 'text, image, document, tool_result, cache_point'
  const assistantBlocks = 'text, reasoning, tool_use, server_tool_use, server_tool_result, image, document'
  // oxlint-disable-next-line no-sparse-arrays
  const sparse = [, { type: 'text', text: 'a' }]
  it.each<[unknown, string]>([
    [null, 'm: expected a message { role, content }, got null.'],
    ['hi', 'm: expected a message { role, content }, got "hi".'],
    [[], 'm: expected a message { role, content }, got an array.'],
    [{}, 'm.role: expected "user" or "assistant" (the system prompt is the option `instructions`), got undefined.'],
    [
      { role: 'tool', content: 'x' },
      'm.role: expected "user" or "assistant" (the system prompt is the option `instructions`), got "tool".',
    ],
    [{ role: 'user' }, 'm.content: expected a string or an array of content blocks, got undefined.'],
    [{ role: 'user', content: { type: 'text' } }, 'm.content: expected a string or an array of content blocks, got an object.'],
    [{ role: 'user', content: 'x', id: '' }, 'm.id: expected a non-empty string, got "".'],
    [{ role: 'user', content: 'x', id: 7 }, 'm.id: expected a non-empty string, got 7.'],
    [{ role: 'user', content: 'x', metadata: 'x' }, 'm.metadata: expected an object, got "x".'],
    [one(null), `m.content[0]: expected a content block of a user message (${userBlocks}), got null.`],
    [one('hi'), `m.content[0]: expected a content block of a user message (${userBlocks}), got "hi".`],
    [{ role: 'user', content: sparse }, `m.content[0]: expected a content block of a user message (${userBlocks}), got undefined.`],
    [one({}), `m.content[0].type: expected one of ${userBlocks} in a user message, got undefined.`],
    [one({ type: 'constructor' }), `m.content[0].type: expected one of ${userBlocks} in a user message, got "constructor".`],
    [one(call('a')), `m.content[0].type: expected one of ${userBlocks} in a user message, got "tool_use".`],
    [one({ type: 'json', value: 1 }), `m.content[0].type: expected one of ${userBlocks} in a user message, got "json".`],
    [one(result('a'), 'assistant'), `m.content[0].type: expected one of ${assistantBlocks} in an assistant message, got "tool_result".`],
    [one({ type: 'text' }), 'm.content[0].text: expected a string, got undefined.'],
    [one({ type: 'text', text: 1 }), 'm.content[0].text: expected a string, got 1.'],
    [one({ type: 'text', text: '', citations: {} }), 'm.content[0].citations: expected an array or nothing, got an object.'],
    [one({ type: 'text', text: '', provider: 'x' }), 'm.content[0].provider: expected an object by provider or nothing, got "x".'],
    [one({ type: 'reasoning', text: '', signature: 1 }, 'assistant'), 'm.content[0].signature: expected a string or nothing, got 1.'],
    [one({ ...call('a'), id: '' }, 'assistant'), 'm.content[0].id: expected a non-empty string, got "".'],
    [one({ ...call('a'), name: undefined }, 'assistant'), 'm.content[0].name: expected a string, got undefined.'],
    [one({ ...call('a'), input: '{}' }, 'assistant'), 'm.content[0].input: expected an object, got "{}".'],
    [one({ ...call('a'), input: [] }, 'assistant'), 'm.content[0].input: expected an object, got an array.'],
    [one({ ...call('a'), invalidInput: true }, 'assistant'), 'm.content[0].invalidInput: expected { text, error } or nothing, got true.'],
    [one({ ...result('a'), toolUseId: undefined }), 'm.content[0].toolUseId: expected a non-empty string, got undefined.'],
    [one({ ...result('a'), status: 'ok' }), 'm.content[0].status: expected "success" or "error", got "ok".'],
    [one({ ...result('a'), code: 404 }), 'm.content[0].code: expected a string or nothing, got 404.'],
    [one({ ...result('a'), content: 'x' }), 'm.content[0].content: expected an array of text, image, document and json blocks, got "x".'],
    [
      one({ ...result('a'), content: ['x'] }),
      'm.content[0].content[0]: expected a content block of a tool result (text, image, document, json), got "x".',
    ],
    [
      one({ ...result('a'), content: [result('b')] }),
      'm.content[0].content[0].type: expected one of text, image, document, json in a tool result, got "tool_result".',
    ],
    [one({ ...result('a'), content: [{ type: 'json' }] }), 'm.content[0].content[0].value: expected a JSON value, got undefined.'],
    [one({ type: 'image', source }), 'm.content[0].mediaType: expected a media type such as "image/png", got undefined.'],
    [
      one({ type: 'image', mediaType: 'image/png', source: 'AA==' }),
      'm.content[0].source: expected { type: "base64", data } or { type: "url", url }, got "AA==".',
    ],
    [
      one({ type: 'image', mediaType: 'image/png', source: { type: 'url', url: new URL('https://a.b') } }),
      'm.content[0].source: expected { type: "base64", data } or { type: "url", url }, got an object.',
    ],
    [one({ type: 'document', mediaType: 'a/b', source, title: 1 }), 'm.content[0].title: expected a string or nothing, got 1.'],
    [one({ type: 'server_tool_use', id: 's', name: 'n' }, 'assistant'), 'm.content[0].input: expected a JSON value, got undefined.'],
    [one({ type: 'server_tool_result', toolUseId: 's' }, 'assistant'), 'm.content[0].content: expected a JSON value, got undefined.'],
    [one({ type: 'text', text: () => 'x' }), 'm.content[0].text: expected a string, got a function.'],
    [one({ ...call('a'), input: { at: new Date(0) } }, 'assistant'), 'm.content[0].input.at is a Date, expected plain data.'],
    [one({ ...call('a'), input: { n: 1n } }, 'assistant'), 'm.content[0].input.n is a bigint, which JSON cannot carry.'],
  ])('%#: %o', (message, said) => expect(() => stored(message)).toThrow(new InputError(said)))

  it('even when a getter throws', () => {
    const trap = {
      get x(): never {
        throw new RangeError('no')
      },
    }
    expect(() => stored(one({ ...call('a'), input: trap }, 'assistant'))).toThrow(new InputError('m cannot be read: RangeError: no'))
  })
})

describe('storedBlocks', () => {
  it('checks, copies and freezes', () => {
    const given = [{ type: 'text', text: 'a' } as const]
    const blocks = storedBlocks(given, 'user', 'input')
    expect(blocks).toEqual(given)
    expect(blocks).not.toBe(given)
    expect(allFrozen(blocks)).toBe(true)
    expect(storedBlocks(blocks, 'user', 'input')).toBe(blocks)
    expect(() => storedBlocks([{ type: 'text' } as never], 'user', 'input')).toThrow(
      new InputError('input[0].text: expected a string, got undefined.'),
    )
  })
})

describe('isResultContent', () => {
  it.each<[unknown, boolean]>([
    [{ type: 'text', text: '' }, true],
    [{ type: 'json', value: null }, true],
    [{ type: 'image', mediaType: 'image/png', source }, true],
    [{ type: 'document', mediaType: 'a/b', source: { type: 'text', text: '' } }, true],
    [{ type: 'text' }, false],
    [{ type: 'text', text: 1 }, false],
    [{ type: 'image', mediaType: 'image/png' }, false],
    [{ type: 'tool_result', toolUseId: 'a', status: 'success', content: [] }, false],
    [{ type: ['text'], text: 'a' }, false],
    [{ type: 'toString' }, false],
    ['text', false],
    [null, false],
  ])('%j → %s', (value, is) => expect(isResultContent(value)).toBe(is))
})

describe('describe', () => {
  it('says what a value is, in a few words', () => {
    const values = [null, undefined, [1], { a: 1 }, 'x', 'x'.repeat(200), 1, true, 1n, () => 'a long body', Symbol('s'), frozenCopy({})]
    expect(values.map(inWords)).toEqual([
      'null',
      'undefined',
      'an array',
      'an object',
      '"x"',
      `"${'x'.repeat(80)}"`,
      '1',
      'true',
      '1n',
      'a function',
      'Symbol(s)',
      'an object',
    ])
  })
})
