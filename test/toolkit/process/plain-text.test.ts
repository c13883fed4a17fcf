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
