import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createOpenAICompatible as createOpenAICompatible2 } from 'ai-sdk-openai-compatible-2'
import type { Model } from '../../../../src/models/model.ts'
import type { AiSdkOptions } from '../../../../src/providers/ai-sdk/index.ts'
import { aiSdk } from '../../../../src/providers/ai-sdk/index.ts'

/** Models of the AI SDK's own, one of each specification, that ask this server for chat completions. */
export function realModels(baseURL: string, options: AiSdkOptions = {}): readonly (readonly [version: 'v4' | 'v3', model: Model])[] {
  const settings = { name: 'acme', baseURL, apiKey: 'k', includeUsage: true, supportsStructuredOutputs: true }
  return [
    ['v4', aiSdk(createOpenAICompatible(settings)('m'), options)],
    ['v3', aiSdk(createOpenAICompatible2(settings)('m'), options)],
  ]
}
