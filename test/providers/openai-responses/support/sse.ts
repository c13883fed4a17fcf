import type { JsonObject } from '../../../../src/util/json.ts'

/** Events as the API sends them. */
export const sse = (...events: readonly JsonObject[]): string =>
  events
    .map((event, sequence) => `event: ${String(event['type'])}\ndata: ${JSON.stringify({ sequence_number: sequence, ...event })}\n\n`)
    .join('')

export const begins = (): JsonObject => ({
  type: 'response.created',
  response: { id: 'resp_1', model: 'gpt-5.2', status: 'in_progress', output: [], usage: null },
})
export const adds = (index: number, item: JsonObject): JsonObject => ({ type: 'response.output_item.added', output_index: index, item })
export const ends = (index: number, item: JsonObject): JsonObject => ({ type: 'response.output_item.done', output_index: index, item })
export const says = (index: number, delta: string, more: JsonObject = {}): JsonObject => ({
  type: 'response.output_text.delta',
  output_index: index,
  content_index: 0,
  delta,
  ...more,
})
export const passes = (index: number, delta: string): JsonObject => ({
  type: 'response.function_call_arguments.delta',
  output_index: index,
  delta,
})
export const passed = (index: number, input: string): JsonObject => ({
  type: 'response.function_call_arguments.done',
  output_index: index,
  arguments: input,
})
export const call = (input: string, more: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_A',
  name: 'add',
  arguments: input,
  ...more,
})
export const message = (text: string, more: JsonObject = {}): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: text === '' ? [] : [{ type: 'output_text', text, annotations: [] }],
  ...more,
})
export const completed = (more: JsonObject = {}): JsonObject => ({
  type: 'response.completed',
  response: { id: 'resp_1', model: 'gpt-5.2', status: 'completed', usage: { input_tokens: 3, output_tokens: 2 }, ...more },
})
export const incomplete = (reason: string): JsonObject => ({
  type: 'response.incomplete',
  response: { id: 'resp_1', model: 'gpt-5.2', status: 'incomplete', incomplete_details: { reason } },
})

/** A whole answer that says one thing. */
export const saying = (text: string): string => sse(begins(), adds(0, message('')), says(0, text), ends(0, message(text)), completed())
