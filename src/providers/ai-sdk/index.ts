import type { Model } from '../../models/model.ts'
import { settingRules } from '../../models/setting-rules.ts'
import { aBoolean, aFilledText, anObject, checkOptions, oneOf, textsByName } from '../../util/check-options.ts'
import type { RulesOf } from '../../util/check-options.ts'
import { abilities, timeRules } from '../wire/option-rules.ts'
import { AdaptedModel } from './adapted-model.ts'
import type { AiSdkOptions } from './options.ts'
import type { AiSdkLanguageModel } from './spec.ts'

const rules: RulesOf<AiSdkOptions> = {
  ...settingRules,
  ...timeRules,
  provider: aFilledText,
  providerOptions: anObject,
  headers: textsByName,
  abilities,
  mediaInResults: aBoolean,
  toolInput: oneOf('streamed', 'whole'),
}

export type { AiSdkOptions } from './options.ts'
export type { AiSdkLanguageModel } from './spec.ts'

/**
 * A language model of the AI SDK, of any of its providers. Models of the specifications v4 and v3 are taken; no package of
 * the AI SDK is needed beside the provider's own.
 *
 * ```ts
 * import { mistral } from '@ai-sdk/mistral'
 * const model = aiSdk(mistral('mistral-large-latest'), { temperature: 0 })
 * ```
 *
 * Its provider is called `ai-sdk.` and the AI SDK's own name of it, such as `ai-sdk.mistral.chat`. What the provider says of
 * a text, a thought or a call (signatures, ids) is kept under that name, and goes back to it alone.
 *
 * @throws {InputError} when it is no such model.
 */
export function aiSdk(model: AiSdkLanguageModel, options: AiSdkOptions = {}): Model {
  checkOptions('aiSdk', options, rules)
  return new AdaptedModel(model, options)
}
