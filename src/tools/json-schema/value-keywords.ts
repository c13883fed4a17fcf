import { isObject } from '../../util/json.ts'
import { isMultiple, keyOf, namesOf } from './equality.ts'
import { listed, typesOf } from './in-words.ts'
import { patternOf } from './pattern.ts'
import type { Keyword } from './run.ts'

/** `type`, values, and the bounds of numbers and texts: keywords that look at the value as a whole. */
export const valueKeywords: Readonly<Record<string, Keyword>> = {
  type: (run, expected: unknown, check) => {
    const types: readonly unknown[] = Array.isArray(expected) ? expected : [expected]
    return types.some((type) => isOfType(check.value, type)) || run.fault(check, () => `expected ${typesOf(expected)}`)
  },
  enum: (run, options: unknown, check) =>
    !Array.isArray(options) ||
    options.some((option) => isEqual(option, check.value)) ||
    run.fault(check, () => `expected one of ${listed(options, ', ')}`),
  const: (run, expected: unknown, check) =>
    isEqual(expected, check.value) || run.fault(check, () => `expected ${JSON.stringify(expected)}`),

  minimum: (run, bound: unknown, check) => {
    if (typeof check.value !== 'number' || typeof bound !== 'number') return true
    if (check.schema['exclusiveMinimum'] === true)
      return check.value > bound || run.fault(check, () => `expected a number greater than ${bound}`)
    return check.value >= bound || run.fault(check, () => `expected a number of at least ${bound}`)
  },
  maximum: (run, bound: unknown, check) => {
    if (typeof check.value !== 'number' || typeof bound !== 'number') return true
    if (check.schema['exclusiveMaximum'] === true)
      return check.value < bound || run.fault(check, () => `expected a number less than ${bound}`)
    return check.value <= bound || run.fault(check, () => `expected a number of at most ${bound}`)
  },
  exclusiveMinimum: (run, bound: unknown, check) =>
    typeof check.value !== 'number' ||
    typeof bound !== 'number' ||
    check.value > bound ||
    run.fault(check, () => `expected a number greater than ${bound}`),
  exclusiveMaximum: (run, bound: unknown, check) =>
    typeof check.value !== 'number' ||
    typeof bound !== 'number' ||
    check.value < bound ||
    run.fault(check, () => `expected a number less than ${bound}`),
  multipleOf: (run, divisor: unknown, check) =>
    typeof check.value !== 'number' ||
    typeof divisor !== 'number' ||
    !Number.isFinite(check.value) ||
    isMultiple(check.value, divisor) ||
    run.fault(check, () => `expected a multiple of ${divisor}`),

  minLength: (run, bound: unknown, check) =>
    typeof check.value !== 'string' ||
    typeof bound !== 'number' ||
    lengthOf(check.value) >= bound ||
    run.fault(check, () => `expected at least ${counted(bound, 'character')}`),
  maxLength: (run, bound: unknown, check) =>
    typeof check.value !== 'string' ||
    typeof bound !== 'number' ||
    lengthOf(check.value) <= bound ||
    run.fault(check, () => `expected at most ${counted(bound, 'character')}`),
  pattern: (run, pattern: unknown, check) =>
    typeof check.value !== 'string' ||
    typeof pattern !== 'string' ||
    patternOf(pattern).test(check.value) ||
    run.fault(check, () => `expected a match of the pattern ${pattern}`),
}

const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null && keyOf(a) === keyOf(b))

/** Code points, not UTF-16 units. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

/** How many keys a JSON object has. */
export const sizeOf = (value: Record<string, unknown>): number => namesOf(value).length
