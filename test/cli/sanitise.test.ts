import { fc } from '../support/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { controlFilter, safeJson, showControls, withoutControls } from '../../src/cli/sanitise.ts'

const esc = '\u001b'

describe('withoutControls', () => {
  it.each<[string, string, string]>([
    ['plain text', 'a\n\tb ü 😀', 'a\n\tb ü 😀'],
    ['colours', `a${esc}[31;1mred${esc}[0mb`, 'aredb'],
    ['a single-byte CSI', 'a\u009b2Jb', 'ab'],
    ['a title', `a${esc}]0;evil\u0007b`, 'ab'],
    ['a link', `${esc}]8;;http://evil.example${esc}\\text${esc}]8;;${esc}\\`, 'text'],
    ['a write to the clipboard', `a${esc}]52;c;cm0gLXJm\u0007b`, 'ab'],
    ['a device string', `a${esc}P1$r0m${esc}\\b`, 'ab'],
    ['a single-byte OSC and its end', 'a\u009d0;evil\u009cb', 'ab'],
    ['a character set', `a${esc}(0b`, 'ab'],
    ['a reset', `a${esc}cb`, 'ab'],
    ['carriage return, backspace and bell', 'a\rb\bc\u0007d', 'abcd'],
    ['Windows line ends', 'a\r\nb', 'a\nb'],
    ['DEL and other C1', 'a\u007fb\u0085c', 'abc'],
    ['overrides of the direction', 'a\u202eb\u2066c', 'abc'],
    ['an open sequence at the end', `a${esc}[31`, 'a'],
    ['an open title ends with its line', `a${esc}]0;evil\nb`, 'a\nb'],
    ['a sequence that breaks off', `a${esc}[3ü1`, 'aü1'],
    ['a sequence in a sequence', `a${esc}[3${esc}[1mb`, 'ab'],
    ['an escape that ends a string and begins a sequence', `a${esc}]0;x${esc}[1mb`, 'ab'],
    ['half a character at the end', 'a\ud83d', 'a\ud83d'],
  ])('%s', (_, text, clean) => expect(withoutControls(text)).toBe(clean))

  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(esc, '[', ']', '\u009b', '\u009d', '0;', 'm', '\u0007', '\\', '\n', '\r', '😀', 'text'),
  )
  const text = fc.array(piece).map((pieces) => pieces.join(''))

  it('leaves nothing that steers a terminal, and keeps every line', () => {
    fc.assert(
      fc.property(text, (given) => {
        const clean = withoutControls(given)
        // oxlint-disable-next-line no-control-regex
        expect(clean).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        expect(clean.split('\n')).toHaveLength(given.split('\n').length)
      }),
    )
  })

  it('gives the same wherever the text is cut into pieces', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(60)), (given, cuts) => {
        const filter = controlFilter()
        const at = [0, ...cuts.map((cut) => Math.min(cut, given.length)).sort((a, b) => a - b), given.length]
        let all = ''
        for (let i = 1; i < at.length; i++) {
          const pushed = filter.push(given.slice(at[i - 1], at[i]))
          // Half a character is never handed on while its other half may come.
          expect(pushed).not.toMatch(/[\ud800-\udbff]$/)
          all += pushed
        }
        expect(all + filter.end()).toBe(withoutControls(given))
      }),
    )
  })
})

describe('showControls', () => {
  it.each<[string, string, string]>([
    ['plain text', 'a ü 😀', 'a ü 😀'],
    ['line ends', 'a\nb\r\n\tc', 'a\\nb\\r\\n\\tc'],
    ['an escape sequence', `rm${esc}[8m -rf`, 'rm\\x1b[8m -rf'],
    ['C1', 'a\u009bb', 'a\\x9bb'],
    ['what is not seen', 'a\u202eb\u200bc\ufeffd\u2028e', 'a\\u{202e}b\\u{200b}c\\u{feff}d\\u{2028}e'],
    ['half a character', 'a\ud83db', 'a\\u{d83d}b'],
  ])('%s', (_, text, shown) => expect(showControls(text)).toBe(shown))

  it('keeps what it is told to', () => expect(showControls('a\n\tb\r', '\n\t')).toBe('a\n\tb\\r'))
})

describe('safeJson', () => {
  it('is the same value, in characters that steer nothing', () => {
    const value = { text: `${esc}[0m\u009b\u007f\u202e\u2028ü😀` }
    expect(safeJson(value)).toBe('{"text":"\\u001b[0m\\u009b\\u007f\\u202e\\u2028ü😀"}')
    expect(JSON.parse(safeJson(value))).toEqual(value)
  })
})
