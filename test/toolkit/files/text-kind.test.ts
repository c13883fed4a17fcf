import { describe, expect, test } from 'vitest'
import { kindOfBytes } from '../../../src/toolkit/files/text-kind.ts'

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))

describe('marks', () => {
  test.each<[string, readonly number[], string]>([
    ['UTF-32', [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0], 'UTF-32'],
    ['UTF-32, the other way round', [0, 0, 0xfe, 0xff, 0, 0, 0, 0x61], 'UTF-32'],
    ['UTF-16', [0xff, 0xfe, 0x61, 0], 'UTF-16'],
    ['UTF-16, the other way round', [0xfe, 0xff, 0, 0x61], 'UTF-16'],
  ])('%s', (_name, sample, iconv) => {
    expect(kindOfBytes(Uint8Array.from(sample))).toMatchObject({ type: 'foreign', iconv })
  })

  test('half a mark is none', () => {
    expect(kindOfBytes(bytes([0xfe, 0x61], 'ext'))).toMatchObject({ iconv: 'ISO-8859-1' })
    expect(kindOfBytes(bytes([0xff, 0x61], 'ext'))).toMatchObject({ iconv: 'ISO-8859-1' })
    expect(kindOfBytes(bytes([0xef, 0xbb, 0xbf], 'a'))).toEqual({ type: 'text', bom: true })
    expect(kindOfBytes(bytes([0xef, 0xbb, 0x80], 'a'))).toEqual({ type: 'text', bom: false })
  })
})

describe('UTF-16 without a mark', () => {
  test('more than four of five characters are western', () => {
    const mixed = (western: number, others: number): Uint8Array => Buffer.from('a'.repeat(western) + '\u4f60'.repeat(others), 'utf16le')
    expect(kindOfBytes(mixed(9, 2))).toMatchObject({ iconv: 'UTF-16LE' })
    expect(kindOfBytes(mixed(8, 2))).toEqual({ type: 'binary', why: 'a NUL byte at offset 1' })
    expect(kindOfBytes(mixed(9, 2).map((_, index, all) => all[index ^ 1]!))).toMatchObject({ iconv: 'UTF-16BE' })
    expect(kindOfBytes(mixed(8, 2).map((_, index, all) => all[index ^ 1]!))).toEqual({ type: 'binary', why: 'a NUL byte at offset 0' })
  })

  test('two characters are enough, one is not', () => {
    expect(kindOfBytes(bytes([0x61, 0, 0x62, 0]))).toMatchObject({ iconv: 'UTF-16LE' })
    expect(kindOfBytes(bytes([0x61, 0]))).toEqual({ type: 'binary', why: 'a NUL byte at offset 1' })
  })

  test('a NUL in the other place makes it binary', () => {
    expect(kindOfBytes(bytes([0x61, 0, 0x62, 0, 0x63, 0, 0, 0, 0x65, 0, 0x66, 0]))).toEqual({
      type: 'binary',
      why: 'a NUL byte at offset 1',
    })
  })
})

describe('bytes that are no UTF-8', () => {
  test('where the first of them stands', () => {
    expect(kindOfBytes(bytes('a'.repeat(1000), [0xe9], 'b'.repeat(500)))).toMatchObject({
      encoding: 'not UTF-8 (byte 0xe9 at offset 1000; perhaps Latin-1)',
    })
    expect(kindOfBytes(bytes([0xe9], 'b'))).toMatchObject({ encoding: 'not UTF-8 (byte 0xe9 at offset 0; perhaps Latin-1)' })
    // A character that begins and does not go on is damaged from its first byte on.
    expect(kindOfBytes(bytes('ab', [0xf0, 0x9f, 0x99], 'cd'))).toMatchObject({
      encoding: 'not UTF-8 (byte 0xf0 at offset 2; perhaps Latin-1)',
    })
  })

  test('a character that the sample cuts is text; one that the file itself ends in is damage', () => {
    const cut = bytes('x'.repeat(8189), [0xf0, 0x9f, 0x99])
    expect(kindOfBytes(cut)).toEqual({ type: 'text', bom: false })
    expect(kindOfBytes(cut.subarray(1))).toMatchObject({ encoding: 'not UTF-8 (byte 0xf0 at offset 8188; perhaps Latin-1)' })
    expect(kindOfBytes(bytes('caf', [0xe9]))).toMatchObject({ encoding: 'not UTF-8 (byte 0xe9 at offset 3; perhaps Latin-1)' })
  })

  test('one control character in a hundred makes it binary; tabs, line ends, form feeds and escapes are none', () => {
    const written = (...controls: readonly number[]): Uint8Array => bytes([0xe9], 'x'.repeat(99 - controls.length), controls)
    const binary = { type: 'binary', why: 'bytes that are no UTF-8 at offset 0' }
    expect(kindOfBytes(written(0x09, 0x0a, 0x0d, 0x0c, 0x1b))).toMatchObject({ iconv: 'ISO-8859-1' })
    for (const control of [0x01, 0x08, 0x0b, 0x0e, 0x1a, 0x1c, 0x1f]) expect(kindOfBytes(written(control))).toEqual(binary)
    expect(kindOfBytes(written(0x20))).toMatchObject({ iconv: 'ISO-8859-1' })
    expect(kindOfBytes(bytes([0xe9], 'x'.repeat(100), [0x01]))).toMatchObject({ iconv: 'ISO-8859-1' })
  })

  test('a PDF says that it is one', () => {
    expect(kindOfBytes(bytes('%PDF-1.7\n%', [0xe2, 0xe3, 0xcf, 0xd3]))).toEqual({ type: 'binary', why: 'a PDF document' })
    expect(kindOfBytes(bytes('%PDx', [0xe9]))).toMatchObject({ type: 'foreign' })
  })
})
