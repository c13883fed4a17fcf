import type { Model } from '../../models/model.ts'
import { ChatModel } from './chat-model.ts'
import type { OpenAIOptions } from './options.ts'

export type { OpenAIOptions } from './options.ts'

/**
 * A model of OpenAI, or of any server that speaks Chat Completions.
 *
 * ```ts
 * const model = openai('gpt-5.2', { temperature: 0 })
 * const local = openai('qwen3', { baseURL: 'http://localhost:11434/v1', provider: 'ollama' })
 * ```
 *
 * @param id the model's name, as the server knows it.
 * @throws {InputError} when the name or an option is not what it must be. A missing key is told when the model is first used.
 */
export function openai(id: string, options: OpenAIOptions = {}): Model {
  return new ChatModel(id, options)
}
