import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { LanguageModelV3StreamPart } from 'ai-sdk-provider-3'
import type { AiSdkLanguageModel } from '../../../../src/providers/ai-sdk/index.ts'

/** A part of either specification, or what a model that knows neither well may give. */
export type Part = LanguageModelV4StreamPart | LanguageModelV3StreamPart | { readonly type: string; readonly [key: string]: unknown }
/** The whole stream, or what `doStream` does. */
export type Script = readonly Part[] | ((options: LanguageModelV4CallOptions) => unknown)

export type Scripted = {
  readonly model: AiSdkLanguageModel
  /** What the model was called with. */
  readonly asked: LanguageModelV4CallOptions[]
}

export type Traits = {
  readonly version?: 'v4' | 'v3'
  readonly provider?: string
  readonly supportedUrls?: AiSdkLanguageModel['supportedUrls']
  readonly supportsStructuredOutputs?: boolean
}

/** A model that plays these scripts, one a call; the last one for ever. */
export function scripted(scripts: readonly Script[], { version = 'v4', provider = 'test.chat', ...more }: Traits = {}): Scripted {
  const asked: LanguageModelV4CallOptions[] = []
  const model = {
    specificationVersion: version,
    provider,
    modelId: 'm-1',
    supportedUrls: {},
    ...more,
    async doStream(options: LanguageModelV4CallOptions): Promise<{ readonly stream: ReadableStream }> {
      asked.push(options)
      const script = scripts[Math.min(asked.length, scripts.length) - 1]!
      return (typeof script === 'function' ? await script(options) : { stream: streamOf(script) }) as { readonly stream: ReadableStream }
    },
  }
  return { model, asked }
}

export function streamOf(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

const noTokens = {
  total: undefined,
  noCache: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  text: undefined,
  reasoning: undefined,
}
export const finish = (unified = 'stop', raw: string | undefined = unified): Part => ({
  type: 'finish',
  finishReason: { unified, raw },
  usage: { inputTokens: noTokens, outputTokens: noTokens },
})

/** A text, whole. */
export const says = (text: string, id = '0'): readonly Part[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta: text },
  { type: 'text-end', id },
]

/** A call, piece by piece and then whole. */
export const calls = (toolName: string, input: string, id: string): readonly Part[] => [
  { type: 'tool-input-start', id, toolName },
  ...(input.match(/.{1,4}/gs) ?? []).map((delta) => ({ type: 'tool-input-delta', id, delta }) as const),
  { type: 'tool-input-end', id },
  { type: 'tool-call', toolCallId: id, toolName, input },
]
