import { describe, expect, it } from 'vitest'
import { visible } from '../../../src/cli/trust/visible.ts'
import { fc } from '../../support/fast-check.ts'

describe('text that a person is to judge', { timeout: 30_000 }, () => {
  const shown: readonly [what: string, text: string, line: string][] = [
    ['plain text', 'npx -y server --root "a b"', 'npx -y server --root "a b"'],
    ['line breaks', 'a\nTrust it? y\r', 'a\\nTrust it? y\\r'],
    ['escape sequences', '\u001b[2J\u001b]52;c;eA==\u0007', '\\x1b[2J\\x1b]52;c;eA==\\x07'],
    ['single-byte controls', '\u009b31m', '\\x9b31m'],
    ['text that is turned around', 'a\u202egnp.exe', 'a\\u{202e}gnp.exe'],
    ['what has no width', 'a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
    ['blanks that are no spaces', 'a\u00a0b\u3000c\u2800d\u3164e', 'a\\u{a0}b\\u{3000}c\\u{2800}d\\u{3164}e'],
    ['padding', `a${' '.repeat(70)}[y]es`, 'a\\x20{70}[y]es'],
    ['a long text', 'x'.repeat(505), `${'x'.repeat(500)} (and 5 more characters, not shown)`],
  ]
  it.each(shown)('%s', (_, text, line) => {
    expect(visible(text)).toBe(line)
  })

  it('is one line, whatever it is, with nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?! )\p{Zs}| {4}/u)
      }),
    )
  })
})
