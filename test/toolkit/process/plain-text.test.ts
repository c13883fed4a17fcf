import { expect, test } from 'vitest'
import { plainText } from '../../../src/toolkit/process/plain-text.ts'

const esc = '\u001b'

test.each<{ title: string; text: string; plain: string }>([
  { title: 'plain text', text: 'a\tb\nc 你 🙂\n', plain: 'a\tb\nc 你 🙂\n' },
  { title: 'colours', text: `${esc}[1;31mred${esc}[0m ${esc}[38:5:1mx${esc}[m`, plain: 'red x' },
  { title: 'cursor and questions', text: `a${esc}[2J${esc}[?25l${esc}[6n${esc}[10;5Hb`, plain: 'ab' },
  { title: 'title, ended by BEL and by ST', text: `a${esc}]0;title\u0007b${esc}]2;title${esc}\\c`, plain: 'abc' },
  { title: 'links and clipboard', text: `${esc}]8;;http://x${esc}\\text${esc}]8;;${esc}\\ ${esc}]52;c;ZXZpbA==\u0007x`, plain: 'text x' },
  { title: 'DCS, APC, PM, SOS', text: `a${esc}Pq#0${esc}\\b${esc}_x${esc}\\c${esc}^x${esc}\\d${esc}Xx${esc}\\e`, plain: 'abcde' },
  { title: 'one-byte forms', text: 'a\u009b31mb\u009d0;t\u009cc\u0090q\u009cd\u0085', plain: 'abcd' },
  { title: 'charset and keypad', text: `a${esc}(Bb${esc}=c${esc}7d${esc}c`, plain: 'abcd' },
  { title: 'other control characters', text: 'a\u0000b\u0007c\u0008d\u000be\u007ff', plain: 'abcdef' },
  { title: 'CR LF, CR, and CR CR LF', text: 'a\r\nb\rc\r\r\nd', plain: 'a\nb\nc\n\nd' },
  { title: 'what stands between ESC and its last character', text: `${esc}([a${esc} /!0b${esc}(\u0141c${esc}#\nd`, plain: 'ab\u0141c\nd' },
  {
    title: 'the first and the last of each range',
    text: `${esc}0a${esc}~b${esc}[@c${esc}[~d${esc}[ ?me${esc}(0f${esc}(~g`,
    plain: 'abcdefg',
  },
  { title: 'the first and the last of what may stand there', text: `${esc}/Aa${esc}( Bb${esc}(/Cc`, plain: 'abc' },
  { title: 'just outside of them', text: `${esc}\u007fa${esc}[\u007fb${esc}[é${esc}é`, plain: 'abéé' },
  { title: 'strings, ended by CAN and SUB', text: `${esc}]0;t\u0018a${esc}]0;t\u001ab${esc}]0;\u0019t\u0007c`, plain: 'abc' },
  { title: 'all strings of one byte', text: 'a\u0098q\u009cb\u009eq\u009cc\u009fq\u009cd\u0099q', plain: 'abcdq' },
  { title: 'a CR and then something else', text: 'a\rb\nc\r\n\nd', plain: 'a\nb\nc\n\nd' },
  { title: 'a sequence in a sequence', text: `${esc}[31${esc}[32mx${esc}]0;a${esc}[1mb`, plain: 'xb' },
  { title: 'a lone ESC before text in another script', text: `${esc}你${esc}\n`, plain: '你\n' },
  { title: 'a newline ends what cannot hold one', text: `${esc}[31\nx`, plain: '\nx' },
])('$title, whole and in pieces', ({ text, plain }) => {
  const whole = plainText()
  const pieces = plainText()
  expect([whole.write(text), [...text].map((piece) => pieces.write(piece)).join('')]).toEqual([plain, plain])
})

test('a title that never ends swallows a bounded part', () => {
  const rest = plainText().write(`${esc}]0;${'x'.repeat(10_000)}`)
  expect(rest).toBe('x'.repeat(rest.length))
  expect(rest.length).toBeGreaterThan(5000)
})

test('a sequence swallows 4,096 characters at most, each of its own, and text is not counted', () => {
  expect(plainText().write(`${esc}]0;${'x'.repeat(4093)}yyy`)).toBe('yyy')
  const twice = `${esc}]0;${'x'.repeat(3000)}\u0007${'a'.repeat(5000)}${esc}]0;${'x'.repeat(3000)}\u0007b`
  expect(plainText().write(twice)).toBe(`${'a'.repeat(5000)}b`)
})
