import { aBoolean, aFilledText, anything } from '../../util/check-options.ts'
import type { RulesOf } from '../../util/check-options.ts'
import { abilities, httpRules } from '../wire/option-rules.ts'
import type { OpenAIOptions } from './options.ts'

/** `api` says itself what it must be. */
export const openAIRules: RulesOf<OpenAIOptions & { readonly api?: unknown }> = {
  ...httpRules,
  provider: aFilledText,
  abilities,
  returnsReasoning: aBoolean,
  api: anything,
}
