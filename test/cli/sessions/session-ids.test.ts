import { describe, expect, it } from 'vitest'
import { idThatBegins, newSessionId } from '../../../src/cli/sessions/session-ids.ts'
import { parseCommand } from '../../../src/cli/args.ts'
import { fc } from '../../support/fast-check.ts'

describe('newSessionId', () => {
  it('can be typed, begins with a digit, and is what --resume takes for an id', () => {
    for (let i = 0; i < 200; i++) {
      const id = newSessionId(new Set())
      expect(id).toMatch(/^[2-9][a-hjkmnp-z2-9]{5}$/)
      expect(parseCommand(['--resume', id.slice(0, 1 + (i % 6))])).toMatchObject({
        words: [],
        options: { resume: id.slice(0, 1 + (i % 6)) },
      })
    }
  })
  it('is none that is taken', () => {
    const draws = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    expect(newSessionId(new Set(['2aaaaa']), () => draws.shift()!)).toBe('3aaaaa')
  })
})

it('a beginning names the one session that begins so, and else none', () => {
  const ids = fc.uniqueArray(fc.stringMatching(/^[23][ab]{1,4}$/), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(ids, fc.nat(), fc.nat({ max: 6 }), (all, place, length) => {
      const id = all[place % all.length]!
      const beginning = id.slice(0, length)
      const fitting = all.filter((each) => each.startsWith(beginning))
      if (beginning !== '' && (fitting.length === 1 || all.includes(beginning)))
        expect(idThatBegins(beginning, all, '')).toBe(all.includes(beginning) ? beginning : id)
      else expect(() => idThatBegins(beginning, all, '')).toThrow(/There is no session|is the beginning of \d+ sessions/)
    }),
  )
})
