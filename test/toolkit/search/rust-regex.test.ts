import { describe, expect, test } from 'vitest'
import { lineRegExp } from '../../../src/toolkit/search/rust-regex.ts'

const plain = { isLiteral: false, ignoresCase: false }

/** What a pattern finds in each text; `undefined`: nothing. */
const found = (pattern: string, texts: readonly string[], options = plain): readonly (string | undefined)[] => {
  const made = lineRegExp(pattern, options)
  return texts.map((text) => made.exec(text)?.[0])
}

// What ripgrep finds in the same texts.
test.each<[string, Readonly<Record<string, string | undefined>>]>([
  ['a.c', { abc: 'abc', 'a\rc': undefined, 'a🙂c': 'a🙂c', ac: undefined }],
  ['^a$', { a: 'a', 'a\r': 'a', ab: undefined, ba: undefined }],
  ['a|bc|', { xbc: '', bc: 'bc', a: 'a' }],
  ['ab{2}', { abb: 'abb', ab: undefined }],
  ['ab{1,2}c', { abbc: 'abbc', abbbc: undefined }],
  ['a{2,}', { a: undefined, aaa: 'aaa' }],
  ['a+?', { aaa: 'a', b: undefined }],
  ['a{1,3}?', { aaa: 'a', b: undefined }],
  ['a||b|', { b: '', a: 'a' }],
  ['(|a)b', { ab: 'ab', b: 'b' }],
  ['a**', { aaa: 'aaa' }],
  ['(?:ab)+c', { ababc: 'ababc' }],
  ['(?P<x>a)(?<y>b)', { ab: 'ab' }],
  ['(?i)äb', { ÄB: 'ÄB' }],
  ['(?ms)a.', { ab: 'ab', AB: undefined }],
  [String.raw`\d+`, { a12٣: '12٣', a: undefined }],
  [String.raw`\D+`, { '12a': 'a', 'ab\r': 'ab' }],
  [String.raw`\w+`, { '-aé_1٣-': 'aé_1٣' }],
  [String.raw`\W+`, { 'a- b': '- ', 'a\r': undefined }],
  [String.raw`\s+`, { 'a \t\u00a0b': ' \t\u00a0', '\r': undefined }],
  [String.raw`\S+`, { ' ab ': 'ab', '\u00a0': undefined }],
  [String.raw`\bé\b`, { 'a é b': 'é', aé: undefined }],
  [String.raw`a\Bb`, { ab: 'ab', 'a b': undefined }],
  [String.raw`\<a`, { 'b a': 'a', ba: undefined }],
  [String.raw`a\>`, { 'ba b': 'a', ab: undefined }],
  [String.raw`\x41\x{1F642}\u00e9\U0001F642`, { 'A🙂é🙂': 'A🙂é🙂' }],
  [String.raw`\t\f\v\a`, { '\t\f\v\u0007': '\t\f\v\u0007' }],
  [String.raw`\pL+`, { '1aé1': 'aé' }],
  [String.raw`\p{Greek}+`, { aαβb: 'αβ' }],
  [String.raw`\p{Script=Greek}`, { α: 'α' }],
  [String.raw`\P{Lu}+`, { ABcd: 'cd' }],
  [String.raw`\.\*\\`, { '.*\\': '.*\\', 'ab\\': undefined }],
  ['[ab]+', { cabc: 'ab' }],
  ['[^ab]+', { abcd: 'cd', 'ab\r': undefined }],
  ['[a-c]+', { xabcd: 'abc' }],
  ['[]a]+', { 'x]a': ']a' }],
  ['[^]a]+', { ']ax': 'x' }],
  ['[a-]+', { 'x-a': '-a' }],
  ['[a\\-c]+', { 'b-c': '-c' }],
  [String.raw`[\d_-]+`, { 'a1_-': '1_-' }],
  [String.raw`[\x41-\x43]+`, { xABCD: 'ABC' }],
  ['[a-z&&[^b]]+', { bac: 'ac' }],
  [String.raw`[\w--a]+`, { abca: 'bc' }],
  ['[^a-z&&[^b]]+', { acb: 'b', 'a\r': undefined }],
  ['[[:alpha:]]+', { '1aB1': 'aB' }],
  ['[[:^digit:]]+', { '12ab': 'ab' }],
  ['[[:punct:]]+', { 'a!~]`b': '!~]`' }],
  ['[[:word:][:space:]]+', { '-a b-': 'a b' }],
  ['[[:nosuch:]a]+', { 'x:a': ':a' }],
  ['[[ab]c]+', { xabc: 'abc' }],
  ['"/-}', { '"/-}': '"/-}' }],
])('%s', (pattern, texts) => {
  expect(found(pattern, Object.keys(texts))).toEqual(Object.values(texts))
})

test('the beginning and the end of all', () => {
  expect(found(String.raw`\Aa\z`, ['a', 'a\r', 'ba', 'ab'])).toEqual(['a', undefined, undefined, undefined])
})

describe('the text as it is', () => {
  test('every character stands for itself', () => {
    const text = String.raw`a.b*c+(d)[e]{f}|^$\-/&&🙂`
    expect(found(text, [`<${text}>`, 'aXb'], { ...plain, isLiteral: true })).toEqual([text, undefined])
  })

  test('in any case', () => {
    expect(found('Ä.', ['xä.', 'Äx'], { isLiteral: true, ignoresCase: true })).toEqual(['ä.', undefined])
    expect(found('Ä.', ['xä.', 'Äx'], { isLiteral: false, ignoresCase: true })).toEqual(['ä.', 'Äx'])
  })
})

test.each([
  ['a)', 'unopened group'],
  ['(a', 'unclosed group'],
  ['(?<x>a)(?P<x>b)', 'duplicate capture group name'],
  ['(?i:a)', 'flags within a pattern need ripgrep, which is not installed'],
  ['a(?i)b', 'flags within a pattern need ripgrep, which is not installed'],
  ['(?=a)', 'look-around is not supported'],
  ['(?!a)', 'look-around is not supported'],
  ['(?<=a)', 'look-around is not supported'],
  ['a\\', 'incomplete escape sequence'],
  ['\\1', 'backreferences are not supported'],
  ['\\q', 'unrecognized escape sequence'],
  ['[\\b]', 'unrecognized escape sequence'],
  ['[a-\\b]', 'unrecognized escape sequence'],
  ['|*', 'repetition operator missing expression'],
  ['\\xg', 'invalid hexadecimal digit'],
  ['\\u12', 'invalid hexadecimal digit'],
  ['\\x{123456789}', 'invalid hexadecimal digit'],
  ['\\p', 'invalid Unicode character class'],
  ['\\p{NoSuch}', 'Unicode property not found: NoSuch'],
  ['[a', 'unclosed character class'],
  ['[a~~b]', '"~~" in a set needs ripgrep, which is not installed'],
  ['*', 'repetition operator missing expression'],
  ['a|+', 'repetition operator missing expression'],
  ['a{x}', 'repetition quantifier expects a valid decimal'],
  ['a\nb', 'the literal "\\n" is not allowed: lines are searched one by one'],
  ['a\\nb', 'the literal "\\n" is not allowed: lines are searched one by one'],
])('%j is no pattern', (pattern, reason) => {
  expect(() => lineRegExp(pattern, plain)).toThrow(
    `The pattern cannot be used: ${reason}. To search for the text as it is, set literal=true.`,
  )
})
