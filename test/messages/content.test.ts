import { describe, expect, it } from 'vitest'
import { document, image, text, textOf } from '../../src/messages/content.ts'
import { storedBlocks } from '../../src/messages/stored.ts'
import { assistant, call, result, user, withIds } from '../support/history.ts'

describe('content builders', () => {
  const bytes = new Uint8Array([0, 255, 16])
  it.each<[string, unknown, unknown]>([
    ['text', text('a'), { type: 'text', text: 'a' }],
    ['image of bytes', image(bytes, 'image/png'), { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AP8Q' } }],
    ['image of base64', image('AP8Q', 'image/png'), { type: 'image', mediaType: 'image/png', source: { type: 'base64', data: 'AP8Q' } }],
    [
      'image of a URL',
      image(new URL('https://example.com/a b.png'), 'image/png'),
      { type: 'image', mediaType: 'image/png', source: { type: 'url', url: 'https://example.com/a%20b.png' } },
    ],
    [
      'document of bytes',
      document(bytes, 'application/pdf', 'A'),
      { type: 'document', mediaType: 'application/pdf', source: { type: 'base64', data: 'AP8Q' }, title: 'A' },
    ],
    [
      'document of text',
      document('hello', 'text/plain'),
      { type: 'document', mediaType: 'text/plain', source: { type: 'text', text: 'hello' } },
    ],
    [
      'document of bytes that are text',
      document(bytes, 'text/plain'),
      { type: 'document', mediaType: 'text/plain', source: { type: 'base64', data: 'AP8Q' } },
    ],
    [
      'document of a URL',
      document(new URL('https://example.com/a.pdf'), 'application/pdf'),
      { type: 'document', mediaType: 'application/pdf', source: { type: 'url', url: 'https://example.com/a.pdf' } },
    ],
  ])('%s', (_what, block, expected) => {
    expect(block).toStrictEqual(expected)
    expect(storedBlocks([block as never], 'user', 'input')).toEqual([expected])
  })

  it('takes bytes of any size, and of a part of a buffer', () => {
    const large = new Uint8Array(100_000).map((_, i) => i % 251)
    const { source } = image(large, 'image/png')
    expect(source).toEqual({ type: 'base64', data: Buffer.from(large).toString('base64') })
    expect(image(large.subarray(3, 6), 'image/png').source).toEqual({ type: 'base64', data: Buffer.from([3, 4, 5]).toString('base64') })
  })
})

describe('textOf', () => {
  it('gives the text of a message or of blocks, and nothing else', () => {
    const message = withIds([assistant('a', { type: 'reasoning', text: 'hm' }, call('x'), 'b')])[0]!
    expect(textOf(message)).toBe('ab')
    expect(textOf(message.content)).toBe('ab')
    expect(textOf(withIds([user(result('x'))])[0]!)).toBe('')
    expect(textOf([])).toBe('')
  })
})
