import { InputError } from '../../../errors.ts'
import type { Model } from '../../../models/model.ts'
import { aFilledText, checkOptions } from '../../../util/check-options.ts'
import type { RulesOf } from '../../../util/check-options.ts'
import { describe } from '../../../util/describe.ts'
import { didYouMean } from '../../../util/text.ts'
import { openAIRules } from '../option-rules.ts'
import type { OpenAIOptions } from '../options.ts'
import type { Service } from '../service.ts'
import { ResponsesModel } from '../responses/responses-model.ts'
import { azureBaseURL } from './azure.ts'
import type { AzurePlace } from './azure.ts'
import { CompatibleModel } from './compatible-model.ts'
import type { PresetName } from './table.ts'
import { presets } from './table.ts'

export type { Preset, PresetName } from './table.ts'
export { presets } from './table.ts'

export type CompatibleOptions = OpenAIOptions &
  AzurePlace & {
    /** The API to speak. Default `chat`, which all servers know; some know `responses` too. */
    readonly api?: 'chat' | 'responses' | undefined
  }

const rules: RulesOf<CompatibleOptions> = { ...openAIRules, resource: aFilledText, apiVersion: aFilledText }

/**
 * A model of a server that speaks OpenAI's API, known by its name: address, variable of the key and what is special there.
 * The name is also the provider's, under which its ids are kept in messages.
 *
 * ```ts
 * const model = compatible('ollama', 'qwen3')
 * const azure = compatible('azure', 'my-deployment', { resource: 'my-resource' })
 * ```
 *
 * @param preset one of `presets`.
 * @param id the model's name, as the server knows it.
 * @throws {InputError} when a name or an option is not what it must be. A missing key is told when the model is first used.
 */
export function compatible(preset: PresetName, id: string, options: CompatibleOptions = {}): Model {
  if (!Object.hasOwn(presets, preset)) {
    const known = Object.keys(presets)
    throw new InputError(
      `compatible(): there is no preset ${describe(preset)}.${typeof preset === 'string' ? didYouMean(preset, known) : ''} Use one of ${known.join(', ')}; or openai(id, { baseURL }).`,
    )
  }
  checkOptions('compatible', options, rules)
  if (typeof id !== 'string' || id === '')
    throw new InputError(`compatible("${preset}"): expected the name of a model, got ${describe(id)}.`)
  const { abilities, variable, keyHeader, quirks = {}, baseURL: usual } = presets[preset]
  const { api = 'chat', provider = preset, baseURL = usual ?? azureBaseURL(id, options) } = options
  if (!URL.canParse(baseURL))
    throw new InputError(
      `compatible("${preset}", …, { baseURL }): expected a URL such as "${usual ?? 'https://my-resource.openai.azure.com/openai/v1'}", got ${describe(baseURL)}.`,
    )
  const service: Service = {
    provider,
    url: baseURL,
    variable: !options.apiKey && sendsKeyTo(baseURL, usual) ? variable : undefined,
    keyHeader,
  }
  const all: OpenAIOptions = { ...options, abilities: { ...abilities, ...options.abilities } }
  if (api === 'responses') return new ResponsesModel(id, { ...all, body: { ...quirks.body, ...options.body } }, service)
  if (api !== 'chat') throw new InputError(`compatible("${preset}", …, { api }): expected "chat" or "responses", got ${describe(api)}.`)
  return new CompatibleModel(id, all, service, { ...quirks, returnsReasoning: options.returnsReasoning ?? quirks.returnsReasoning })
}

/** The variable's key is this service's own: it goes to no other server. Where each user has an address of his own, it goes there. */
const sendsKeyTo = (baseURL: string, usual: string | undefined): boolean =>
  usual === undefined || new URL(baseURL).host === new URL(usual).host
