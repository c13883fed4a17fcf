import { describe, expect, it } from 'vitest'
import { noOutput, wrapResult } from '../../src/tools/wrap.ts'

// The table of docs/tools.md, row by row: what a tool returned, and what the model reads.

class Hidden {
  readonly #secret = 'x'
  reveal(): string {
    return this.#secret
  }
}
class List {
  *[Symbol.iterator](): Generator<number> {
    yield 1
  }
}
const shared = { a: 1 }
const cyclic: Record<string, unknown> = { name: 'loop' }
cyclic['self'] = cyclic
const circularMap = new Map<string, unknown>()
circularMap.set('self', circularMap)
const itself = { toJSON: (): unknown => itself }
const sparse: unknown[] = [1]
sparse[2] = 3
const form = new FormData()
form.append('a', '1')
const form2 = new FormData()
form2.append('a', '1')
form2.append('a', '2')
const block = { type: 'text', text: 'a' } as const
const holes: unknown[] = [block]
holes.length = 2
const deep = (levels: number): unknown => {
  let value: unknown = 'ground'
  for (let i = 0; i < levels; i++) value = [value]
  return value
}

describe('the model reads', () => {
  it.each<[string, unknown, string]>([
    ['a string', ' 22 °C\n', ' 22 °C\n'],
    ['an empty string', '', noOutput],
    ['a blank string', ' \n', noOutput],
    ['a number', 4.5, '4.5'],
    ['NaN', Number.NaN, 'NaN'],
    ['infinity', -Infinity, '-Infinity'],
    ['-0', -0, '0'],
    ['a bigint', 12n, '12'],
    ['a boolean', false, 'false'],
    ['null', null, 'null'],
    ['undefined', undefined, noOutput],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a function', function named() {}, '[function named]'],
    ['a class', Hidden, '[class Hidden]'],
    ['a plain object', { a: 1, b: ['x', null] }, '{"a":1,"b":["x",null]}'],
    ['undefined within', { a: [undefined], b: { c: undefined } }, '{"a":[null],"b":{}}'],
    ['keys that are symbols', { [Symbol('s')]: 1 }, '{"Symbol(s)":1}'],
    ['a frozen object', Object.freeze({ a: Object.freeze([1]) }), '{"a":[1]}'],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1n }), '{"a":"1"}'],
    ['an object with a prototype of its own', Object.create({ constructor: undefined }), '[Object]'],
    ['a sparse array', sparse, '[1,null,3]'],
    [
      'arguments',
      (function (..._all: unknown[]) {
        return arguments
      })(1),
      '{"0":1}',
    ],
    ['an instance that keeps all to itself', new Hidden(), '[Hidden]'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['no date', new Date(Number.NaN), 'Invalid Date'],
    ['a map', new Map<string, unknown>([['a', new Set([1n])]]), '{"a":["1"]}'],
    [
      'a map by other keys',
      new Map<unknown, unknown>([
        [1, 'a'],
        ['1', 'b'],
      ]),
      '[[1,"a"],["1","b"]]',
    ],
    ['a set', new Set([1, 'x']), '[1,"x"]'],
    ['a weak map', new WeakMap(), '[WeakMap]'],
    ['a weak reference', new WeakRef({}), '[WeakRef]'],
    ['a regular expression', /a+/g, '/a+/g'],
    ['an error', new TypeError('no'), 'TypeError: no'],
    ['an error without a word', Object.assign(new Error(''), { name: '' }), 'Error'],
    ['an error with a cause', new Error('out', { cause: new RangeError('in') }), 'Error: out (cause: RangeError: in)'],
    ['many errors', new AggregateError([new Error('a'), new TypeError('b')], 'both'), 'AggregateError: both (Error: a; TypeError: b)'],
    ['an exception of the platform', new DOMException('m', 'AbortError'), 'AbortError: m'],
    ['a typed array', new Float64Array(2), '[Float64Array of 16 bytes]'],
    ['a buffer', Buffer.from('abc'), '[Buffer of 3 bytes]'],
    ['an array buffer', new ArrayBuffer(4), '[ArrayBuffer of 4 bytes]'],
    ['shared memory', new SharedArrayBuffer(4), '[SharedArrayBuffer of 4 bytes]'],
    ['a data view', new DataView(new ArrayBuffer(4)), '[DataView of 4 bytes]'],
    ['a URL', new URL('https://example.com/a'), 'https://example.com/a'],
    ['parameters of a URL', new URLSearchParams({ a: '1' }), 'a=1'],
    ['headers', new Headers({ a: 'b' }), '{"a":"b"}'],
    ['a form', form, '{"a":"1"}'],
    ['a form with a name twice', form2, '[["a","1"],["a","2"]]'],
    ['a boxed value', Object(1n), '1'],
    ['a signal', new AbortController().signal, '[AbortSignal]'],
    ['a namespace', Math, '[Math]'],
    ['a date that lost its prototype', Object.setPrototypeOf(new Date(0), null), '[Date]'],
    ['a list with a toJSON', Object.assign([1], { toJSON: () => 'not asked' }), '[1]'],
    ['a key that is no key of others', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    ['a cycle', cyclic, '{"name":"loop","self":"[circular]"}'],
    ['a cycle through a map', circularMap, '{"self":"[circular]"}'],
    ['one object in two places', [shared, shared], '[{"a":1},{"a":1}]'],
    ['what has toJSON', { toJSON: () => ({ as: 'json' }) }, '{"as":"json"}'],
    ['a toJSON that gives nothing', { toJSON: () => undefined }, 'null'],
    ['a toJSON that gives itself', itself, '[circular]'],
    ['what lies too deep', deep(10_000), `${'['.repeat(64)}"[nested too deep]"${']'.repeat(64)}`],
    ['a content block', block, 'a'],
    ['blocks and others', [block, 1], '[{"type":"text","text":"a"},1]'],
    ['blocks and holes', holes, '[{"type":"text","text":"a"},null]'],
    ['an outcome', { status: 'success', content: [block], value: 1, error: undefined }, 'a'],
    ['an outcome without content', { status: 'success' }, '{"status":"success"}'],
    ['an outcome with holes', { status: 'success', content: Array.from({ length: 2 }) }, '{"status":"success","content":[null,null]}'],
    ['an answer of HTTP', { status: 200, content: 'x' }, '{"status":200,"content":"x"}'],
  ])('%s', (_what, value, said) =>
    expect(wrapResult(value)).toStrictEqual({ status: 'success', content: [{ type: 'text', text: said }], value }),
  )

  it('a million entries', () => {
    const value = Array.from({ length: 1_000_000 }, (_, index) => index)
    const [content] = wrapResult(value).content
    expect(content?.type === 'text' && JSON.parse(content.text)).toEqual(value)
  })
})

describe('an error result, because there is nothing to show:', () => {
  const iterator = 'it is an iterator; collect it in the tool, or write `async *execute` to report progress.'
  const many: unknown[] = []
  many.length = 50_000_000
  let doubled: unknown = 1
  for (let i = 0; i < 30; i++) doubled = [doubled, doubled]
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  it.each<[string, unknown, string]>([
    ['a promise within', { a: Promise.resolve(1) }, 'it holds a promise; await it in the tool.'],
    [
      'a generator',
      (function* () {
        yield 1
      })(),
      iterator,
    ],
    ['an async generator', (async function* () {})(), iterator],
    ['an iterator', new Map().entries(), iterator],
    ['what can only be iterated', new List(), iterator],
    ['a response', new Response('x'), 'it is a Response; read it in the tool and return its text.'],
    ['a request', new Request('https://example.com'), 'it is a Request; read it in the tool and return its text.'],
    ['a blob', new Blob(['x']), 'it is a Blob; read it in the tool and return its text.'],
    ['a file', new File(['x'], 'a.txt'), 'it is a File; read it in the tool and return its text.'],
    ['a stream', new ReadableStream(), 'it is a ReadableStream; read it in the tool and return its text.'],
    [
      'a toJSON that throws',
      {
        toJSON: () => {
          throw new Error('boom')
        },
      },
      'boom',
    ],
    [
      'a getter that throws',
      {
        get x(): never {
          throw new RangeError('no x')
        },
      },
      'no x',
    ],
    [
      'a getter that throws something else',
      {
        get x(): never {
          throw Object.create(null)
        },
      },
      'reading it failed.',
    ],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no keys')
          },
        },
      ),
      'no keys',
    ],
    ['a proxy that was revoked', revoked.proxy, "Cannot perform 'IsArray' on a proxy that has been revoked"],
    ['fifty million holes', many, 'it holds more than 2000000 values; return a part of it.'],
    ['one object in a billion places', doubled, 'it holds more than 2000000 values; return a part of it.'],
    ['a json block of what JSON cannot carry', { type: 'json', value: Number.NaN }, 'value[0].value is NaN, which JSON cannot carry.'],
    ['a block that is an instance', Object.assign(new Hidden(), block), 'value[0] is a Hidden, expected plain data.'],
  ])('%s', (_what, value, said) => {
    const { status, content, value: kept, error } = wrapResult(value)
    expect([status, content]).toEqual(['error', [{ type: 'text', text: `The tool ran, but its result cannot be shown: ${said}` }]])
    expect(Object.is(kept, value)).toBe(true)
    expect(error).toBeDefined()
  })
})
