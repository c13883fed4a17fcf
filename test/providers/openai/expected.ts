import type { AssembledMessage } from '../../../src/models/assemble.ts'
import type { Expected } from '../support/corpus.ts'

/** What a corpus stream must come to, in our words. */
export type Outline = {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly id?: unknown; readonly name: string; readonly input: unknown; readonly invalid: string | undefined }[]
  readonly stopReason: string
  readonly usage: unknown
  readonly citations: number
}

const stopReasons: Readonly<Record<string, string>> = { end: 'end_turn', tool: 'tool_use', length: 'max_tokens' }

/** @param addsThoughts does the reader count as output what a server counts beside it? */
export function expectedOutline(expected: Expected, addsThoughts = true): Outline {
  const calls = expected.tool_calls.map(({ id, name, input, input_raw: raw, input_error: error }) => ({
    ...(id !== null && { id }),
    name,
    input: error === undefined ? input : {},
    invalid: error === undefined ? undefined : raw,
  }))
  return {
    // A refusal is text of its own block.
    text: expected.text + (expected.refusal ?? ''),
    reasoning: expected.reasoning,
    calls,
    stopReason: expectedStop(expected),
    usage: expectedUsage(expected, addsThoughts),
    citations: expected.citations ?? 0,
  }
}

/** The wire's word, corrected where it contradicts the message. */
function expectedStop({ stop_class: said, tool_calls: calls, refusal }: Expected): string {
  if (refusal !== undefined) return 'refusal'
  // Ended by [DONE] alone.
  const stop = said === null ? 'end_turn' : (stopReasons[said] ?? said)
  if (stop === 'max_tokens') return stop
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

function expectedUsage({ usage }: Expected, addsThoughts: boolean): unknown {
  if (!usage) return undefined
  const { input = 0, output: said = 0, total, cache_read: read, cache_write: write, reasoning } = usage
  // Some count what was thought beside what was said, and in their total alone.
  const output = addsThoughts && total !== undefined && total - input - said === reasoning ? said + reasoning : said
  return {
    inputTokens: input,
    outputTokens: output,
    // Input and output, whatever total the provider made of them.
    totalTokens: input + output,
    ...(read !== undefined && { cacheReadTokens: read }),
    ...(write !== undefined && { cacheWriteTokens: write }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  }
}

export function outlineOf(message: AssembledMessage, provider: string, options: { readonly withIds: boolean }): Outline {
  const calls = message.content.filter((block) => block.type === 'tool_use')
  return {
    text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    reasoning: message.content.map((block) => (block.type === 'reasoning' ? block.text : '')).join(''),
    calls: calls.map((call) => ({
      ...(options.withIds && { id: call.provider?.[provider]?.['id'] }),
      name: call.name,
      input: call.input,
      invalid: call.invalidInput?.text,
    })),
    stopReason: message.stopReason,
    usage: message.usage,
    citations: message.content.reduce((sum, block) => sum + (block.type === 'text' ? (block.citations?.length ?? 0) : 0), 0),
  }
}
