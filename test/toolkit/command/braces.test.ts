import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { wordsOfBraces } from '../../../src/toolkit/command/braces.ts'

// oxfmt-ignore
const words = [
  'a{b,c}d', '{a,b}{c,d}', '{1..3}', '{3..1}', '{01..10..3}', '{a..e..2}', '{-2..2}', '{-02..2}', '{a,b{c,d}}', '{a,{b,c},{d..f}}', '{a}{b,c}', '{a,{c,d}', '{a,b', 'a},{b,c}', '{,b}', '{a,}x', '{"a b",c}',
  '{"",b}', '\\{a,b}', '{a\\,b,c}', "{'a,b',c}", '"{a,b}"', '"{"a,b}', '{a,b}*', '{[a],"*"}', '{}', '{},{a,b}', '{a..}', '{1..a}', '{1..3..0}', 'x{a,b}y{1..2}z', '{{a,b},c}', '{a,b}}', '{{a,b}', '{a,b}\\ c', '{5..1..2}',
  '{1..3}{a,b}', '{001..3}', '{-1..-10..4}', '{,}', '{,}x', '{a,b,}{c,}', '{x,{},y}', '{10..1..-3}', '{X..Z}', '{a\\\nb,c}', '"a\\b"{c,d}', '"\\{"{c,d}', '{a,b}{,}', '~/{a,b}', '{~,x}/y',
]

test('what bash makes of words with braces', () => {
  const script = words.map((word) => `printf '%s\\0' begin ${word} end`).join('\n')
  // Neither patterns nor a home folder are put in, as they are not here.
  const printed = execFileSync('bash', ['-c', `set -f; HOME='~'\n${script}`], { encoding: 'utf8' })
  const made = words.map((word) => ['begin', ...wordsOfBraces(word)!.map(({ text }) => text), 'end'])
  expect(made.flat()).toEqual(printed.split('\0').slice(0, -1))
})

test('a pattern in one is one', () => {
  const literal = { isOpen: false, isPattern: false, isQuoted: false }
  expect(wordsOfBraces('{*.a,"*".b,c}')).toEqual([
    { ...literal, text: '*.a', isPattern: true },
    { ...literal, text: '*.b', isQuoted: true },
    { ...literal, text: 'c' },
  ])
})

// oxfmt-ignore
test.each(['{a,$x}', '{a,`b`}', '"$x"{a,b}', "{a,$'b'}", '{A..c}', '{1..2000}', '{1..40}{1..40}', '@(a|b){c,d}', `{${'a'.repeat(2000)},b}`, '{a,b}\\', '{a,"b}'])('%j is not known before it runs', (word) => {
  expect(wordsOfBraces(word)).toBe(undefined)
})

test('many braces in one word take no time', () => {
  expect([wordsOfBraces('{'.repeat(999)), wordsOfBraces('{a,b}'.repeat(199)), wordsOfBraces('{,'.repeat(499))]).toEqual([
    [expect.objectContaining({ text: '{'.repeat(999) })],
    undefined,
    [expect.objectContaining({ text: '{,'.repeat(499) })],
  ])
})
