import { isObject } from '../../util/json.ts'

/** One text for one JSON value: equal values have equal texts, whatever the order of their keys. */
export function keyOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const entries = namesOf(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${keyOf(value[name])}`)
  return `{${entries.join(',')}}`
}

/** The keys that JSON would carry. */
export const namesOf = (value: Record<string, unknown>): string[] => Object.keys(value).filter((name) => value[name] !== undefined)

/** Exactly, by their decimal digits: 0.3 is a multiple of 0.1, which no remainder of floating-point numbers would say. */
export function isMultiple(value: number, divisor: number): boolean {
  if (divisor === 0) return false
  const [a, b] = [decimalOf(value), decimalOf(divisor)]
  const exponent = Math.min(a.exponent, b.exponent)
  const scaled = ({ digits, exponent: own }: Decimal): bigint => digits * 10n ** BigInt(own - exponent)
  return scaled(a) % scaled(b) === 0n
}

type Decimal = { readonly digits: bigint; readonly exponent: number }

function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}
