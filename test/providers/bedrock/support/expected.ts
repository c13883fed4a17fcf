import type { AssembledMessage } from '../../../../src/models/assemble.ts'
import type { CorpusStream, Expected } from '../../support/corpus.ts'

/** What the index says of a stream of this API. */
export type ConverseStream = CorpusStream & {
  readonly expected: Expected & {
    readonly stop_reason: string | null
    readonly signature_lengths?: readonly number[]
    readonly redacted_blocks?: number
    readonly provider_blocks?: readonly string[]
    readonly error?: { readonly type: string; readonly message: string }
  }
}

/** What a stream must come to, in our words. */
export type Outline = {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly id: unknown; readonly name: string; readonly input: unknown; readonly invalid: string | undefined }[]
  readonly stopReason: string
  readonly usage: unknown
  readonly citations: number
  readonly signatures: readonly number[]
  readonly redacted: number
  readonly serverCalls: readonly string[]
}

export function expectedOutline({ expected }: ConverseStream): Outline {
  const { usage } = expected
  const { input = 0, output = 0, cache_read: read, cache_write: write } = usage ?? {}
  const inputTokens = input + (read ?? 0) + (write ?? 0)
  return {
    text: expected.text,
    reasoning: expected.reasoning,
    calls: expected.tool_calls.map(({ id, name, input: given, input_raw: raw, input_error: error }) => ({
      id,
      name,
      input: error === undefined ? given : {},
      invalid: error === undefined ? undefined : raw,
    })),
    stopReason: expected.stop_reason!,
    usage: usage && {
      inputTokens,
      outputTokens: output,
      totalTokens: inputTokens + output,
      cacheReadTokens: read,
      cacheWriteTokens: write,
    },
    citations: expected.citations ?? 0,
    signatures: expected.signature_lengths ?? [],
    redacted: expected.redacted_blocks ?? 0,
    serverCalls: expected.provider_blocks ?? [],
  }
}

export function outlineOf({ content, stopReason, usage }: AssembledMessage): Outline {
  const reasoning = content.filter((block) => block.type === 'reasoning')
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    reasoning: reasoning.map((block) => block.text).join(''),
    calls: content
      .filter((block) => block.type === 'tool_use')
      .map((call) => ({ id: call.provider?.['bedrock']?.['id'], name: call.name, input: call.input, invalid: call.invalidInput?.text })),
    stopReason,
    usage: usage ? { cacheReadTokens: undefined, cacheWriteTokens: undefined, ...usage } : null,
    citations: content.reduce((sum, block) => sum + (block.type === 'text' ? (block.citations?.length ?? 0) : 0), 0),
    signatures: reasoning.flatMap(({ signature }) => (signature === undefined ? [] : signature.length)),
    redacted: reasoning.filter((block) => block.redacted !== undefined).length,
    serverCalls: content.filter((block) => block.type === 'server_tool_use').map(({ name }) => name),
  }
}
