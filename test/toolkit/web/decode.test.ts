import { expect, test } from 'vitest'
import { textOfBytes } from '../../../src/toolkit/web/decode.ts'

const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1')

test.each([
  ['UTF-8', latin('\xef\xbb\xbf\xc3\xa9'), 'é'],
  ['UTF-16', latin('\xff\xfe\xe9\x00'), 'é'],
  ['UTF-16, the other way round', latin('\xfe\xff\x00\xe9'), 'é'],
  ['half a mark', latin('\xfe\x00\xe9\xe9\xe9\xe9'), 'þ\0éééé'],
  ['half a mark, the other way round', latin('\xff\x00\xe9\xe9\xe9\xe9'), 'ÿ\0éééé'],
  ['the first and the last of three bytes', latin('\xef\xe9\xbf\xe9\xe9\xe9'), 'ïé¿ééé'],
  ['two of three bytes', latin('\xef\xbb\xe9\xe9\xe9\xe9'), 'ï»éééé'],
])('a mark: %s', (_name, bytes, text) => {
  expect(textOfBytes(bytes, '')).toBe(text)
})

test('three broken characters are a damaged page, four are an old one', () => {
  expect(textOfBytes(latin('a\xe9b\xe9c\xe9d'), '')).toBe('a\ufffdb\ufffdc\ufffdd')
  expect(textOfBytes(latin('a\xe9b\xe9c\xe9d\xe9e'), '')).toBe('aébécédée')
})

test('in a long page one in a thousand is damage', () => {
  const page = (length: number): Uint8Array => latin(`\xe9a\xe9b\xe9c\xe9d${'x'.repeat(length - 8)}`)
  expect(textOfBytes(page(4001), '').slice(0, 8)).toBe('\ufffda\ufffdb\ufffdc\ufffdd')
  expect(textOfBytes(page(4000), '').slice(0, 8)).toBe('éaébécéd')
})

test('what a page says of its characters stands within its first 2,048 bytes', () => {
  const name = 'charset=koi8-r'
  const page = (before: number): Uint8Array => latin(`${' '.repeat(before)}${name} \xc1`)
  expect(textOfBytes(page(2048 - name.length), '').slice(-1)).toBe('а')
  expect(textOfBytes(page(2048), '').slice(-1)).toBe('\ufffd')
})
