import type { Model } from '../../models/model.ts'
import { MessagesModel } from './messages-model.ts'
import type { AnthropicOptions } from './options.ts'

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
  return new MessagesModel(id, options)
}
