import { InputError } from '../../errors.ts'
import { checkOptions } from '../../util/check-options.ts'
import type { RulesOf } from '../../util/check-options.ts'
import { describe } from '../../util/describe.ts'
import type { Model } from '../../models/model.ts'
import { ChatModel } from './chat-model.ts'
import type { OpenAIOptions as CommonOptions } from './options.ts'
import { defaultBaseURL, keyVariable } from './options.ts'
import { openAIRules } from './option-rules.ts'
import { CompatibleModel } from './presets/compatible-model.ts'
import { ResponsesModel } from './responses/responses-model.ts'

export { compatible, presets } from './presets/index.ts'
export type { CompatibleOptions, Preset, PresetName } from './presets/index.ts'

export type OpenAIOptions = CommonOptions & {
  /**
   * The API to speak. Default: `responses` with OpenAI itself, `chat` (Chat Completions) with a `baseURL`, as most other
   * servers know only that. Responses has no stop sequences.
   */
  readonly api?: 'responses' | 'chat' | undefined
}

const rules: RulesOf<OpenAIOptions> = openAIRules

/**
 * A model of OpenAI, or of any server that speaks its APIs.
 *
 * ```ts
 * const model = openai('gpt-5.2', { thinking: { effort: 'low' } })
 * const local = openai('qwen3', { baseURL: 'http://localhost:11434/v1', provider: 'ollama' })
 * ```
 *
 * @param id the model's name, as the server knows it.
 * @throws {InputError} when the name or an option is not what it must be. A missing key is told when the model is first used.
 */
export function openai(id: string, options: OpenAIOptions = {}): Model {
  checkOptions('openai', options, rules)
  const { baseURL = defaultBaseURL, provider = 'openai', api = options.baseURL === undefined ? 'responses' : 'chat' } = options
  if (api === 'chat' && !options.returnsReasoning) return new ChatModel(id, options)
  if (api !== 'responses' && api !== 'chat') throw new InputError(`openai({ api }): expected "responses" or "chat", got ${describe(api)}.`)
  if (typeof id !== 'string' || id === '')
    throw new InputError(`openai(): expected the name of a model, such as "gpt-5.2", got ${describe(id)}.`)
  if (!URL.canParse(baseURL))
    throw new InputError(`openai({ baseURL }): expected a URL such as "${defaultBaseURL}", got ${describe(baseURL)}.`)
  // The variable is OpenAI's own: its key is sent to no other server.
  const isOwn = baseURL.replace(/\/+$/, '') === defaultBaseURL
  const service = { provider, url: baseURL, ...(isOwn && !options.apiKey && { variable: keyVariable }) }
  return api === 'chat' ? new CompatibleModel(id, options, service, { returnsReasoning: true }) : new ResponsesModel(id, options, service)
}
