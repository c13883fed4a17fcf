import type { Model } from '../../models/model.ts'
import { anObject, checkOptions } from '../../util/check-options.ts'
import type { RulesOf } from '../../util/check-options.ts'
import { httpRules } from '../wire/option-rules.ts'
import { GenerateModel } from './generate-model.ts'
import type { GoogleOptions } from './options.ts'

const rules: RulesOf<GoogleOptions> = { ...httpRules, vertex: anObject }

export type { GoogleOptions, VertexOptions } from './options.ts'

/**
 * A Gemini model, from the Gemini API or from Vertex AI.
 *
 * ```ts
 * const model = google('gemini-3.1-pro', { thinking: { effort: 'low' } })
 * const vertex = google('gemini-2.5-flash', { vertex: { project: 'my-project', location: 'europe-west1', accessToken } })
 * ```
 *
 * @param id the model's name, as the server knows it.
 * @throws {InputError} when the name or an option is not what it must be. A missing key is told when the model is first used.
 */
export function google(id: string, options: GoogleOptions = {}): Model {
  checkOptions('google', options, rules)
  return new GenerateModel(id, options)
}
