import { InputError } from '../../errors.ts'
import { describe } from '../../util/describe.ts'
import { isObject } from '../../util/json.ts'
import { checkModelPrices } from './check-prices.ts'
import type { Usage } from '../../messages/usage.ts'

/** What tokens cost, in US dollars per million. */
export type TokenPrices = {
  readonly input: number
  readonly output: number
  /** Default: as `input`. */
  readonly cacheRead?: number | undefined
  /** Of the shortest cache that the provider sells. Default: as `input`. */
  readonly cacheWrite?: number | undefined
}

/** What a model costs. */
export type ModelPrices = TokenPrices & {
  /** What all tokens of a request cost whose input is longer than `above` tokens. Default: as any other. */
  readonly longPrompt?: (TokenPrices & { readonly above: number }) | undefined
}

/** Prices by the names of models, `provider/model`. A name without a provider stands for the model of any. */
export type PriceTable = Readonly<Record<string, ModelPrices>>

/**
 * What a request cost, in US dollars.
 *
 * @param usage of one request: whether its prompt was a long one shows in no sum.
 */
export function costOf(usage: Usage, prices: ModelPrices): number {
  if (!isObject(usage) || typeof usage['inputTokens'] !== 'number')
    throw new InputError(`costOf(usage, prices): expected a usage { inputTokens, outputTokens }, got ${describe(usage)}.`)
  checkModelPrices(prices, 'costOf(usage, prices)')
  const { longPrompt } = prices
  const { input, output, cacheRead = input, cacheWrite = input } = longPrompt && usage.inputTokens > longPrompt.above ? longPrompt : prices
  const { inputTokens, outputTokens, cacheReadTokens: read = 0, cacheWriteTokens: written = 0 } = usage
  // Input counts what was cached too.
  const fresh = Math.max(0, inputTokens - read - written)
  return (fresh * input + read * cacheRead + written * cacheWrite + outputTokens * output) / 1_000_000
}
