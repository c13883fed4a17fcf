import type { AssembledMessage } from '../../../../src/models/assemble.ts'
import type { JsonObject } from '../../../../src/util/json.ts'
import type { CorpusStream, Expected } from '../../support/corpus.ts'

type WireBlock = {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly name?: string
  readonly input?: JsonObject
  readonly signature?: string
  readonly part?: JsonObject
}
export type GenerateStream = CorpusStream & {
  readonly expected: Expected & {
    readonly usage: { readonly tool_prompt?: number } | null
    readonly signature_lengths?: readonly number[]
    readonly provider_blocks?: readonly string[]
  }
  readonly assembled: {
    readonly content: readonly WireBlock[]
    readonly groundingMetadata?: { readonly groundingSupports: readonly { readonly groundingChunkIndices: readonly number[] }[] }
  }
}

/** What a recorded stream must come to, in our words. */
export type Outline = {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly object[]
  readonly stopReason: string
  readonly usage: unknown
  readonly citations: number
  readonly signatures: readonly number[]
  readonly others: readonly string[]
}

const stopReasons: Readonly<Record<string, string>> = { end: 'end_turn', length: 'max_tokens', refusal: 'content_filtered' }
const others: Readonly<Record<string, string>> = {
  executableCode: 'server_tool_use',
  codeExecutionResult: 'server_tool_result',
  inlineData: 'image',
}

export function expectedOutline({ expected, assembled }: GenerateStream): Outline {
  const { input = 0, output = 0, reasoning, cache_read: cached, tool_prompt: tools = 0 } = expected.usage ?? {}
  return {
    text: expected.text,
    reasoning: expected.reasoning,
    calls: expected.tool_calls.map(({ id, name, input }) => ({ id: id ?? undefined, name, input })),
    stopReason: expected.tool_calls.length > 0 ? 'tool_use' : stopReasons[expected.stop_class!]!,
    usage: expected.usage
      ? {
          inputTokens: input + tools,
          outputTokens: output + (reasoning ?? 0),
          totalTokens: input + tools + output + (reasoning ?? 0),
          ...(cached !== undefined && { cacheReadTokens: cached }),
          ...(reasoning !== undefined && { reasoningTokens: reasoning }),
        }
      : undefined,
    citations: assembled.groundingMetadata?.groundingSupports.flatMap(({ groundingChunkIndices }) => groundingChunkIndices).length ?? 0,
    signatures: expected.signature_lengths ?? [],
    others: (expected.provider_blocks ?? []).map((name) => others[name]!),
  }
}

export function outlineOf({ content, stopReason, usage }: AssembledMessage): Outline {
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    reasoning: content.map((block) => (block.type === 'reasoning' ? block.text : '')).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? { id: block.provider?.['google']?.['id'], name: block.name, input: block.input } : [],
    ),
    stopReason,
    usage,
    citations: content.reduce((sum, block) => sum + (block.type === 'text' ? (block.citations?.length ?? 0) : 0), 0),
    signatures: content.flatMap((block) => {
      const signature = 'provider' in block ? block.provider?.['google']?.['thoughtSignature'] : undefined
      return typeof signature === 'string' ? signature.length : []
    }),
    others: content.flatMap(({ type }) => (type === 'text' || type === 'reasoning' || type === 'tool_use' ? [] : type)),
  }
}

/** The parts in which the message goes back: as they came, but for thoughts without a signature. */
export function expectedParts({ assembled }: GenerateStream): readonly JsonObject[] {
  return assembled.content.flatMap(({ type, text, thinking, name, input, signature, part }): JsonObject | readonly JsonObject[] => {
    const signed = signature === undefined ? {} : { thoughtSignature: signature }
    if (type === 'text') return { text, ...signed }
    if (type === 'tool_use') return { functionCall: { name, args: input }, ...signed }
    if (type === 'thinking') return signature === undefined ? [] : { text: thinking, thought: true, ...signed }
    return part!
  })
}
