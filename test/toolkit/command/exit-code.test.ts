import { expect, test } from 'vitest'
import { explainExit } from '../../../src/toolkit/command/exit-code.ts'

const nothing = (name: string): string => `nothing matched: exit code 1 of "${name}" is no error`

test.each<[script: string, explained: string | undefined, output?: string]>([
  ['grep x f', nothing('grep')],
  ['rg x', nothing('rg')],
  ['git grep x', nothing('git grep')],
  ['cat f | grep x', nothing('grep')],
  ['make; grep x log', nothing('grep')],
  ['make\ngrep x log\n', nothing('grep')],
  ['cd src && grep -rn "a && b" .', nothing('grep')],
  ['grep a f || grep b f', nothing('grep')],
  ['diff a b', 'the files differ: exit code 1 of "diff" is no error', '1c1\n< a\n---\n> b\n'],
  ['git diff --exit-code', 'there are differences: exit code 1 of "git diff" is no error'],
  ['test -f x', 'the condition is false: exit code 1 of "test" is no error'],
  ['[ -f x ]', 'the condition is false: exit code 1 of "[" is no error'],
  // Another command may have failed with 1.
  ['make && grep x log', undefined],
  ['cd nosuch && grep x .', undefined, 'bash: line 1: cd: nosuch: No such file or directory\n'],
  ['cd src && make | grep x', nothing('grep')],
  ['make && cat log | grep x', undefined],
  ['set -e; make; grep x log', undefined],
  ['set -o pipefail; make | grep x', undefined],
  ['grep x f | head', undefined],
  ['grep x f > out; false', undefined],
  ['! grep x f', undefined],
  ['make', undefined],
  ['git commit', undefined],
])('%j exits with 1: %s', (script, explained, output = '') => {
  expect(explainExit(script, 1, output)).toBe(explained)
})

test('any other exit code is what it is', () => {
  expect([0, 2, 127].map((code) => explainExit('grep x f', code, ''))).toEqual([undefined, undefined, undefined])
})
