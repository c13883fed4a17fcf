import type { Model } from '../../models/model.ts'
import { ConverseModel } from './converse-model.ts'
import type { BedrockOptions } from './options.ts'

export type { BedrockOptions, GuardrailOptions } from './options.ts'

/**
 * A model on Amazon Bedrock, by whoever made it. Needs the package `@aws-sdk/client-bedrock-runtime`, which is loaded when the
 * model is first used.
 *
 * ```ts
 * const model = bedrock('us.anthropic.claude-sonnet-4-6', { region: 'us-east-1', thinking: { effort: 'medium' } })
 * ```
 *
 * @param id the model's id, or the id or ARN of an inference profile.
 * @throws {InputError} when the id or an option is not what it must be. A missing package and missing credentials are told when
 *   the model is first used.
 */
export function bedrock(id: string, options: BedrockOptions = {}): Model {
  return new ConverseModel(id, options)
}
