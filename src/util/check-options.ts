import { InputError } from '../errors.ts'
import { describe } from './describe.ts'
import { isObject } from './json.ts'
import { didYouMean } from './text.ts'

/** What an option must be, in words, and how to tell. */
export type Rule = readonly [expected: string, holds: (value: unknown) => boolean]
/** A rule for each option there is: one that is new is missed by the compiler. */
export type RulesOf<Options> = { readonly [Name in keyof Required<Options>]: Rule }

export const anything: Rule = ['anything', () => true]
export const aText: Rule = ['a text', (value) => typeof value === 'string']
export const aFilledText: Rule = ['a text that is not empty', (value) => typeof value === 'string' && value.trim() !== '']
export const aBoolean: Rule = ['true or false', (value) => typeof value === 'boolean']
export const aFunction: Rule = ['a function', (value) => typeof value === 'function']
export const anObject: Rule = ['an object', (value) => isOptions(value)]
export const texts: Rule = ['a list of texts', (value) => Array.isArray(value) && value.every((each) => typeof each === 'string')]
export const aNumber: Rule = ['a number', (value) => typeof value === 'number' && Number.isFinite(value)]
/** `Infinity` is one: it says that there is no bound. */
export const aBound: Rule = ['a number above 0', (value) => typeof value === 'number' && value > 0]
export const milliseconds: Rule = ['a number of milliseconds, 0 or more', (value) => typeof value === 'number' && value >= 0]
export const textsByName: Rule = [
  'an object with a text for each name',
  (value) => isOptions(value) && Object.values(value).every((each) => each === undefined || typeof each === 'string'),
]
export const anAddress: Rule = [
  'a URL such as "https://example.com"',
  (value) => (typeof value === 'string' || value instanceof URL) && URL.canParse(value),
]
export const aSignal: Rule = [
  'an AbortSignal (from an AbortController, or AbortSignal.timeout(ms))',
  (value) => isObject(value) && typeof value['aborted'] === 'boolean' && typeof value['addEventListener'] === 'function',
]

export const wholeFrom = (least: number, what?: string): Rule => [
  `a whole number${what === undefined ? '' : ` of ${what}`}, at least ${least}`,
  (value) => Number.isInteger(value) && (value as number) >= least,
]
export const fraction: Rule = [
  'a fraction of the context window between 0.1 and 1, such as 0.8',
  (value) => typeof value === 'number' && value >= 0.1 && value <= 1,
]
export const oneOf = (...values: readonly unknown[]): Rule => [
  values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value))).join(' or '),
  (value) => values.includes(value),
]
/** A port: an object, or a function, with these methods. */
export const having = (what: string, ...methods: readonly string[]): Rule => [
  `${what} with ${methods.map((name) => `${name}()`).join(', ')}`,
  (value) =>
    (isObject(value) || typeof value === 'function') &&
    methods.every((name) => typeof (value as { readonly [name: string]: unknown })[name] === 'function'),
]
export const either = (...rules: readonly Rule[]): Rule => [
  rules.map(([expected]) => expected).join(', or '),
  (value) => rules.some(([, holds]) => holds(value)),
]

export const aClock: Rule = having('a clock', 'now', 'sleep')

/** Options are named one by one: what is none of that, a promise above all, would be taken for an object without any. */
export const isOptions = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && typeof value['then'] !== 'function' && !(value instanceof Date)

/**
 * @param maker whose options they are, as the user calls it: `slidingWindow`, or `toolkit({ sandbox })`.
 * @throws {InputError} that names the option, what was expected and what came.
 */
export function checkOptions(maker: string, options: unknown, rules: { readonly [name: string]: Rule }): void {
  const called = maker.endsWith(')') ? maker : `${maker}()`
  if (!isOptions(options)) throw new InputError(`${called} takes an object of options or nothing, got ${describe(options)}.`)
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule) {
      // What is not given is not given, whatever its name.
      if (value === undefined) continue
      throw new InputError(
        `${called} has no option "${name}".${didYouMean(name, Object.keys(rules))} It has ${Object.keys(rules).join(', ')}.`,
      )
    }
    if (value !== undefined && !rule[1](value))
      throw new InputError(`${placeOf(maker, name)}: expected ${rule[0]}, got ${describe(value)}.`)
  }
}

/** `toolkit` → `toolkit({ env })`, `toolkit({ web })` → `toolkit({ web.search })`. */
const placeOf = (maker: string, name: string): string =>
  maker.endsWith(' })')
    ? `${maker.slice(0, -3)}.${name} })`
    : `${maker.endsWith(')') ? maker.slice(0, maker.indexOf('(')) : maker}({ ${name} })`
