import { InputError } from '../errors.ts'
import { describe } from '../util/describe.ts'
import { knownModels } from './catalogue/models.ts'
import type { ModelPrices, PriceTable } from './catalogue/prices.ts'
import type { ModelAbilities } from './model.ts'

/** What is known of a model. Each field may be missing: what is not known is not guessed. */
export type ModelInfo = {
  /** Tokens that a request and its answer may have together. */
  readonly contextWindow?: number | undefined
  /** Tokens that an answer may have. */
  readonly maxOutputTokens?: number | undefined
  readonly prices?: ModelPrices | undefined
  readonly abilities?: Partial<ModelAbilities> | undefined
  /** Can it think before it answers? */
  readonly thinking?: boolean | undefined
  /** The month for which this holds, `2026-11`. */
  readonly asOf?: string | undefined
  /** The page to check it against. */
  readonly source?: string | undefined
}

/** Facts of one's own, by the names of models, `provider/model`. A name without a provider stands for the model of any. */
export type ModelCatalogue = Readonly<Record<string, ModelInfo>>

/**
 * What is known of a model; nothing for most of them, which work all the same.
 *
 * Its name is looked for as it is, then as a dated version of a known one (`claude-haiku-4-5-20251001`), then as a relative
 * whose name begins with a known one (`gpt-5.4-mini-fast`): that has the same limits and abilities, but prices of its own, which
 * are left out. So they are of a model that is reached through OpenRouter.
 *
 * ```ts
 * modelInfo('anthropic/claude-sonnet-5-5')?.contextWindow   // 1000000
 * modelInfo('ollama/qwen3:8b', { 'ollama/qwen3': { contextWindow: 40_960 } })
 * ```
 *
 * @param name `provider/model`, or a model's id alone.
 * @param own adds to what is built in, and wins over it, field by field.
 */
export function modelInfo(name: string, own: ModelCatalogue = {}): ModelInfo | undefined {
  checkName('modelInfo', name)
  const theirs = lookUp(knownModels, name, unpriced)
  const ours = lookUp(own, name, unpriced)
  if (!theirs || !ours) return ours ?? theirs
  return { ...theirs, ...ours, ...((theirs.abilities ?? ours.abilities) && { abilities: { ...theirs.abilities, ...ours.abilities } }) }
}

/**
 * What a model costs; nothing where that is not known.
 *
 * @param own prices that win over those built in, model by model.
 */
export function pricesOf(name: string, own: PriceTable = {}): ModelPrices | undefined {
  checkName('pricesOf', name)
  return lookUp(own, name, () => undefined) ?? modelInfo(name)?.prices
}

function checkName(asked: string, name: unknown): void {
  if (typeof name !== 'string')
    throw new InputError(`${asked}(): expected the name of a model, such as "openai/gpt-5.4", got ${describe(name)}.`)
}

/** Known models whose id, without the provider, is this one. */
export const modelsCalled = (id: string): readonly string[] => Object.keys(knownModels).filter((name) => idOf(name) === id)

function unpriced(info: ModelInfo): ModelInfo {
  const { prices: _prices, ...rest } = info
  return rest
}

/** What is behind the name of a version: a date, a number of three digits, or that it is the newest. */
const version = /^[-@:](preview-)?(\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{3}|latest)$/
/** Behind a relative's name. A number that follows makes another generation of it, except in a tag. */
const relation = /^([-@]\D|:)/

/** The entry whose name is the longest that fits. `relate` gives what it tells of a relative. */
function lookUp<T>(entries: Readonly<Record<string, T>>, name: string, relate: (entry: T) => T | undefined): T | undefined {
  let best: { readonly length: number; readonly value: T | undefined } | undefined
  for (const [key, entry] of Object.entries(entries)) {
    for (const { full, sameSeller } of formsOf(name, key)) {
      const known = plain(key.includes('/') && !full.includes('/') ? idOf(key) : key)
      const wanted = plain(full)
      if (!wanted.startsWith(known) || (best && best.length >= known.length)) continue
      const rest = wanted.slice(known.length)
      if (rest === '' || version.test(rest)) best = { length: known.length, value: sameSeller ? entry : relate(entry) }
      else if (relation.test(rest)) best = { length: known.length, value: relate(entry) }
    }
  }
  return best?.value
}

/** How a name may be compared with a key: a key without a provider with the id, and OpenRouter's models as their makers'. */
function* formsOf(name: string, key: string): Generator<{ readonly full: string; readonly sameSeller: boolean }> {
  if (!key.includes('/')) return yield { full: idOf(name), sameSeller: true }
  yield { full: name, sameSeller: true }
  if (name.startsWith('openrouter/')) yield { full: idOf(name), sameSeller: false }
}

const idOf = (name: string): string => name.slice(name.indexOf('/') + 1)

/** OpenRouter writes the versions of Claude with a dot. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/(?<=\d)\.(?=\d)/g, '-')
