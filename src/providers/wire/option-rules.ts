import { settingRules } from '../../models/setting-rules.ts'
import { aBoolean, aBound, aClock, aFunction, aText, anObject, anything, oneOf, textsByName, wholeFrom } from '../../util/check-options.ts'
import type { Rule, RulesOf } from '../../util/check-options.ts'
import { isOptions } from '../../util/check-options.ts'
import type { ModelAbilities, ModelSettings } from '../../models/model.ts'
import type { Clock } from '../../util/clock.ts'
import type { JsonObject } from '../../util/json.ts'

/** What the options of all providers that speak HTTP have in common. */
type Common = ModelSettings & {
  readonly apiKey?: string | undefined
  readonly baseURL?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly body?: JsonObject | undefined
  readonly headersTimeoutMs?: number | undefined
  readonly idleTimeoutMs?: number | undefined
  readonly contextWindow?: number | undefined
  readonly clock?: Clock | undefined
}

const milliseconds: Rule = ['a number of milliseconds above 0', aBound[1]]
const abilityRules: RulesOf<ModelAbilities> = { output: oneOf('native', 'forced_tool', 'prompt'), images: aBoolean, documents: aBoolean }

export const abilities: Rule = [
  'an object such as { output: "forced_tool", images: false }',
  (value) =>
    isOptions(value) &&
    Object.entries(value).every(
      ([name, of]) => of === undefined || (Object.hasOwn(abilityRules, name) && abilityRules[name as keyof ModelAbilities][1](of)),
    ),
]
/** As the catalogue has it: 0 is what a server says that does not know. */
const contextWindow = wholeFrom(0, 'tokens')

export const timeRules = { headersTimeoutMs: milliseconds, idleTimeoutMs: milliseconds, contextWindow, clock: aClock } as const

export const httpRules: RulesOf<Common> = {
  ...settingRules,
  ...timeRules,
  apiKey: aText,
  // Says itself what it must be.
  baseURL: anything,
  headers: textsByName,
  fetch: aFunction,
  body: anObject,
}
