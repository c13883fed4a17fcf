// However a stream is written down and cut, it says the same.
import { describe, expect, it } from 'vitest'
import type { Wire } from '../flows/public-bugs/support/wires.ts'
import { streamed, wires } from '../flows/public-bugs/support/wires.ts'
import { fc, runs } from '../support/fast-check.ts'
import { environment, useOwnEnvironment } from './bedrock/support/env.ts'
import { answer } from './support/answer.ts'

useOwnEnvironment()

environment()

/** How one event is written down. */
type Style = { readonly end: string; readonly space: string; readonly spread: boolean; readonly before: readonly string[] }

const style: fc.Arbitrary<Style> = fc.record({
  end: fc.constantFrom('\n', '\r\n', '\r'),
  space: fc.constantFrom('', ' '),
  // The data over several lines.
  spread: fc.boolean(),
  // Comments and keep-alives, fields that say nothing, and blank lines.
  before: fc.array(fc.constantFrom(': keep-alive', ':', 'id: 7', 'retry: 10', 'other: x', ''), { maxLength: 3 }),
})
const said = fc.record({
  text: fc.string({ minLength: 1, unit: 'grapheme' }),
  inputs: fc.array(
    fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()).map((input) => JSON.stringify(input)),
    { maxLength: 2 },
  ),
})
const cuts = fc.oneof(fc.constant('bytes' as const), fc.array(fc.nat(4000), { maxLength: 12 }))
const styles = fc.array(style, { minLength: 1, maxLength: 8 })

/** The same events in these styles, one after the other and from the beginning again. */
function rewritten(body: string, of: readonly Style[], mark: boolean): string {
  const events = body.split(/\r?\n\r?\n/).filter((event) => event !== '')
  const written = events.map((event, i) => {
    const { end, space, spread, before } = of[i % of.length]!
    const lines = event.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':')
      const [field, value] = [line.slice(0, colon), line.slice(colon + 1).trimStart()]
      const values = spread && value.startsWith('{') ? JSON.stringify(JSON.parse(value), undefined, 1).split('\n') : [value]
      return values.map((part) => `${field}:${space}${part.startsWith(' ') && space === '' ? ' ' : ''}${part}`)
    })
    return [...before, ...lines, '', ''].join(end)
  })
  return (mark ? '\ufeff' : '') + written.join('')
}

function pieces(bytes: Uint8Array, at: 'bytes' | readonly number[]): readonly Uint8Array[] {
  if (at === 'bytes') return [...bytes].map((byte) => Uint8Array.of(byte))
  const places = [0, ...at.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end))
}

describe.each(wires)('on the wire of $name', (wire: Wire) => {
  let body: () => readonly Uint8Array[] = () => []
  // One model for all: to make a client is what takes time.
  const model = wire.model({ fetch: async () => new Response(streamed(body()), { headers: { 'content-type': wire.contentType } }) })
  const answerIn = (made: readonly Uint8Array[]): ReturnType<typeof answer> => {
    body = () => made
    return answer(model)
  }

  it('an answer comes to the same events, whatever ends its lines, stands between them, and wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(said, styles, fc.boolean(), cuts, async ({ text, inputs }, of, mark, at) => {
        const plain = wire.answer(text, ...inputs.map((input) => ({ name: 'look', input })))
        const bytes =
          wire.contentType === 'text/event-stream'
            ? new TextEncoder().encode(rewritten(new TextDecoder().decode(plain), of, mark))
            : // Frames have but one form.
              plain
        const expected = await answerIn([plain])
        expect(expected.message?.content.length).toBe(1 + inputs.length)
        expect(await answerIn(pieces(bytes, at))).toEqual(expected)
      }),
      runs(25),
    )
  })
})
