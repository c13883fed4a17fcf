import type { AssembledMessage } from '../../../../src/models/assemble.ts'
import type { Outline } from '../../openai/expected.ts'
import { expectedOutline as chatOutline, outlineOf as chatOutlineOf } from '../../openai/expected.ts'
import type { CorpusStream, Expected } from '../../support/corpus.ts'

type ResponsesExpected = Expected & {
  readonly reasoning_summaries?: readonly (readonly string[])[]
  readonly signature_lengths?: readonly number[]
  readonly provider_blocks?: readonly string[]
}
export type ResponsesStream = CorpusStream & { readonly expected: ResponsesExpected; readonly events: number }

/** What a stream must come to, in our words. */
export type ResponsesOutline = Outline & { readonly signatures: readonly number[]; readonly serverItems: readonly string[] }

export function expectedOutline({ expected }: ResponsesStream): ResponsesOutline {
  // A custom tool takes text. It is none of ours: the server runs it.
  const custom = expected.tool_calls.filter(({ input }) => typeof input === 'string')
  return {
    ...chatOutline({ ...expected, tool_calls: expected.tool_calls.filter((call) => !custom.includes(call)) }),
    // A summary is what can be seen of the thoughts.
    reasoning: expected.reasoning + (expected.reasoning_summaries ?? []).flat().join(''),
    signatures: expected.signature_lengths ?? [],
    serverItems: [...(expected.provider_blocks ?? []), ...custom.map(() => 'custom_tool_call')].sort(),
  }
}

export function outlineOf(message: AssembledMessage, provider: string): ResponsesOutline {
  return {
    ...chatOutlineOf(message, provider, { withIds: true }),
    signatures: message.content.flatMap((block) =>
      block.type === 'reasoning' && block.signature !== undefined ? [block.signature.length] : [],
    ),
    serverItems: message.content
      .flatMap((block) => {
        const item =
          block.type === 'server_tool_use' || block.type === 'server_tool_result' ? block.provider?.[provider]?.['item'] : undefined
        return item === undefined ? [] : [String((item as { type?: unknown }).type)]
      })
      .sort(),
  }
}
