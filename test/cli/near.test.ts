import { expect, it } from 'vitest'
import { didYouMean } from '../../src/cli/near.ts'

it.each([
  ['modle', ' Did you mean model?'],
  ['mode', ' Did you mean model?'],
  ['outptu', ' Did you mean output?'],
  ['max-turn', ' Did you mean max-turns?'],
  ['frobnicate', ''],
  ['', ''],
  ['x', ''],
  ['x'.repeat(1000), ''],
])('%s →%s', (given, said) => expect(didYouMean(given, ['model', 'output', 'max-turns', 'print'])).toBe(said))

it('says nothing when there is nothing to choose from', () => expect(didYouMean('model', [])).toBe(''))
