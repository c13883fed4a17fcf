import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../../src/models/model-events.ts'
import { calling, contentOf, delta, end, input, said, start, stop, thought } from '../../support/assemble.ts'
import { assemble } from '../../support/assemble.ts'

const image = { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AA==' } } as const
const document = { type: 'document', mediaType: 'application/pdf', source: { type: 'url', url: 'https://example.com/a.pdf' } } as const
const signed = (index: number, signature: string): ModelEvent => delta(index, { type: 'reasoning', signature })

describe('the assembler makes', () => {
  it.each<[string, readonly ModelEvent[], readonly unknown[]]>([
    ['text of its pieces', [start(0, { type: 'text' }), said(0, 'a'), said(0, 'b'), stop(0)], [{ type: 'text', text: 'ab' }]],
    [
      'each thought with its own signature',
      [
        start(0, { type: 'reasoning' }),
        thought(0, 'a'),
        signed(0, 'SIG'),
        signed(0, '1'),
        stop(0),
        start(1, { type: 'reasoning' }),
        thought(1, 'b'),
        signed(1, 'SIG2'),
        stop(1),
      ],
      [
        { type: 'reasoning', text: 'a', signature: 'SIG1' },
        { type: 'reasoning', text: 'b', signature: 'SIG2' },
      ],
    ],
    [
      'a thought that is nothing but a signature',
      [start(0, { type: 'reasoning' }), signed(0, 'SIG'), stop(0)],
      [{ type: 'reasoning', text: '', signature: 'SIG' }],
    ],
    [
      'a thought that is hidden',
      [delta(0, { type: 'reasoning', redacted: 'x' }), delta(0, { type: 'reasoning', redacted: 'y' }), stop(0)],
      [{ type: 'reasoning', text: '', redacted: 'xy' }],
    ],
    [
      'a thought with everything in one piece',
      [delta(0, { type: 'reasoning', text: 'a', signature: 's' })],
      [{ type: 'reasoning', text: 'a', signature: 's' }],
    ],
    ['a thought without a signature: the field is absent', [thought(0, 'a')], [{ type: 'reasoning', text: 'a' }]],
    [
      'text with its citations',
      [
        start(0, { type: 'text' }),
        said(0, 'a'),
        delta(0, { type: 'citation', citation: { title: 'T', start: 0, end: 1 } }),
        delta(0, { type: 'citation', citation: { url: 'u' } }),
      ],
      [{ type: 'text', text: 'a', citations: [{ title: 'T', start: 0, end: 1 }, { url: 'u' }] }],
    ],
    [
      'blocks with what their provider wants back, under its name',
      [
        said(0, 'a'),
        delta(0, { type: 'provider', data: { x: 1 } }),
        delta(0, { type: 'provider', data: { y: 2 } }),
        thought(1, 'b'),
        delta(1, { type: 'provider', data: { z: 3 } }),
      ],
      [
        { type: 'text', text: 'a', provider: { p: { x: 1, y: 2 } } },
        { type: 'reasoning', text: 'b', provider: { p: { z: 3 } } },
      ],
    ],
    [
      'a text that is nothing but the data of its provider',
      [delta(0, { type: 'provider', data: { signature: 's' } })],
      [{ type: 'text', text: '', provider: { p: { signature: 's' } } }],
    ],
    [
      'data that comes after its block was closed',
      [said(0, 'a'), stop(0), delta(0, { type: 'provider', data: { x: 1 } })],
      [{ type: 'text', text: 'a', provider: { p: { x: 1 } } }],
    ],
    [
      'a call: an id of ours, the one of the provider beside it',
      [start(0, { type: 'tool_use', name: 'add', id: 'toolu_1', provider: { sig: 's' } }), input(0, '{"a":'), input(0, '1}'), stop(0)],
      [{ type: 'tool_use', id: 'call_1', name: 'add', input: { a: 1 }, provider: { p: { sig: 's', id: 'toolu_1' } } }],
    ],
    ['a call whose provider gave no id', [calling(0, 'add'), stop(0)], [{ type: 'tool_use', id: 'call_1', name: 'add', input: {} }]],
    [
      'what the provider ran itself, its input streamed',
      [
        start(0, { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }),
        input(0, '{"q":'),
        input(0, '"x"}'),
        stop(0),
        start(1, { type: 'server_tool_result', toolUseId: 's1', content: [{ url: 'u' }] }),
        stop(1),
      ],
      [
        { type: 'server_tool_use', id: 's1', name: 'web_search', input: { q: 'x' } },
        { type: 'server_tool_result', toolUseId: 's1', content: [{ url: 'u' }] },
      ],
    ],
    [
      'what the provider ran itself, its input given at once',
      [
        start(0, { type: 'server_tool_use', id: 's1', name: 'code', input: 'print()' }),
        stop(0),
        delta(0, { type: 'provider', data: { x: 1 } }),
      ],
      [{ type: 'server_tool_use', id: 's1', name: 'code', input: 'print()', provider: { p: { x: 1 } } }],
    ],
    ['images and documents', [start(0, image), start(1, document), stop(1), stop(0)], [image, document]],
    ['nothing of nothing', [start(0, { type: 'text' }), said(0, ''), stop(0), start(1, { type: 'reasoning' }), stop(1)], []],
  ])('%s', async (_what, events, content) => expect(await contentOf(events)).toStrictEqual(content))
})

describe('the assembler copies', () => {
  it('what a provider hands it, so that neither can change the other', async () => {
    const given = { type: 'server_tool_result' as const, toolUseId: 's', content: [{ n: 1 }] }
    const citation = { title: 'T' }
    const data = { list: [1] }
    const events = [start(0, given), said(1, 'a'), delta(1, { type: 'citation', citation }), delta(1, { type: 'provider', data }), end()]
    const { content } = await assemble(events)
    given.content[0]!.n = 2
    citation.title = 'other'
    data.list.push(2)
    expect(content).toEqual([
      { type: 'server_tool_result', toolUseId: 's', content: [{ n: 1 }] },
      { type: 'text', text: 'a', citations: [{ title: 'T' }], provider: { p: { list: [1] } } },
    ])
    expect([given, citation, data].some(Object.isFrozen)).toBe(false)
  })
})
