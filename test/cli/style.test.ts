import { expect, it } from 'vitest'
import { styleFor } from '../../src/cli/style.ts'
import { Screen } from './support/world.ts'

it.each<[string, boolean, Record<string, string>, string]>([
  ['a terminal', true, { TERM: 'xterm-256color' }, '\u001b[31m●\u001b[39m'],
  ['a terminal that does not say which', true, {}, '\u001b[31m●\u001b[39m'],
  ['NO_COLOR that is empty', true, { NO_COLOR: '' }, '\u001b[31m●\u001b[39m'],
  ['NO_COLOR', true, { NO_COLOR: '1' }, '*'],
  ['a dumb terminal', true, { TERM: 'dumb' }, '*'],
  ['no terminal', false, { TERM: 'xterm-256color' }, '*'],
])('%s', (_, isTTY, env, shown) => {
  const { red, start } = styleFor(new Screen(isTTY), env)
  expect(red(start)).toBe(shown)
})
