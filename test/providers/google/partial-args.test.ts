import { describe, expect, it } from 'vitest'
import type { AssistantBlock } from '../../../src/messages/content.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { answerTo } from './support/ask.ts'
import { ends, parts, piece, sse, text } from './support/sse.ts'

const begin = (more: JsonObject = {}): JsonObject => parts(piece({ name: 'make', willContinue: true, ...more }))
const more = (...partialArgs: readonly JsonObject[]): JsonObject => parts(piece({ partialArgs, willContinue: true }))
const over = parts(piece({}))
const at = (jsonPath: string, value: string | number | boolean | null, willContinue?: true): JsonObject => ({
  jsonPath,
  ...(typeof value === 'string'
    ? { stringValue: value }
    : typeof value === 'number'
      ? { numberValue: value }
      : typeof value === 'boolean'
        ? { boolValue: value }
        : { nullValue: 'NULL_VALUE' }),
  ...(willContinue && { willContinue }),
})

async function callsIn(...chunks: readonly JsonObject[]): Promise<readonly AssistantBlock[]> {
  const { message, error } = await answerTo(sse(...chunks))
  if (!message) throw error
  return message.content
}
/** The input of the one call that begins so and goes on like this. */
const inputOf = async (...pieces: readonly JsonObject[]): Promise<unknown> =>
  ((await callsIn(begin(), more(...pieces), over, ends()))[0] as { readonly input: unknown }).input

describe('a call in pieces', () => {
  it('is told piece by piece', async () => {
    const { events } = await answerTo(
      sse(
        begin(),
        more(at('$.a', 'x"', true)),
        more(at('$.a', 'y', true)),
        more(at('$.a', '')),
        more(at('$.list[0].n', 1), at('$.list[0].m', true)),
        more(at('$.list[1]', null)),
        over,
        ends(),
      ),
    )
    expect(events.flatMap((event) => (event.type === 'block_delta' && event.delta.type === 'tool_input' ? event.delta.text : []))).toEqual([
      '{"a":"x\\"',
      'y',
      '"',
      ',"list":[{"n":1',
      ',"m":true',
      '},null',
      ']}',
    ])
  })

  it('has the input that its pieces make', async () => {
    expect(
      await inputOf(at('$.a.b', 1), at('$.a.c[0]', 'x'), at('$.a.c[1]', 2.5), at("$['odd name'].d", false), at('$["q\\"q"]', null)),
    ).toEqual({ a: { b: 1, c: ['x', 2.5] }, 'odd name': { d: false }, 'q"q': null })
  })

  it('comes back to what was said', async () => {
    expect(await inputOf(at('$.a.b', 1), at('$.c', 2), at('$.a.d', 'x', true), at('$.c', 3), at('$.a.b', 4), at('$.e', 5))).toEqual({
      a: { b: 4, d: 'x' },
      c: 3,
      e: 5,
    })
  })

  it('may be named like what objects have from birth', async () => {
    expect(JSON.stringify(await inputOf(at('$.__proto__.a', 1), at('$.constructor', 2), at('$.x', 3), at('$.__proto__.b', 4)))).toBe(
      '{"__proto__":{"a":1,"b":4},"constructor":2,"x":3}',
    )
  })

  it('is whole with a last piece, or with the end of the answer', async () => {
    const a = { type: 'tool_use', id: 'call_1', name: 'make', input: { a: 'x' } }
    expect(await callsIn(begin(), parts(piece({ partialArgs: [at('$.a', 'x')] })), ends('STOP', text('')))).toEqual([a])
    expect(await callsIn(begin(), more(at('$.a', 'x')), ends())).toEqual([a])
    expect(await callsIn(begin({ args: { b: 1 } }), more(at('$.a', 'x')), over, ends())).toEqual([{ ...a, input: { b: 1, a: 'x' } }])
  })

  it('is none to run when it was cut', async () => {
    const cut = (list: readonly AssistantBlock[]): readonly unknown[] =>
      list.map((block) => block.type === 'tool_use' && [block.name, block.input, block.invalidInput?.text])
    expect(cut(await callsIn(begin(), ends('MAX_TOKENS')))).toEqual([['make', {}, '{']])
    expect(cut(await callsIn(begin(), more(at('$.a', 'x')), ends('MAX_TOKENS')))).toEqual([['make', {}, '{"a":"x"']])
    expect(cut(await callsIn(begin(), more(at('$.a', 'x', true)), ends('STOP')))).toEqual([['make', {}, '{"a":"x']])
    expect(cut(await callsIn(begin(), parts(piece({ name: 'next', args: { b: 1 } })), ends()))).toEqual([
      ['make', {}, '{'],
      ['next', { b: 1 }, undefined],
    ])
  })

  it('takes a signature from any of its pieces', async () => {
    expect(
      await callsIn(
        parts(piece({ id: 'fc', name: 'make', willContinue: true }, { thoughtSignature: 'S1' })),
        parts(piece({}, { thoughtSignature: 'S2' })),
        ends(),
      ),
    ).toEqual([{ type: 'tool_use', id: 'call_1', name: 'make', input: {}, provider: { google: { id: 'fc', thoughtSignature: 'S2' } } }])
  })

  it.each(['$', 'a', '$.a[*]', '$..a', '$[0]', '$.a.', '$.list[1]', undefined])('fails clearly at the path %s', async (path) => {
    const { message, error } = await answerTo(
      sse(begin(), more({ ...(path !== undefined && { jsonPath: path }), numberValue: 1 }), over, ends()),
    )
    expect(message).toBeUndefined()
    expect((error as Error).message).toMatch(/^google: the arguments of a call came in pieces that do not fit: expected a path /)
  })
})
