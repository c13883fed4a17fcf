// Events, blocks and reasons of the official SDK's types, the betas included: each has an effect here, and goes back as it came.
import type { Anthropic } from '@anthropic-ai/sdk'
import { expect, expectTypeOf, it } from 'vitest'
import type { JsonObject } from '../../../src/util/json.ts'
import { answerTo, bodyOf, history, user } from './support/ask.ts'
import { adds, begins, closes, ends, opens, says, sse } from './support/sse.ts'

type Block = Anthropic.ContentBlock | Anthropic.Beta.BetaContentBlock
type Delta = Anthropic.RawContentBlockDelta | Anthropic.Beta.BetaRawContentBlockDelta
type Event = Anthropic.RawMessageStreamEvent | Anthropic.Beta.BetaRawMessageStreamEvent
type Samples<Union extends { readonly type: string }> = { readonly [Type in Union['type']]: Extract<Union, { readonly type: Type }> }
/** What the SDK takes in a message of the assistant. */
type Param = Anthropic.ContentBlockParam | Anthropic.Beta.BetaContentBlockParam

const caller = { type: 'direct' } as const
const blocks: Samples<Block> = {
  text: {
    type: 'text',
    text: 'said',
    citations: [
      { type: 'web_search_result_location', cited_text: 'c', encrypted_index: 'E', title: 't', url: 'https://a.example' },
      {
        type: 'char_location',
        cited_text: 'c',
        document_index: 0,
        document_title: null,
        start_char_index: 1,
        end_char_index: 2,
        file_id: null,
      },
    ],
  },
  thinking: { type: 'thinking', thinking: 'hm', signature: 'SIG' },
  redacted_thinking: { type: 'redacted_thinking', data: 'DATA' },
  tool_use: { type: 'tool_use', id: 'toolu_1', caller, name: 'look', input: { at: 1 } },
  server_tool_use: { type: 'server_tool_use', id: 'srvtoolu_1', caller, name: 'web_search', input: { query: 'q' } },
  web_search_tool_result: {
    type: 'web_search_tool_result',
    caller,
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', encrypted_content: 'E', page_age: null, title: 't', url: 'https://a.example' }],
  },
  web_fetch_tool_result: {
    type: 'web_fetch_tool_result',
    caller,
    tool_use_id: 'srvtoolu_1',
    content: { type: 'web_fetch_tool_result_error', error_code: 'url_not_allowed' },
  },
  advisor_tool_result: {
    type: 'advisor_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: { type: 'advisor_result', stop_reason: 'end_turn', text: 'Do.' },
  },
  code_execution_tool_result: {
    type: 'code_execution_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: { type: 'code_execution_result', content: [], return_code: 0, stderr: '', stdout: '1' },
  },
  bash_code_execution_tool_result: {
    type: 'bash_code_execution_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: { type: 'bash_code_execution_result', content: [], return_code: 0, stderr: '', stdout: '1' },
  },
  text_editor_code_execution_tool_result: {
    type: 'text_editor_code_execution_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: { type: 'text_editor_code_execution_create_result', is_file_update: true },
  },
  tool_search_tool_result: {
    type: 'tool_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: { type: 'tool_search_tool_search_result', tool_references: [{ type: 'tool_reference', tool_name: 'look' }] },
  },
  mcp_tool_use: { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'ask', server_name: 'wiki', input: { q: 1 } },
  mcp_tool_result: { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: 'answer' },
  container_upload: { type: 'container_upload', file_id: 'file_1' },
  compaction: { type: 'compaction', content: 'so far', encrypted_content: 'E' },
  fallback: {
    type: 'fallback',
    from: { model: 'claude-opus-4-8' },
    to: { model: 'claude-sonnet-4-6' },
    trigger: { type: 'refusal', category: null },
  },
  mcp_tool_listing: { type: 'mcp_tool_listing', mcp_server_name: 'wiki', tools: [] },
}

it.each(Object.values(blocks))('a block $type goes back as it came', async (block) => {
  const came = { ...block } as unknown as JsonObject
  const { message } = await answerTo(sse(begins(), opens(0, came), closes(0), ...says(1, 'end'), ...ends()))
  const { messages } = await bodyOf({
    messages: history(user('go'), { role: 'assistant', content: message!.content }, user('on')),
  })
  const back: unknown = messages[1]!.content
  expect(back).toEqual([block, { type: 'text', text: 'end' }])
})

it('each block that comes is one that the SDK takes back', () => {
  expectTypeOf<Block>().toExtend<Param>()
})

const deltas: Samples<Delta> = {
  text_delta: { type: 'text_delta', text: 'said' },
  input_json_delta: { type: 'input_json_delta', partial_json: '{"at":1}' },
  citations_delta: {
    type: 'citations_delta',
    citation: { type: 'web_search_result_location', cited_text: 'c', encrypted_index: 'E', title: 't', url: 'https://a.example' },
  },
  thinking_delta: { type: 'thinking_delta', thinking: 'hm' },
  signature_delta: { type: 'signature_delta', signature: 'SIG' },
  compaction_delta: { type: 'compaction_delta', content: 'so far', encrypted_content: 'E' },
}
const begun: { readonly [Type in Delta['type']]: Block } = {
  text_delta: { type: 'text', text: '', citations: null },
  input_json_delta: { type: 'tool_use', id: 'toolu_1', caller, name: 'look', input: {} },
  citations_delta: { type: 'text', text: 'said', citations: [] },
  thinking_delta: { type: 'thinking', thinking: '', signature: '' },
  signature_delta: { type: 'thinking', thinking: '', signature: '' },
  compaction_delta: { type: 'compaction', content: null, encrypted_content: null },
}
const added: { readonly [Type in Delta['type']]: object } = {
  text_delta: { type: 'text', text: 'said' },
  input_json_delta: {
    type: 'tool_use',
    id: 'call_1',
    name: 'look',
    input: { at: 1 },
    provider: { anthropic: { id: 'toolu_1', caller } },
  },
  citations_delta: {
    type: 'text',
    text: 'said',
    citations: [{ title: 't', url: 'https://a.example', quote: 'c', provider: { anthropic: deltas.citations_delta.citation } }],
  },
  thinking_delta: { type: 'reasoning', text: 'hm' },
  signature_delta: { type: 'reasoning', text: '', signature: 'SIG', provider: { anthropic: { type: 'thinking' } } },
  compaction_delta: {
    type: 'server_tool_result',
    toolUseId: '',
    content: null,
    provider: { anthropic: { type: 'compaction', content: 'so far', encrypted_content: 'E' } },
  },
}

it.each(Object.values(deltas))('a delta $type is added to its block', async (delta) => {
  const { message } = await answerTo(
    sse(
      begins(),
      opens(0, { ...begun[delta.type] } as unknown as JsonObject),
      adds(0, { ...delta } as unknown as JsonObject),
      closes(0),
      ...ends(),
    ),
  )
  expect(message!.content).toEqual([added[delta.type]])
})

/** Every event does something; an answer without one of them is not the same answer. */
const events: { readonly [Type in Event['type']]: 'handled' } = {
  message_start: 'handled',
  message_delta: 'handled',
  message_stop: 'handled',
  content_block_start: 'handled',
  content_block_delta: 'handled',
  content_block_stop: 'handled',
}
it.each(Object.keys(events))('an answer without its event %s is not the same', async (left) => {
  const all = [
    begins(),
    opens(0, { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }),
    adds(0, deltas.input_json_delta as unknown as JsonObject),
    closes(0),
    ...ends('tool_use'),
  ]
  const kept = all.filter(({ type }) => type !== left)
  expect(kept.length).toBe(all.length - 1)
  const outcome = async (of: readonly JsonObject[]): Promise<unknown> => {
    const { message, error, events } = await answerTo(sse(...of))
    return [message, error && String(error), events]
  }
  expect(await outcome(kept)).not.toEqual(await outcome(all))
})

const reasons: Readonly<Record<Anthropic.StopReason | Anthropic.Beta.BetaStopReason, string>> = {
  end_turn: 'end_turn',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  // Corrected: there is no call in this answer.
  tool_use: 'end_turn',
  pause_turn: 'pause_turn',
  compaction: 'pause_turn',
  refusal: 'refusal',
  model_context_window_exceeded: 'context_window_exceeded',
}
it.each(Object.entries(reasons))('the reason %s is %s here', async (reason, ours) => {
  const { message } = await answerTo(sse(begins(), ...says(0, 'said'), ...ends(reason)))
  expect(message!.stopReason).toBe(ours)
})

it('the counts of a whole answer are read under the names of the SDK', async () => {
  const usage = {
    input_tokens: 1,
    output_tokens: 20,
    cache_creation_input_tokens: 300,
    cache_read_input_tokens: 4000,
    output_tokens_details: { thinking_tokens: 5 },
    server_tool_use: null,
  } satisfies Anthropic.MessageDeltaUsage
  const { message } = await answerTo(
    sse(begins(), ...says(0, 'said'), { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }, { type: 'message_stop' }),
  )
  expect(message!.usage).toEqual({
    inputTokens: 4301,
    outputTokens: 20,
    totalTokens: 4321,
    cacheReadTokens: 4000,
    cacheWriteTokens: 300,
    reasoningTokens: 5,
  })
})
