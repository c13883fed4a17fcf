// Events, items and reasons of the official SDK's types: what has an effect here, what is passed over, and what goes back.
import type { OpenAI } from 'openai'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { JsonObject } from '../../../src/util/json.ts'
import type { Answer } from '../support/answer.ts'
import { answerTo, assistant, itemsOf, user } from './support/ask.ts'
import { adds, begins, call, completed, ends, message, sse } from './support/sse.ts'

type Event = OpenAI.Responses.ResponseStreamEvent
type Item = OpenAI.Responses.ResponseOutputItem
type Input = OpenAI.Responses.ResponseInputItem
type Samples<Union extends { readonly type: string }> = { readonly [Type in Union['type']]: Extract<Union, { readonly type: Type }> }
const wire = (value: object): JsonObject => value as JsonObject
const at = { output_index: 0, sequence_number: 0 } as const
const place = { ...at, item_id: 'msg_1' } as const

/** What came of an answer, whatever events brought it. */
const outcome = ({ message, error, events }: Answer): unknown => [
  message?.content,
  message?.stopReason,
  message?.usage,
  error && String(error),
  events.find(({ type }) => type === 'message_start'),
]

/** Where an event has an effect: the events before it and behind it, and a sample. */
type Effect<Type extends Event['type']> = {
  readonly before?: readonly JsonObject[]
  readonly sample: Extract<Event, { readonly type: Type }>
  readonly after?: readonly JsonObject[]
}
const begun = [begins(), adds(0, message('', { status: 'in_progress' }))]
const thinking = [begins(), adds(0, { type: 'reasoning', id: 'msg_1', summary: [] })]
const calling = [begins(), adds(0, call(''))]
const response = wire(completed()['response'] as JsonObject) as unknown as OpenAI.Responses.Response
const ended = [completed()]
const annotation = { type: 'url_citation', url: 'https://a.example', title: 't', start_index: 0, end_index: 1 } as const

const events: { readonly [Type in Event['type']]: Effect<Type> | 'progress of what comes whole' | 'never asked for' } = {
  'response.created': { sample: { ...at, type: 'response.created', response }, after: [completed({ model: null })] },
  'response.output_item.added': {
    before: [begins()],
    sample: { ...at, type: 'response.output_item.added', item: { type: 'function_call', call_id: 'c', name: 'add', arguments: '{}' } },
    after: ended,
  },
  'response.output_item.done': {
    before: [begins()],
    sample: { ...at, type: 'response.output_item.done', item: { type: 'function_call', call_id: 'c', name: 'add', arguments: '{}' } },
    after: ended,
  },
  'response.output_text.delta': {
    before: begun,
    sample: { ...place, type: 'response.output_text.delta', content_index: 0, delta: 'said', logprobs: [] },
    after: ended,
  },
  'response.output_text.done': {
    before: begun,
    sample: { ...place, type: 'response.output_text.done', content_index: 0, text: 'said', logprobs: [] },
    after: ended,
  },
  'response.output_text.annotation.added': {
    before: begun,
    sample: { ...place, type: 'response.output_text.annotation.added', content_index: 0, annotation_index: 0, annotation },
    after: ended,
  },
  'response.refusal.delta': {
    before: begun,
    sample: { ...place, type: 'response.refusal.delta', content_index: 0, delta: 'no' },
    after: ended,
  },
  'response.refusal.done': {
    before: begun,
    sample: { ...place, type: 'response.refusal.done', content_index: 0, refusal: 'no' },
    after: ended,
  },
  'response.reasoning_summary_text.delta': {
    before: thinking,
    sample: { ...place, type: 'response.reasoning_summary_text.delta', summary_index: 0, delta: 'hm' },
    after: ended,
  },
  'response.reasoning_summary_text.done': {
    before: thinking,
    sample: { ...place, type: 'response.reasoning_summary_text.done', summary_index: 0, text: 'hm' },
    after: ended,
  },
  'response.reasoning_text.delta': {
    before: thinking,
    sample: { ...place, type: 'response.reasoning_text.delta', content_index: 0, delta: 'hm' },
    after: ended,
  },
  'response.reasoning_text.done': {
    before: thinking,
    sample: { ...place, type: 'response.reasoning_text.done', content_index: 0, text: 'hm' },
    after: ended,
  },
  'response.function_call_arguments.delta': {
    before: calling,
    sample: { ...place, type: 'response.function_call_arguments.delta', delta: '{"a":1}' },
    after: ended,
  },
  'response.function_call_arguments.done': {
    before: calling,
    sample: { ...place, type: 'response.function_call_arguments.done', arguments: '{"a":1}' },
    after: ended,
  },
  'response.completed': { before: begun, sample: { type: 'response.completed', sequence_number: 0, response } },
  'response.incomplete': {
    before: begun,
    sample: {
      type: 'response.incomplete',
      sequence_number: 0,
      response: { ...response, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    },
  },
  'response.failed': {
    before: begun,
    sample: {
      type: 'response.failed',
      sequence_number: 0,
      response: { ...response, status: 'failed', error: { code: 'server_error', message: 'no' } },
    },
  },
  error: { before: begun, sample: { type: 'error', sequence_number: 0, code: 'server_error', message: 'no', param: null } },

  'response.queued': 'progress of what comes whole',
  'response.in_progress': 'progress of what comes whole',
  'response.content_part.added': 'progress of what comes whole',
  'response.content_part.done': 'progress of what comes whole',
  'response.reasoning_summary_part.added': 'progress of what comes whole',
  'response.reasoning_summary_part.done': 'progress of what comes whole',
  'response.code_interpreter_call_code.delta': 'progress of what comes whole',
  'response.code_interpreter_call_code.done': 'progress of what comes whole',
  'response.code_interpreter_call.in_progress': 'progress of what comes whole',
  'response.code_interpreter_call.interpreting': 'progress of what comes whole',
  'response.code_interpreter_call.completed': 'progress of what comes whole',
  'response.compaction.compacting': 'progress of what comes whole',
  'response.custom_tool_call_input.delta': 'progress of what comes whole',
  'response.custom_tool_call_input.done': 'progress of what comes whole',
  'response.file_search_call.in_progress': 'progress of what comes whole',
  'response.file_search_call.searching': 'progress of what comes whole',
  'response.file_search_call.completed': 'progress of what comes whole',
  'response.image_generation_call.in_progress': 'progress of what comes whole',
  'response.image_generation_call.generating': 'progress of what comes whole',
  'response.image_generation_call.partial_image': 'progress of what comes whole',
  'response.image_generation_call.completed': 'progress of what comes whole',
  'response.mcp_call_arguments.delta': 'progress of what comes whole',
  'response.mcp_call_arguments.done': 'progress of what comes whole',
  'response.mcp_call.in_progress': 'progress of what comes whole',
  'response.mcp_call.completed': 'progress of what comes whole',
  'response.mcp_call.failed': 'progress of what comes whole',
  'response.mcp_list_tools.in_progress': 'progress of what comes whole',
  'response.mcp_list_tools.completed': 'progress of what comes whole',
  'response.mcp_list_tools.failed': 'progress of what comes whole',
  'response.shell_call_command.added': 'progress of what comes whole',
  'response.shell_call_command.delta': 'progress of what comes whole',
  'response.shell_call_command.done': 'progress of what comes whole',
  'response.shell_call_output_content.delta': 'progress of what comes whole',
  'response.shell_call_output_content.done': 'progress of what comes whole',
  'response.web_search_call.in_progress': 'progress of what comes whole',
  'response.web_search_call.searching': 'progress of what comes whole',
  'response.web_search_call.completed': 'progress of what comes whole',

  'response.audio.delta': 'never asked for',
  'response.audio.done': 'never asked for',
  'response.audio.transcript.delta': 'never asked for',
  'response.audio.transcript.done': 'never asked for',
}

describe('an event', () => {
  const effects = Object.entries(events).flatMap(([type, effect]) =>
    typeof effect === 'string' ? [] : [[type, effect as Effect<Event['type']>] as const],
  )
  it.each(effects)('%s has an effect', async (_type, { before = [], sample, after = [] }) => {
    const withIt = await answerTo(sse(...before, wire(sample), ...after))
    const without = await answerTo(sse(...before, ...after))
    expect(outcome(withIt)).not.toEqual(outcome(without))
  })

  const passedOver = Object.entries(events).filter(([, effect]) => typeof effect === 'string')
  it.each(passedOver)('%s is passed over: it is %s', async (type) => {
    const all = (...between: readonly JsonObject[]): string => sse(...begun, ...between, ends(0, message('said')), ...ended)
    const { events: told } = await answerTo(
      all({ ...place, type, delta: 'x', code: 'x', arguments: 'x', partial_image_b64: 'x', part: { type: 'output_text', text: 'x' } }),
    )
    expect(told).toEqual((await answerTo(all())).events)
  })
})

const items: Samples<Item> = {
  message: {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    phase: 'final_answer',
    content: [{ type: 'output_text', text: 'said', annotations: [{ type: 'file_citation', file_id: 'f', filename: 'a.txt', index: 0 }] }],
  },
  reasoning: { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'ENC' },
  function_call: {
    type: 'function_call',
    id: 'fc_1',
    status: 'completed',
    call_id: 'call_A',
    name: 'add',
    arguments: '{"a":1}',
    namespace: 'n',
  },
  function_call_output: { type: 'function_call_output', id: 'fco_1', status: 'completed', call_id: 'call_P', output: 'done' },
  file_search_call: { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['q'], results: [{ file_id: 'f', text: 't' }] },
  web_search_call: { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q', queries: ['q'] } },
  computer_call: {
    type: 'computer_call',
    id: 'cu_1',
    call_id: 'call_C',
    status: 'completed',
    pending_safety_checks: [],
    action: { type: 'screenshot' },
  },
  computer_call_output: {
    type: 'computer_call_output',
    id: 'cuo_1',
    call_id: 'call_C',
    status: 'completed',
    output: { type: 'computer_screenshot', image_url: 'https://a.example/b.png' },
  },
  program: { type: 'program', id: 'pr_1', call_id: 'call_P', code: '1', fingerprint: 'F' },
  program_output: { type: 'program_output', id: 'pro_1', call_id: 'call_P', status: 'completed', result: '1' },
  tool_search_call: { type: 'tool_search_call', id: 'ts_1', call_id: null, execution: 'server', status: 'completed', arguments: { q: 1 } },
  tool_search_output: { type: 'tool_search_output', id: 'tso_1', call_id: null, execution: 'server', status: 'completed', tools: [] },
  additional_tools: { type: 'additional_tools', id: 'at_1', role: 'developer', tools: [] },
  compaction: { type: 'compaction', id: 'cmp_1', encrypted_content: 'ENC' },
  image_generation_call: { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AA==' },
  code_interpreter_call: {
    type: 'code_interpreter_call',
    id: 'ci_1',
    status: 'completed',
    code: '1',
    container_id: 'c',
    outputs: [{ type: 'logs', logs: '1' }],
  },
  local_shell_call: {
    type: 'local_shell_call',
    id: 'ls_1',
    call_id: 'call_L',
    status: 'completed',
    action: { type: 'exec', command: ['ls'], env: {} },
  },
  local_shell_call_output: { type: 'local_shell_call_output', id: 'lso_1', output: '1' },
  shell_call: {
    type: 'shell_call',
    id: 'sh_1',
    call_id: 'call_S',
    status: 'completed',
    environment: null,
    action: { commands: ['ls'], max_output_length: null, timeout_ms: null },
  },
  shell_call_output: {
    type: 'shell_call_output',
    id: 'sho_1',
    call_id: 'call_S',
    status: 'completed',
    max_output_length: null,
    output: [],
  },
  apply_patch_call: {
    type: 'apply_patch_call',
    id: 'ap_1',
    call_id: 'call_D',
    status: 'completed',
    operation: { type: 'delete_file', path: 'a.txt' },
  },
  apply_patch_call_output: { type: 'apply_patch_call_output', id: 'apo_1', call_id: 'call_D', status: 'completed', output: 'ok' },
  mcp_call: { type: 'mcp_call', id: 'mcp_1', name: 'ask', server_label: 'wiki', arguments: '{}', output: 'done', status: 'completed' },
  mcp_list_tools: { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'wiki', tools: [] },
  mcp_approval_request: { type: 'mcp_approval_request', id: 'mcpr_1', name: 'ask', server_label: 'wiki', arguments: '{}' },
  mcp_approval_response: { type: 'mcp_approval_response', id: 'mcpa_1', approval_request_id: 'mcpr_1', approve: true },
  custom_tool_call: { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_X', name: 'run', input: 'x' },
  custom_tool_call_output: { type: 'custom_tool_call_output', id: 'ctco_1', call_id: 'call_X', status: 'completed', output: 'done' },
}
/** Calls that wait for somebody, and that the API refuses without an answer, which nobody gave. */
const unanswered: readonly Item['type'][] = [
  'computer_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'mcp_approval_request',
  'custom_tool_call',
]

const backOf = async (...came: readonly Item[]): Promise<readonly JsonObject[]> => {
  const { message: said } = await answerTo(
    sse(begins(), ...came.flatMap((item, i) => [adds(i, wire(item)), ends(i, wire(item))]), completed()),
  )
  const sent = await itemsOf(user('go'), assistant(...said!.content), user('on'))
  return sent.slice(1, -1)
}

describe('an item', () => {
  const alone = Object.values(items).filter(({ type }) => !unanswered.includes(type))
  const text: Item = items.message
  it.each(alone)('$type goes back as it came', async (item) =>
    expect(await backOf(item, { ...text, id: 'msg_2' })).toEqual([item, { ...text, id: 'msg_2' }]),
  )

  const waiting = Object.values(items).filter(({ type }) => unanswered.includes(type))
  it.each(waiting)('$type stays away while nobody has answered it', async (item) => expect(await backOf(item, text)).toEqual([text]))

  it('is one that the SDK takes back', () => {
    type Misfit = { readonly [Type in Item['type']]: Extract<Item, { readonly type: Type }> extends Input ? never : Type }[Item['type']]
    // Two come with more kinds of a role and of a status than are taken back. The request that asks for them settles which.
    expectTypeOf<Misfit>().toEqualTypeOf<'additional_tools' | 'computer_call_output'>()
  })
})

const reasons: { readonly [Reason in NonNullable<OpenAI.Responses.Response.IncompleteDetails['reason']>]: string } = {
  max_output_tokens: 'max_tokens',
  content_filter: 'content_filtered',
  max_messages: 'max_tokens',
  steered: 'max_tokens',
}
it.each(Object.entries(reasons))('an answer that was left incomplete by %s ends with %s', async (reason, ours) => {
  const { message: said } = await answerTo(
    sse(begins(), { type: 'response.incomplete', response: { id: 'resp_1', status: 'incomplete', incomplete_details: { reason } } }),
  )
  expect(said!.stopReason).toBe(ours)
})

it('the counts of a whole answer are read under the names of the SDK', async () => {
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 30,
  } satisfies OpenAI.Responses.ResponseUsage
  const { message: said } = await answerTo(sse(begins(), completed({ usage })))
  expect(said!.usage).toEqual({
    inputTokens: 10,
    outputTokens: 20,
    totalTokens: 30,
    cacheReadTokens: 4,
    cacheWriteTokens: 3,
    reasoningTokens: 5,
  })
})
