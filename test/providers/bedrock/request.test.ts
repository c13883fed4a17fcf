import { describe, expect, it } from 'vitest'
import type { ModelRequest, ToolSpec } from '../../../src/models/model.ts'
import type { BedrockOptions } from '../../../src/providers/bedrock/index.ts'
import { bedrock } from '../../../src/providers/bedrock/index.ts'
import { freezeOwn } from '../../../src/util/json.ts'
import { answer, request } from '../support/answer.ts'
import { sends, streamServer } from '../support/stream-server.ts'
import type { Sent } from './support/ask.ts'
import {
  assistant,
  bodyOf,
  called,
  claude,
  eventStream,
  eventStreamType,
  fetchOf,
  history,
  keys,
  modelOf,
  result,
  sentBy,
  user,
} from './support/ask.ts'
import { saying } from './support/frames.ts'
import { useOwnEnvironment } from './support/env.ts'

useOwnEnvironment()

const tools: readonly ToolSpec[] = freezeOwn([
  { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { at: { type: 'number' } } } },
])
const hello = [{ role: 'user', content: [{ text: 'hello' }] }]
const spec = { toolSpec: { name: 'look', description: 'Looks.', inputSchema: { json: tools[0]!.inputSchema } } }
const noTool = {
  tools: [{ toolSpec: { name: 'no_tool', description: expect.any(String), inputSchema: { json: { type: 'object', properties: {} } } } }],
}
const withCalls = history(user('go'), assistant(called('call_1')), user(result('call_1')))

describe('a request', () => {
  it('goes to the model on the address of its region, signed', async () => {
    const { url, headers } = await sentBy({}, claude, { region: 'eu-west-1' })
    expect(url).toBe(`https://bedrock-runtime.eu-west-1.amazonaws.com/model/${claude.replace(':', '%3A')}/converse-stream`)
    expect(headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/bedrock\/aws4_request, SignedHeaders=.*, Signature=[0-9a-f]{64}$/,
    )
  })

  it('arrives whole', async () => {
    const server = await streamServer()
    server.handle = sends(saying('ok'), eventStreamType)
    const model = bedrock(claude, { region: 'us-east-1', credentials: keys, endpoint: new URL(server.baseURL).origin })
    const { error } = await answer(
      model,
      request({ system: [{ type: 'text', text: 'Sei kurz: äöü €' }], tools, settings: { maxTokens: 9 } }),
    )
    if (error) throw error
    const [{ url, body, headers }] = server.requests as [(typeof server.requests)[0]]
    expect([url, headers['content-type'], Number(headers['content-length'])]).toEqual([
      `/model/${claude.replace(':', '%3A')}/converse-stream`,
      'application/json',
      Buffer.byteLength(body),
    ])
    expect(JSON.parse(body)).toEqual({
      system: [{ text: 'Sei kurz: äöü €' }],
      messages: hello,
      toolConfig: { tools: [spec] },
      inferenceConfig: { maxTokens: 9 },
    })
  })

  const rows: readonly (readonly [name: string, asked: Partial<ModelRequest>, fields: object])[] = [
    ['nothing but the message', {}, {}],
    [
      'a system prompt',
      {
        system: [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: ' ' },
          { type: 'text', text: 'Be kind.' },
        ],
      },
      { system: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
    ],
    [
      'settings',
      { settings: { maxTokens: 99, temperature: 0.5, stopSequences: ['END'] } },
      { inferenceConfig: { maxTokens: 99, temperature: 0.5, stopSequences: ['END'] } },
    ],
    ['top_p', { settings: { topP: 0.9, stopSequences: [] } }, { inferenceConfig: { topP: 0.9 } }],
    ['tools', { tools }, { toolConfig: { tools: [spec] } }],
    ['any tool', { tools, toolChoice: 'required' }, { toolConfig: { tools: [spec], toolChoice: { any: {} } } }],
    ['one tool', { tools, toolChoice: { name: 'look' } }, { toolConfig: { tools: [spec], toolChoice: { tool: { name: 'look' } } } }],
    ['no tool now', { tools, toolChoice: 'none' }, {}],
    ['a choice without tools', { toolChoice: 'required' }, {}],
    [
      'what a tool says beside',
      { tools: [{ ...tools[0]!, description: '', strict: true } as ToolSpec] },
      { toolConfig: { tools: [{ toolSpec: { name: 'look', inputSchema: { json: tools[0]!.inputSchema }, strict: true } }] } },
    ],
    [
      'fields of the model',
      { settings: { extra: { top_k: 3, anthropic_beta: ['a-1'] } } },
      { additionalModelRequestFields: { top_k: 3, anthropic_beta: ['a-1'] } },
    ],
    [
      'fields of the API, beside ours',
      {
        settings: {
          maxTokens: 5,
          extra: { serviceTier: { type: 'flex' }, inferenceConfig: { topP: 0.1 }, requestMetadata: { team: 'blue' } },
        },
      },
      { inferenceConfig: { maxTokens: 5, topP: 0.1 }, serviceTier: { type: 'flex' }, requestMetadata: { team: 'blue' } },
    ],
    [
      'fields of the model as the API names them',
      { settings: { extra: { additionalModelRequestFields: { top_k: 3 }, seed: 7 } } },
      { additionalModelRequestFields: { seed: 7, top_k: 3 } },
    ],
    [
      'tools that the server runs',
      { tools, settings: { extra: { toolConfig: { tools: [{ systemTool: { name: 'nova_grounding' } }] } } } },
      { toolConfig: { tools: [spec, { systemTool: { name: 'nova_grounding' } }] } },
    ],
    [
      'an output',
      { output: { name: 'out', schema: { type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] } } },
      {
        outputConfig: {
          textFormat: {
            type: 'json_schema',
            structure: {
              jsonSchema: {
                name: 'out',
                schema: JSON.stringify({
                  type: 'object',
                  properties: { n: { type: 'integer', description: '{"minimum":3}' } },
                  required: ['n'],
                  additionalProperties: false,
                }),
              },
            },
          },
        },
      },
    ],
  ]
  it.each(rows)('holds %s', async (_name, asked, fields) => expect(await bodyOf(asked)).toEqual({ messages: hello, ...fields }))

  it('holds the settings and the fields of the model object, under those of the request', async () => {
    const body = await bodyOf({ settings: { maxTokens: 1, extra: { c: 3 } } }, claude, {
      maxTokens: 2,
      topP: 0.3,
      extra: { b: 2, c: 2 },
      body: { a: 1, b: 1, serviceTier: { type: 'priority' } },
    })
    expect(body).toEqual({
      messages: hello,
      inferenceConfig: { maxTokens: 1, topP: 0.3 },
      serviceTier: { type: 'priority' },
      additionalModelRequestFields: { a: 1, b: 2, c: 3 },
    })
  })

  it.each<readonly [string, Partial<ModelRequest>]>([
    ['no tools are offered', { messages: withCalls }],
    ['none may be called', { messages: withCalls, tools, toolChoice: 'none' }],
  ])('has a tool in the place of none where the history holds calls, and %s', async (_name, asked) =>
    expect((await bodyOf(asked))['toolConfig']).toEqual(noTool),
  )

  it('follows what changes between two turns of one conversation', async () => {
    const seen: Sent[] = []
    const model = modelOf(fetchOf(() => eventStream(saying('ok')), seen))
    const same = request({ system: [{ type: 'text', text: 'Be brief.' }] })
    const output = { name: 'out', schema: { type: 'object' } }
    for (const change of [
      {},
      { tools },
      { tools, toolChoice: 'required' as const },
      { settings: { temperature: 1 } },
      { output },
      { messages: withCalls },
      {},
    ])
      await answer(model, { ...same, ...change })
    expect(seen.map(({ body }) => [body['toolConfig'], body['inferenceConfig'], body['outputConfig'] !== undefined])).toEqual([
      [undefined, undefined, false],
      [{ tools: [spec] }, undefined, false],
      [{ tools: [spec], toolChoice: { any: {} } }, undefined, false],
      [undefined, { temperature: 1 }, false],
      [undefined, undefined, true],
      [noTool, undefined, false],
      [undefined, undefined, false],
    ])
  })

  it('is well-formed even where a text was cut inside a character', async () =>
    expect((await bodyOf({ system: [{ type: 'text', text: 'half \ud83d' }] }))['system']).toEqual([{ text: 'half \ufffd' }]))
})

describe('what a model can be made to call', () => {
  it.each([
    ['anthropic.claude-3-haiku-20240307-v1:0', { tool: { name: 'look' } }],
    ['us.amazon.nova-pro-v1:0', { tool: { name: 'look' } }],
    ['openai.gpt-oss-120b-1:0', { tool: { name: 'look' } }],
    ['mistral.mistral-large-2407-v1:0', { any: {} }],
    ['us.meta.llama3-3-70b-instruct-v1:0', undefined],
    ['cohere.command-r-plus-v1:0', undefined],
    ['arn:aws:bedrock:us-east-1:1:application-inference-profile/abc', { tool: { name: 'look' } }],
  ])('%s: %j', async (id, choice) => {
    const { toolConfig } = (await bodyOf({ tools, toolChoice: { name: 'look' } }, id)) as { readonly toolConfig?: unknown }
    expect(toolConfig).toEqual({ tools: [spec], ...(choice && { toolChoice: choice }) })
  })
})

describe('bedrock()', () => {
  const refused: readonly (readonly [options: BedrockOptions, message: string])[] = [
    [{ endpoint: 'here' }, 'bedrock({ endpoint }): expected a URL such as "https://bedrock-runtime.us-east-1.amazonaws.com", got "here".'],
    [{ endpoint: 'ftp://e.example' }, 'got "ftp://e.example"'],
    [{ region: ' ' }, 'bedrock({ region }): expected a string that is not empty, got " ".'],
    [{ apiKey: '' }, 'bedrock({ apiKey }): expected a string that is not empty, got "".'],
    [
      { apiKey: 'k', profile: 'p' },
      'bedrock({ apiKey }): an API key stands for credentials. Leave `credentials` and `profile` out, or the key.',
    ],
    [{ guardrail: { id: 'g', version: '' } }, 'bedrock({ guardrail.version }): expected a string that is not empty, got "".'],
    [
      { client: { send: () => Promise.reject(new Error()) }, region: 'us-east-1', endpoint: 'https://e.example' },
      'bedrock({ client }): a client that is ready has its own region, endpoint. Leave them out.',
    ],
  ]
  it.each(refused)('refuses %j', (options, message) => expect(() => bedrock('m', options)).toThrow(message))
  it('refuses what is no id', () =>
    expect(() => bedrock('')).toThrow('bedrock(): expected the id of a model, such as "us.anthropic.claude-sonnet-4-6", got "".'))

  it.each([
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'native', 200_000],
    ['anthropic.claude-opus-4-6-v1', 'native', 1_000_000],
    ['global.anthropic.claude-sonnet-4-6', 'forced_tool', 1_000_000],
    ['anthropic.claude-sonnet-4-20250514-v1:0', 'forced_tool', 200_000],
    ['anthropic.claude-v2:1', 'prompt', undefined],
    ['us.amazon.nova-micro-v1:0', 'forced_tool', 128_000],
    ['us.amazon.nova-2-lite-v1:0', 'forced_tool', 1_000_000],
    ['amazon.titan-text-express-v1', 'prompt', undefined],
    ['meta.llama3-1-70b-instruct-v1:0', 'prompt', undefined],
    ['openai.gpt-oss-20b-1:0', 'forced_tool', undefined],
    ['arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-haiku-4-5-20251001-v1:0', 'native', 200_000],
  ])('knows %s', (id, output, contextWindow) => {
    const model = bedrock(id)
    expect([model.provider, model.id, model.abilities, model.contextWindow]).toEqual([
      'bedrock',
      id,
      { output, images: true, documents: true },
      contextWindow,
    ])
    expect(bedrock(id, { contextWindow: 7 }).contextWindow).toBe(7)
  })

  it('is told which model stands behind an ARN that does not say so', () => {
    const arn = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/abc'
    expect([bedrock(arn).contextWindow, bedrock(arn, { baseModel: 'anthropic.claude-haiku-4-5' }).contextWindow]).toEqual([
      undefined,
      200_000,
    ])
  })
})
