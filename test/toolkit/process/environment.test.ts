import { expect, test } from 'vitest'
import { environmentFor } from '../../../src/toolkit/process/environment.ts'

const quiet = { TERM: 'dumb', NO_COLOR: '1', PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true' }

const kept = (names: readonly string[], keep: readonly string[] = []): readonly string[] =>
  Object.keys(environmentFor(Object.fromEntries(names.map((name) => [name, 'x'])), keep)).filter((name) => names.includes(name))

test('what asks for a terminal or for colours is set for a reader that is no person', () => {
  expect(environmentFor({ TERM: 'xterm', FORCE_COLOR: '1', CLICOLOR_FORCE: '1', GONE: undefined, PAGER: 'less', A: 'a' })).toEqual({
    A: 'a',
    ...quiet,
  })
})

test('names that only look a little like those stay', () => {
  const names = ['MY_FORCE_COLOR', 'FORCE_COLORS', 'MY_OPENAI_MODEL', 'OPENAIS', 'TOKENS', 'MYTOKEN', 'PATH', 'PATTERN', 'PGPASSWORDS']
  expect(kept(names)).toEqual(names)
})

test('keys go, unless they are to be kept', () => {
  const names = [
    'TOKEN',
    'GITHUB_TOKEN',
    'a_secret',
    'DB_PASSWORD',
    'X_API_KEY',
    'X_APIKEYS',
    'OPENAI_ORG',
    'AWS_CONTAINER_X',
    'PGPASSWORD',
    'MYSQL_PWD',
    'GH_PAT',
  ]
  expect(kept(names)).toEqual([])
  expect(kept(names, ['GITHUB_TOKEN', 'OPENAI_ORG'])).toEqual(['GITHUB_TOKEN', 'OPENAI_ORG'])
})
