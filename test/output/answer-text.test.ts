import { expect, it } from 'vitest'
import { answerIn } from '../../src/output/answer-text.ts'

it.each<readonly [string, unknown]>([
  ['{"a":1}', { a: 1 }],
  ['[1,2]', [1, 2]],
  ['"a"', 'a'],
  ['Here it is:\n```json\n{"a":1}\n```\nDone.', { a: 1 }],
  ['The answer is {"a":1}.', { a: 1 }],
  ['As in [1] and [2]: {"a":[1]}', { a: [1] }],
  ['<think>Maybe {"a": 7}? No.</think>\n\n{"a":1}', { a: 1 }],
  ['\n<think>hm</think>```\n{"a":1}\n```', { a: 1 }],
  ['{"a":"<think>kept</think>"}', { a: '<think>kept</think>' }],
])('the answer in %j', (text, value) => expect(answerIn(text)).toEqual({ value }))

it.each(['', 'No.', '<think>{"a":1}', '{"a":1}{"a":2}', '[1] {x}'])('there is none in %j', (text) => expect(answerIn(text)).toBe(undefined))
