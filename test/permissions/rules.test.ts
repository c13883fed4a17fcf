import { describe, expect, test } from 'vitest'
import { InputError } from '../../src/errors.ts'
import { permissions } from '../../src/permissions/index.ts'
import type { Rule } from '../../src/permissions/index.ts'
import { compileRule, textOfRule } from '../../src/permissions/rules.ts'

const form = 'Write "allow shell(npm test)", "deny shell(git push*)", "allow read_file(docs/**)" or { decision, tool, pattern }.'

describe('what is no rule', () => {
  test.each<[unknown, string]>([
    [1, `A rule is a text or an object. ${form}`],
    ['', `The rule "" cannot be read. ${form}`],
    ['allow', `The rule "allow" cannot be read. ${form}`],
    ['allow shell x', `The rule "allow shell x" cannot be read. ${form}`],
    ['alow shell', `The rule "alow shell" must say allow, ask or deny. Did you mean "allow"? ${form}`],
    ['allow sh.ell', `The rule "allow sh.ell" must name a tool: letters, digits, "_", "-", and "*" for any. ${form}`],
    [
      `allow ${'x'.repeat(129)}`,
      `The rule "allow ${'x'.repeat(129)}" must name a tool: letters, digits, "_", "-", and "*" for any. ${form}`,
    ],
    [
      { decision: 'allow', tool: 'shell', command: 'ls' },
      `The rule {"decision":"allow","tool":"shell","command":"ls"} has an unknown key "command". ${form}`,
    ],
    [
      { decision: 'deny', tool: 'shell', reason: 1 },
      'The reason of the rule {"decision":"deny","tool":"shell","reason":1} must be a text.',
    ],
    ...['', 'a\0b', 'x'.repeat(2001), 1].map((pattern): [unknown, string] => [
      { decision: 'deny', tool: 'shell', pattern },
      `The pattern of the rule ${JSON.stringify({ decision: 'deny', tool: 'shell', pattern })} must be a text of 1 to 2000 characters; leave it out for every call of the tool.`,
    ]),
  ])('%j', (rule, says) => {
    expect(() => compileRule(rule as Rule)).toThrow(new InputError(says))
  })
})

test.each<[string, Rule]>([
  ['allow shell', { decision: 'allow', tool: 'shell' }],
  ['ask read_file(docs/**)', { decision: 'ask', tool: 'read_file', pattern: 'docs/**' }],
  ['deny mcp-x_*(a (b) c)', { decision: 'deny', tool: 'mcp-x_*', pattern: 'a (b) c' }],
])('%s is read, and written again the same way', (text, rule) => {
  expect(compileRule(text).rule).toEqual(rule)
  expect(textOfRule(rule)).toBe(text)
})

test('white space around its parts is none of it, and within the brackets it is', () => {
  expect(compileRule('  allow \t shell  ( make )\n').rule).toEqual({ decision: 'allow', tool: 'shell', pattern: ' make ' })
})

test('the longest name and the longest pattern', () => {
  const rule = { decision: 'deny', tool: 'x'.repeat(128), pattern: 'y'.repeat(2000) } as const
  expect(compileRule(rule).rule).toEqual(rule)
})

test('a rule that was given cannot be changed afterwards', () => {
  const given = { decision: 'allow' as 'allow' | 'deny', tool: 'shell' }
  const gate = permissions({ rules: [given] })
  given.decision = 'deny'
  expect(gate.rules).toEqual([{ decision: 'allow', tool: 'shell' }])
  expect(Object.isFrozen(gate.rules[0])).toBe(true)
})
