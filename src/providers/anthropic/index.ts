import type { Model } from '../../models/model.ts'
import { checkOptions, texts } from '../../util/check-options.ts'
import type { RulesOf } from '../../util/check-options.ts'
import { httpRules } from '../wire/option-rules.ts'
import { MessagesModel } from './messages-model.ts'
import type { AnthropicOptions } from './options.ts'

const rules: RulesOf<AnthropicOptions> = { ...httpRules, betas: texts }

export type { AnthropicOptions } from './options.ts'

/**
 * A model of Anthropic, or of any server that speaks the Messages API.
 *
 * ```ts
 * const model = anthropic('claude-sonnet-4-6', { thinking: { effort: 'medium' } })
 * ```
 *
 * @param id the model's name, as the server knows it.
 * @throws {InputError} when the name or an option is not what it must be. A missing key is told when the model is first used.
 */
export function anthropic(id: string, options: AnthropicOptions = {}): Model {
  checkOptions('anthropic', options, rules)
  return new MessagesModel(id, options)
}
