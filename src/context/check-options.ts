import { InputError } from '../errors.ts'
import { describe } from '../messages/stored.ts'
import { isObject } from '../util/json.ts'
import { didYouMean } from '../util/text.ts'

/** What an option must be, in words, and how to tell. */
export type Rule = readonly [expected: string, holds: (value: unknown) => boolean]

export const wholeFrom = (least: number, what: string): Rule => [
  `a whole number of ${what}, at least ${least}`,
  (value) => Number.isInteger(value) && (value as number) >= least,
]
export const fraction: Rule = [
  'a fraction of the context window between 0.1 and 1, such as 0.8',
  (value) => typeof value === 'number' && value >= 0.1 && value <= 1,
]

/** @throws {InputError} that names the option, what was expected and what came. */
export function checkOptions(maker: string, options: unknown, rules: { readonly [name: string]: Rule }): void {
  if (!isObject(options)) throw new InputError(`${maker}() takes an object of options or nothing, got ${describe(options)}.`)
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule)
      throw new InputError(
        `${maker}() has no option "${name}".${didYouMean(name, Object.keys(rules))} It has ${Object.keys(rules).join(', ')}.`,
      )
    if (value !== undefined && !rule[1](value)) throw new InputError(`${maker}({ ${name} }): expected ${rule[0]}, got ${describe(value)}.`)
  }
}
