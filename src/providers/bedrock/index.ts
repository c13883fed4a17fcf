import type { Model } from '../../models/model.ts'
import { aFunction, anObject, anything, checkOptions, having } from '../../util/check-options.ts'
import type { RulesOf } from '../../util/check-options.ts'
import { httpRules } from '../wire/option-rules.ts'
import { ConverseModel } from './converse-model.ts'
import type { BedrockOptions } from './options.ts'

const { headers: _none, baseURL: _endpoint, ...common } = httpRules
const rules: RulesOf<BedrockOptions> = {
  ...common,
  // Looked at below, with what they say of each other.
  region: anything,
  profile: anything,
  apiKey: anything,
  endpoint: anything,
  baseModel: anything,
  credentials: ['an object with keys of AWS, or a function that gives one', (value) => anObject[1](value) || aFunction[1](value)],
  client: having('a client of @aws-sdk/client-bedrock-runtime', 'send'),
  guardrail: anObject,
}

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
  checkOptions('bedrock', options, rules)
  return new ConverseModel(id, options)
}
