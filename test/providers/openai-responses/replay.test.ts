import { describe, expect, it } from 'vitest'
import { isObject } from '../../../src/util/json.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { corpusBytes, corpusIsThere, corpusStreams } from '../support/corpus.ts'
import { answerTo, assistant, itemsOf, user } from './support/ask.ts'

const streams = corpusStreams('openai-responses').filter(({ expected }) => expected.complete && expected.stop_class === 'end')

/** Calls that wait for an answer which nobody gives here. */
const unanswered = ['custom_tool_call', 'local_shell_call', 'shell_call', 'mcp_approval_request']

describe.skipIf(!corpusIsThere)('what came goes back, item for item (skipped when ../shared/corpora is missing)', () => {
  it('and there is enough of it', () => expect(streams.length).toBeGreaterThan(25))

  it.each(streams.map((stream) => [stream.id, stream] as const))('%s', async (_id, stream) => {
    const bytes = corpusBytes(stream) as Uint8Array<ArrayBuffer>
    const { message } = await answerTo(bytes)
    const [, ...sent] = await itemsOf(user('hello'), assistant(...message!.content))
    expect(sent.map(essence)).toEqual(sendable(itemsIn(bytes)).map(essence))
  })
})

/** The items as they were when each was done, in the order of the output. */
function itemsIn(bytes: Uint8Array): readonly JsonObject[] {
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\n|\r/)
  const events = lines.filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)) as JsonObject)
  return events
    .filter(({ type }) => type === 'response.output_item.done')
    .toSorted((a, b) => Number(a['output_index']) - Number(b['output_index']))
    .map(({ item }) => item as JsonObject)
}

/** Thoughts of which there is but a summary are not taken back, nor what refers to them, nor calls without their answers. */
function sendable(items: readonly JsonObject[]): readonly JsonObject[] {
  const isThought = ({ type }: JsonObject): boolean => type === 'reasoning'
  const isProven = ({ encrypted_content: secret, content }: JsonObject): boolean =>
    Boolean(secret) || (Array.isArray(content) && content.length > 0)
  const hasForgotten = items.some((item) => isThought(item) && !isProven(item))
  const kept = items.filter((item) => (isThought(item) ? isProven(item) : !unanswered.includes(String(item['type']))))
  const last = kept.findLastIndex((item) => !isThought(item))
  return kept.slice(0, last + 1).flatMap((item) => {
    if (!hasForgotten) return [item]
    const { id: _id, ...rest } = item
    return ['message', 'function_call'].includes(String(item['type'])) ? [rest] : []
  })
}

/** An item without what says nothing about it. */
function essence({ status: _status, ...item }: JsonObject): unknown {
  const rest = Object.fromEntries(
    Object.entries(item).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  )
  const { content, arguments: input } = rest
  return {
    ...rest,
    ...(typeof input === 'string' && { arguments: JSON.parse(input) as unknown }),
    ...(Array.isArray(content) && {
      content: content.map((part) => {
        if (!isObject(part)) return part
        const { annotations, logprobs: _logprobs, ...text } = part
        return Array.isArray(annotations) && annotations.length > 0 ? { ...text, annotations: annotations as unknown[] } : text
      }),
    }),
  }
}
