import { InputError } from '../../errors.ts'
import { isOptions } from '../../util/check-options.ts'
import { describe } from '../../util/describe.ts'
import type { ModelPrices } from './prices.ts'

const isPrice = (value: unknown): boolean => typeof value === 'number' && value >= 0 && Number.isFinite(value)

/** @throws {InputError} for what is no table of prices: a slip in one would count nothing. */
export function checkPrices(table: unknown): void {
  if (!isOptions(table))
    throw new InputError(`prices of a budget: expected an object such as { 'acme/a-1': { input: 3, output: 15 } }, got ${describe(table)}.`)
  for (const [name, prices] of Object.entries(table)) if (prices !== undefined) checkModelPrices(prices, `prices["${name}"]`)
}

/** @throws {InputError} */
export function checkModelPrices(prices: unknown, place: string): asserts prices is ModelPrices {
  if (!isOptions(prices) || !isPrice(prices['input']) || !isPrice(prices['output']))
    throw new InputError(
      `${place}: expected dollars for a million tokens, such as { input: 3, output: 15 }, got ${isOptions(prices) ? JSON.stringify(prices) : describe(prices)}.`,
    )
}
