import { expect, it } from 'vitest'
import { jsonText } from '../../../src/providers/wire/json-text.ts'

it.each([
  ['whole pairs stay', { text: 'a😀' }, '{"text":"a😀"}'],
  ['the first half alone is replaced', { text: 'a\ud83d' }, '{"text":"a\ufffd"}'],
  ['the second half alone is replaced', ['\ude00a'], '["\ufffda"]'],
  ['a half before a pair is replaced', '\ud83d😀', '"\ufffd😀"'],
  ['text that only looks like one stays', { text: '\\ud83d' }, '{"text":"\\\\ud83d"}'],
])('%s', (_what, value, json) => expect(jsonText(value)).toBe(json))
