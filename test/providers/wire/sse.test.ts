import { describe, expect, it } from 'vitest'
import type { SseEvent } from '../../../src/providers/wire/sse.ts'
import { sseReader } from '../../../src/providers/wire/sse.ts'

function read(...pieces: readonly (string | Uint8Array)[]): readonly SseEvent[] {
  const events: SseEvent[] = []
  const reader = sseReader(({ event, data }) => events.push({ event, data }))
  for (const piece of pieces) reader.feed(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
  return events
}

const one = (text: string): readonly SseEvent[] => read(...Array.from(new TextEncoder().encode(text), (byte) => Uint8Array.of(byte)))
const data = (...values: readonly string[]): readonly SseEvent[] => values.map((value) => ({ event: undefined, data: value }))

const named = (event: string, ...values: readonly string[]): readonly SseEvent[] => values.map((value) => ({ event, data: value }))

const streams: readonly (readonly [what: string, text: string, events: readonly SseEvent[]])[] = [
  ['lines that end in LF', 'data: a\n\ndata: b\n\n', data('a', 'b')],
  ['lines that end in CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', data('a', 'b')],
  ['lines that end in CR', 'data: a\r\rdata: b\r\r', data('a', 'b')],
  ['several lines of data', 'data: {\ndata: }\n\n', data('{\n}')],
  [
    'several whole values in one event',
    'event: x\ndata: {"a":1}\ndata: {"b":"}{"}\ndata: [DONE]\n\n',
    named('x', '{"a":1}', '{"b":"}{"}', '[DONE]'),
  ],
  ['several whole values in one event, with CRLF', 'data: {"a":1}\r\ndata: {}\r\n\r\n', data('{"a":1}', '{}')],
  ['one value on several lines', 'data: {"a":\ndata: {}\ndata: }\n\n', data('{"a":\n{}\n}')],
  ['a list on several lines', 'data: [\ndata: {},\ndata: {}\ndata: ]\n\n', data('[\n{},\n{}\n]')],
  ['words behind a whole value', 'data: {"a":1}\ndata: and more\n\n', data('{"a":1}\nand more')],
  ['a value with an empty line of data', 'data: {"a":\ndata:\ndata: 1}\n\n', data('{"a":\n\n1}')],
  ['a line feed within the value, after CR', 'data: a\r\ndata: b\r\n\r\n', data('a\nb')],
  ['no space behind the colon', 'data:a\n\n', data('a')],
  ['two spaces behind the colon', 'data:  a\n\n', data(' a')],
  ['a name', 'event: error\ndata: a\n\n', [{ event: 'error', data: 'a' }]],
  ['a byte order mark', '\ufeffdata: a\n\n', data('a')],
  ['a byte order mark inside the data', 'data: \ufeffa\n\n', data('\ufeffa')],
  ['comments, ids, retry times and unknown fields', ': hello\n\nid: 1\nretry: 3\nretry: soon\nother: x\ndata: a\n\n', data('a')],
  ['blank lines', '\n\n\ndata: a\n\n\n\n', data('a')],
  ['characters of two, three and four bytes', 'data: é東😀\n\n', data('é東😀')],
  ['an event that is not finished', 'data: a\n\ndata: b\n', data('a')],
  ['an event that is not finished, with CR', 'data: a\r\rdata: b\r', data('a')],
]

describe('an event stream', () => {
  it.each(streams)('of %s', (_what, text, events) => {
    expect(read(text)).toEqual(events)
    expect(one(text)).toEqual(events)
  })

  it('is told as soon as the bytes are there, with CR too', () => {
    expect(read('data: a\r\r')).toEqual(data('a'))
    expect(read('data: a\r\n\r')).toEqual(data('a'))
  })

  it('is the same however a CRLF is cut', () => {
    expect(read('data: a\r', '\n\r', '\ndata: b\r\n', '\r\n')).toEqual(data('a', 'b'))
  })

  it('never gives half a character', () => {
    const bytes = new TextEncoder().encode('data: 😀é\n\n')
    for (let at = 1; at < bytes.length; at++) expect(read(bytes.slice(0, at), bytes.slice(at))).toEqual(data('😀é'))
  })
})

describe('an endless line', () => {
  it('is refused before it fills the memory', () => {
    const reader = sseReader(() => {})
    const piece = new Uint8Array(8 * 1024 * 1024).fill(0x61)
    expect(() => {
      for (let i = 0; i < 10; i++) reader.feed(piece)
    }).toThrow('The stream holds a line or an event of more than 64 million characters.')
  })
})
