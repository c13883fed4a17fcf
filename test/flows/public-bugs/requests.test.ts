// What the requests of others had wrong, as their users reported it. The short ids stand in docs/regressions.md, too.
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/util/json.ts'
import * as messages from '../../providers/anthropic/support/ask.ts'
import * as converse from '../../providers/bedrock/support/ask.ts'
import * as generate from '../../providers/google/support/ask.ts'
import * as responses from '../../providers/openai-responses/support/ask.ts'
import { useOwnEnvironment } from '../../providers/bedrock/support/env.ts'

useOwnEnvironment()

converse.environment()

const look = { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { at: { type: 'number' } } } }
const choice = { tools: [look], toolChoice: { name: 'look' } } as const

it('a forced choice names its tool, and never just "any"', async () => {
  expect([
    (await messages.bodyOf(choice))['tool_choice'],
    (await responses.bodyOf(choice))['tool_choice'],
    (await generate.bodyOf(choice))['toolConfig'],
    ((await converse.bodyOf(choice))['toolConfig'] as JsonObject)['toolChoice'],
  ]).toEqual([
    { type: 'tool', name: 'look' },
    { type: 'function', name: 'look' },
    { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] } },
    { tool: { name: 'look' } },
  ])
})

describe('a model that thinks', () => {
  const asked = { ...choice, settings: { thinking: { budgetTokens: 2000 } } }

  it('is forced to nothing, as its API refuses that', async () => {
    const body = await messages.bodyOf(asked)
    expect([body['thinking'], body['tool_choice']]).toEqual([{ type: 'enabled', budget_tokens: 2000 }, { type: 'auto' }])
    expect((await converse.bodyOf(asked))['toolConfig']).not.toHaveProperty('toolChoice')
  })

  it('is not made to think amid a turn that began without its thoughts', async () => {
    const turn = [messages.user('go'), messages.assistant(messages.called('a')), messages.user(messages.result('a'))] as const
    expect(await messages.bodyOf({ ...asked, messages: messages.history(...turn) })).not.toHaveProperty('thinking')
    expect(await converse.bodyOf({ ...asked, messages: converse.history(...turn) })).not.toHaveProperty('additionalModelRequestFields')
  })
})

it('a model that cannot be forced is not asked to be', async () => {
  const forced = async (id: string): Promise<unknown> => ((await converse.bodyOf(choice, id))['toolConfig'] as JsonObject)['toolChoice']
  expect([await forced('us.meta.llama3-3-70b-instruct-v1:0'), await forced('mistral.mistral-large-2407-v1:0')]).toEqual([
    undefined,
    { any: {} },
  ])
})

it('a cache point behind thinking moves before it', async () => {
  const thought = (provider: JsonObject): object => ({ type: 'reasoning', text: 'hm', signature: 'S', provider })
  const { messages: sent } = await messages.bodyOf({
    messages: messages.history(
      messages.user('go'),
      messages.assistant('said', thought({ anthropic: { type: 'thinking' } })),
      messages.user(messages.point(), 'on'),
    ),
  })
  expect(sent[1]!.content).toEqual([
    { type: 'text', text: 'said', cache_control: { type: 'ephemeral' } },
    { type: 'thinking', thinking: 'hm', signature: 'S' },
    { type: 'text', text: '[no content]' },
  ])
})

it('a cache point stands at the end of the system prompt, whatever the user says', async () => {
  const system = [{ type: 'text', text: 'Be brief.' }, messages.point()] as never
  for (const said of ['one', 'two']) {
    const asked = { system, messages: messages.history(messages.user(said)) }
    expect((await messages.bodyOf(asked))['system']).toEqual([{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }])
    expect((await converse.bodyOf(asked))['system']).toEqual([{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }])
  }
})

it('what a tool says for its provider goes there', async () => {
  const tools = [{ ...look, defer_loading: true, cache_control: { type: 'ephemeral' } }]
  expect((await messages.bodyOf({ tools }))['tools']).toEqual([
    { name: 'look', description: 'Looks.', input_schema: look.inputSchema, defer_loading: true, cache_control: { type: 'ephemeral' } },
  ])
})

it('a reference in a schema is resolved where it is not understood, and goes along with what it names elsewhere (BUG-57)', async () => {
  const kind = { enum: ['all', 'class'] }
  const inputSchema = {
    type: 'object',
    properties: { kind: { $ref: '#/$defs/Kind', default: 'all' } },
    $defs: { Kind: kind },
  }
  const tools = [{ ...look, inputSchema }]
  const [declared] = (await generate.bodyOf({ tools }))['tools'] as readonly { readonly functionDeclarations: readonly JsonObject[] }[]
  expect(declared!.functionDeclarations[0]!['parametersJsonSchema']).toEqual({
    type: 'object',
    properties: { kind: { ...kind, default: 'all' } },
  })
  expect((await messages.bodyOf({ tools }))['tools']).toMatchObject([{ input_schema: inputSchema }])
  expect((await responses.bodyOf({ tools }))['tools']).toMatchObject([{ parameters: inputSchema }])
})

it('each result is sent once in a request, and nothing leans on what the server has kept (BUG-37, BUG-41)', async () => {
  const call = (id: string): object => ({
    type: 'tool_use',
    id,
    name: 'look',
    input: {},
    provider: { openai: { id: `call_${id}`, itemId: `fc_${id}` } },
  })
  const body = await responses.bodyOf({
    tools: [look],
    messages: responses.history(
      responses.user('go'),
      responses.assistant(call('a')),
      responses.user(messages.result('a')),
      responses.assistant(call('b')),
      responses.user(messages.result('b')),
    ),
  })
  expect([body['store'], body['previous_response_id']]).toEqual([false, undefined])
  expect(
    body.input.flatMap((item) => (item['call_id'] === undefined ? [] : [`${String(item['type'])} ${String(item['call_id'])}`])),
  ).toEqual(['function_call call_a', 'function_call_output call_a', 'function_call call_b', 'function_call_output call_b'])
})
