import { describe, expect, it } from 'vitest'
import { noOutput, wrapResult } from '../../src/tools/wrap.ts'

const text = (value: string) => ({ type: 'text', text: value })
const image = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AA==' } } as const
const json = { type: 'json', value: { a: [1] } } as const

class Account {
  readonly #secret = 'x'
  readonly id = 7
  get secret(): string {
    return this.#secret
  }
}
class Hidden {
  readonly #secret = 'x'
  reveal(): string {
    return this.#secret
  }
}
const cyclic: Record<string, unknown> = { name: 'loop' }
cyclic['self'] = cyclic
const hasToJson = { toJSON: () => ({ as: 'json' }) }

describe('a result for the model is made of', () => {
  it.each<[string, unknown, readonly unknown[]]>([
    ['a string, as it is', ' 22 °C\n', [text(' 22 °C\n')]],
    ['an empty string', '', [text(noOutput)]],
    ['a blank string', ' \n', [text(noOutput)]],
    ['undefined', undefined, [text(noOutput)]],
    ['null', null, [text('null')]],
    ['a number', 42, [text('42')]],
    ['no number', Number.NaN, [text('NaN')]],
    ['a boolean', false, [text('false')]],
    ['a bigint', 12n, [text('12')]],
    ['a symbol', Symbol('s'), [text('Symbol(s)')]],
    ['a function', function named() {}, [text('[function named]')]],
    ['an object', { a: 1, b: [null, 'x'], c: undefined }, [text('{"a":1,"b":[null,"x"]}')]],
    ['an empty object', {}, [text('{}')]],
    ['an array', [1, 'x', null, undefined], [text('[1,"x",null,null]')]],
    ['an empty array', [], [text('[]')]],
    ['a date', new Date(0), [text('1970-01-01T00:00:00.000Z')]],
    ['no date', new Date(Number.NaN), [text('Invalid Date')]],
    [
      'a map',
      new Map<unknown, unknown>([
        ['a', 1],
        ['b', { c: 2n }],
      ]),
      [text('{"a":1,"b":{"c":"2"}}')],
    ],
    [
      'a map by other keys',
      new Map<unknown, unknown>([
        [1, 'a'],
        [{ k: 1 }, 'b'],
      ]),
      [text('[[1,"a"],[{"k":1},"b"]]')],
    ],
    ['a set', new Set([1, 'x']), [text('[1,"x"]')]],
    ['an error', new TypeError('no'), [text('TypeError: no')]],
    ['an error within', { why: new Error('no') }, [text('{"why":"Error: no"}')]],
    ['a URL', new URL('https://example.com/a'), [text('https://example.com/a')]],
    ['a regular expression', /a+/g, [text('/a+/g')]],
    ['bytes', new Uint8Array(5), [text('[Uint8Array of 5 bytes]')]],
    ['a buffer', Buffer.from('abc'), [text('[Buffer of 3 bytes]')]],
    ['a cycle', cyclic, [text('{"name":"loop","self":"[circular]"}')]],
    ['an instance, by what it shows', new Account(), [text('{"id":7}')]],
    ['an instance that shows nothing', new Hidden(), [text('[Hidden]')]],
    ['what says itself what it is as JSON', hasToJson, [text('{"as":"json"}')]],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), [text('{"a":1}')]],
    ['a weak map', new WeakMap(), [text('[WeakMap]')]],
    ['a boxed string', new String('x'), [text('x')]],
    ['a text block', text('a'), [text('a')]],
    ['an empty text block', text(''), [text(noOutput)]],
    ['an image block', image, [image]],
    ['a json block', json, [json]],
    ['blocks', [text('a'), image, json], [text('a'), image, json]],
    ['blocks and others: a list like any other', [text('a'), 1], [text('[{"type":"text","text":"a"},1]')]],
    ['what only looks like a block', { type: 'text', body: 'a' }, [text('{"type":"text","body":"a"}')]],
    ['what only looks like an outcome', { status: 'success', content: { a: 1 } }, [text('{"status":"success","content":{"a":1}}')]],
    ['another status', { status: 'pending', content: 'a' }, [text('{"status":"pending","content":"a"}')]],
  ])('%s', (_what, value, content) => expect(wrapResult(value)).toStrictEqual({ status: 'success', content, value }))
})

describe('an outcome is taken at its word', () => {
  it.each<[string, object, object]>([
    ['an error in a string', { status: 'error', content: 'no such city' }, { status: 'error', content: [text('no such city')] }],
    ['an error in blocks', { status: 'error', content: [text('no'), image] }, { status: 'error', content: [text('no'), image] }],
    ['a success without content', { status: 'success', content: [] }, { status: 'success', content: [text(noOutput)] }],
    ['a success with an empty string', { status: 'success', content: '' }, { status: 'success', content: [text(noOutput)] }],
    ['a code of ours', { status: 'error', code: 'denied', content: 'no' }, { status: 'error', code: 'denied', content: [text('no')] }],
    ['no code of its own', { status: 'error', code: 404, content: 'no' }, { status: 'error', content: [text('no')] }],
    [
      'data beside the text',
      { status: 'success', content: 'six', structuredContent: { n: 6 } },
      { status: 'success', content: [text('six')], structuredContent: { n: 6 } },
    ],
    [
      'null as data',
      { status: 'success', content: 'x', structuredContent: null },
      { status: 'success', content: [text('x')], structuredContent: null },
    ],
  ])('%s', (_what, value, outcome) => expect(wrapResult(value)).toStrictEqual({ ...outcome, value }))
})

describe('what cannot be shown is an error result that says what to do', () => {
  async function* generate() {
    yield 1
  }
  const failing = {
    get x(): never {
      throw new RangeError('no x')
    },
  }
  it.each<[string, unknown, string]>([
    ['a promise within', { a: [Promise.resolve(1)] }, 'it holds a promise; await it in the tool.'],
    ['a generator', [1, 2].values(), 'it is an iterator; collect it in the tool, or write `async *execute` to report progress.'],
    ['an async generator within', [generate()], 'it is an iterator; collect it in the tool, or write `async *execute` to report progress.'],
    [
      'what is iterated in time',
      { async *[Symbol.asyncIterator]() {} },
      'it is an iterator; collect it in the tool, or write `async *execute` to report progress.',
    ],
    ['a stream', new ReadableStream(), 'it is a ReadableStream; read it in the tool and return its text.'],
    ['a response', new Response('x'), 'it is a Response; read it in the tool and return its text.'],
    ['a blob within', { file: new Blob(['x']) }, 'it is a Blob; read it in the tool and return its text.'],
    ['a getter that throws', failing, 'no x'],
    [
      'data that JSON cannot carry',
      { status: 'success', content: 'x', structuredContent: { n: 1n } },
      'value.n is a bigint, which JSON cannot carry.',
    ],
    ['a json block that JSON cannot carry', { type: 'json', value: new Map() }, 'value[0].value is a Map, expected plain data.'],
  ])('%s', (_what, value, said) => {
    const outcome = wrapResult(value)
    expect([outcome.status, outcome.content]).toEqual(['error', [text(`The tool ran, but its result cannot be shown: ${said}`)]])
    expect(outcome.value).toBe(value)
    expect(outcome.error).toBeInstanceOf(Error)
  })
})

describe('what goes into the history', () => {
  it('is a copy: the tool may go on with its own', () => {
    const block = { type: 'text', text: 'before' }
    const data = { n: 1 }
    const outcome = wrapResult({ status: 'success', content: [block], structuredContent: data })
    block.text = 'after'
    data.n = 2
    expect([outcome.content, outcome.structuredContent]).toEqual([[text('before')], { n: 1 }])
    expect(Object.isFrozen(block)).toBe(false)
  })
})
