import { expect, it } from 'vitest'
import { aBound, aText, checkOptions, either, having, oneOf, texts } from '../../src/util/check-options.ts'

const rules = {
  name: aText,
  size: aBound,
  mode: oneOf('fast', 'slow', false),
  store: having('a store', 'load', 'save'),
  only: either(aText, texts),
}
const said = (options: unknown, maker = 'make'): string => {
  try {
    checkOptions(maker, options, rules)
    return 'nothing'
  } catch (error) {
    return String(error)
  }
}

it.each([
  [{}, 'nothing'],
  [
    { name: 'a', size: Infinity, mode: false, store: new Map() },
    'InputError: make({ store }): expected a store with load(), save(), got an object.',
  ],
  [{ name: undefined, other: undefined }, 'nothing'],
  [{ nme: 'a' }, 'InputError: make() has no option "nme". Did you mean "name"? It has name, size, mode, store, only.'],
  [{ size: 0 }, 'InputError: make({ size }): expected a number above 0, got 0.'],
  [{ mode: 'quick' }, 'InputError: make({ mode }): expected "fast" or "slow" or false, got "quick".'],
  [{ only: [1] }, 'InputError: make({ only }): expected a text, or a list of texts, got an array.'],
  [Promise.resolve({}), 'InputError: make() takes an object of options or nothing, got a promise.'],
  [new Date(0), 'InputError: make() takes an object of options or nothing, got a Date.'],
  [
    class Options {
      name = 'a'
    },
    'InputError: make() takes an object of options or nothing, got the class Options.',
  ],
  [{ toString: 1 }, 'InputError: make() has no option "toString". It has name, size, mode, store, only.'],
])('%j', (options, message) => {
  expect(said(options)).toBe(message)
})

it('names an option within an option', () => {
  expect(said({ size: '1' }, 'make({ box })')).toBe('InputError: make({ box.size }): expected a number above 0, got "1".')
  expect(said({ sise: 1 }, 'make({ box })')).toContain('make({ box }) has no option "sise". Did you mean "size"?')
})
