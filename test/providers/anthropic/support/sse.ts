import type { JsonObject } from '../../../../src/util/json.ts'

/** Events as the API sends them. */
export const sse = (...chunks: readonly JsonObject[]): string =>
  chunks.map((chunk) => `event: ${String(chunk['type'])}\ndata: ${JSON.stringify(chunk)}\n\n`).join('')

export const begins = (message: JsonObject = {}): JsonObject => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [],
    usage: { input_tokens: 3, output_tokens: 1 },
    ...message,
  },
})
export const opens = (index: number, block: JsonObject): JsonObject => ({ type: 'content_block_start', index, content_block: block })
export const adds = (index: number, delta: JsonObject): JsonObject => ({ type: 'content_block_delta', index, delta })
export const closes = (index: number): JsonObject => ({ type: 'content_block_stop', index })
export const says = (index: number, text: string): readonly JsonObject[] => [
  opens(index, { type: 'text', text: '' }),
  adds(index, { type: 'text_delta', text }),
  closes(index),
]
export const calls = (index: number, name: string, input: string, id = `toolu_${index}`): readonly JsonObject[] => [
  opens(index, { type: 'tool_use', id, name, input: {} }),
  adds(index, { type: 'input_json_delta', partial_json: input }),
  closes(index),
]
export const ends = (stopReason: string | null = 'end_turn', delta: JsonObject = {}): readonly JsonObject[] => [
  { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null, ...delta }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]

/** A whole answer that says one thing. */
export const saying = (text: string): string => sse(begins(), ...says(0, text), ...ends())
