import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Message } from '../../../../src/messages/message.ts'
import type { SendableMessage } from '../../../../src/messages/normalise.ts'
import { normalise } from '../../../../src/messages/normalise.ts'
import type { ModelRequest, ToolSpec } from '../../../../src/models/model.ts'
import type { AiSdkOptions } from '../../../../src/providers/ai-sdk/index.ts'
import { aiSdk } from '../../../../src/providers/ai-sdk/index.ts'
import type { JsonObject } from '../../../../src/util/json.ts'
import { freezeOwn } from '../../../../src/util/json.ts'
import type { Answer } from '../../support/answer.ts'
import { answer, request } from '../../support/answer.ts'
import type { Part, Traits } from './scripted.ts'
import { finish, scripted } from './scripted.ts'

/** The key of the scripted model's data in blocks. */
export const name = 'ai-sdk.test.chat'

/** Tools as the model is told of them. */
export const spec = (toolName: string): ToolSpec => ({
  name: toolName,
  description: `The tool ${toolName}.`,
  inputSchema: { type: 'object' },
})

/** What the model says when it gives these parts. It is offered the tool `look`. */
export const answerTo = (parts: readonly Part[], options: AiSdkOptions & { readonly raw?: boolean } = {}): Promise<Answer> => {
  const { raw = false, ...more } = options
  return answer(aiSdk(scripted([parts]).model, more), request({ tools: [spec('look')] }), { raw })
}

/** What a model is called with for a request, without its signal. */
export async function optionsOf(
  parts: Partial<ModelRequest>,
  options: AiSdkOptions = {},
  traits: Traits = {},
): Promise<Omit<LanguageModelV4CallOptions, 'abortSignal'>> {
  const { model, asked } = scripted([[finish()]], traits)
  const { error } = await answer(aiSdk(model, options), request(parts))
  if (error) throw error
  const { abortSignal: _signal, ...rest } = asked[0]!
  return rest
}

export const promptOf = async (...args: Parameters<typeof optionsOf>): Promise<LanguageModelV4CallOptions['prompt']> =>
  (await optionsOf(...args)).prompt

/** Messages as the loop would hand them on. */
export const history = (
  ...messages: readonly { readonly role: 'user' | 'assistant'; readonly content: readonly object[] }[]
): readonly SendableMessage[] => messages.map((message, i) => normalise(freezeOwn({ id: `m${i}`, ...message }) as unknown as Message))

export const user = (...content: readonly (string | object)[]) => ({ role: 'user', content: content.map(block) }) as const
export const assistant = (...content: readonly (string | object)[]) => ({ role: 'assistant', content: content.map(block) }) as const
const block = (said: string | object): object => (typeof said === 'string' ? { type: 'text', text: said } : said)

/** Data of the scripted model's. */
export const own = (data: JsonObject = {}): object => ({ provider: { [name]: data } })

export const called = (id: string, toolName = 'look', data?: JsonObject): object => ({
  type: 'tool_use',
  id,
  name: toolName,
  input: { at: 1 },
  ...(data && own(data)),
})
export const result = (id: string, ...content: readonly (string | object)[]): object => ({
  type: 'tool_result',
  toolUseId: id,
  status: 'success',
  content: content.map(block),
})
export const failure = (id: string, ...content: readonly (string | object)[]): object => ({ ...result(id, ...content), status: 'error' })
export const point = (ttl?: '5m' | '1h'): object => ({ type: 'cache_point', ...(ttl && { ttl }) })
