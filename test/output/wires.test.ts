import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Agent } from '../../src/agent/agent.ts'
import { collect } from '../../src/testing/collect.ts'
import type { ModelScene, SceneBlock } from '../../src/testing/index.ts'
import type { Model } from '../../src/models/model.ts'
import { anthropic } from '../../src/providers/anthropic/index.ts'
import type { Schema } from '../../src/tools/standard-schema.ts'
import type { JsonObject, JsonValue } from '../../src/util/json.ts'
import { streamServer } from '../providers/support/stream-server.ts'
import { useOwnEnvironment } from '../providers/bedrock/support/env.ts'
import { wires } from '../testing/model-conformance/support/wires.ts'
import { look } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()
useOwnEnvironment()

const text = (said: string): SceneBlock => ({ type: 'text', pieces: [said.slice(0, 9), said.slice(9)] })
const call = (name: string, input: JsonValue, id: string): SceneBlock => {
  const json = JSON.stringify(input)
  return { type: 'tool_use', id, name, pieces: [json.slice(0, 9), json.slice(9)] }
}
const looks = call('look', { at: 1 }, 'call_1')

type Body = Readonly<Record<string, any>>
type Mode = 'auto' | 'native' | 'tool'

const server = await streamServer()

const wireOf = (name: string) => wires[name.replace(', thinking', '')]!

/** Of Anthropic one that may be forced, beside the newest, which always thinks. */
function modelOf(wire: string, origin: string): Model {
  if (wire === 'anthropic') return anthropic('claude-sonnet-4-5', { apiKey: 'k', baseURL: `${origin}/v1` })
  return wireOf(wire).model(origin)
}

/** An agent of a model of this wire that gives these answers, over a real connection; and the bodies that it was asked with. */
async function ask(wire: string, schema: Schema, mode: Mode, ...answers: readonly (readonly SceneBlock[])[]) {
  const { contentType, begin, end } = wireOf(wire)
  const from = server.requests.length
  server.handle = (_request, response) => {
    const blocks = answers[server.requests.length - from - 1]
    if (!blocks) return void response.writeHead(500).end()
    const isCall = blocks.some(({ type }) => type === 'tool_use')
    const scene: ModelScene = {
      name: 'answer',
      blocks,
      stopReason: isCall ? 'tool_use' : 'end_turn',
      usage: { inputTokens: 3, outputTokens: 5 },
      ends: 'complete',
    }
    response.writeHead(200, { 'content-type': contentType })
    response.write(begin(scene))
    response.end(end(scene))
  }
  const agent = new Agent({ model: modelOf(wire, new URL(server.baseURL).origin), retry: false, tools: [look()] })
  const { events, result } = await collect(agent.stream('go', { output: { schema, mode } }))
  return {
    output: result?.output,
    partial: events.flatMap((event) => (event.type === 'output_delta' ? [event.partial] : [])).at(-1),
    bodies: server.requests.slice(from).map(({ body }) => JSON.parse(body) as Body),
  }
}

/** The fields of a body that ask for an answer of a shape. */
const asking: Readonly<Record<string, (body: Body) => JsonObject>> = {
  // It says `auto` too.
  anthropic: ({ tools, tool_choice: choice, output_config: config }) => ({
    tools: names(tools),
    choice: choice.type === 'auto' ? undefined : choice,
    config,
  }),
  'openai responses': ({ tools, tool_choice: choice, text: config }) => ({ tools: names(tools), choice, config }),
  'openai chat': ({ tools, tool_choice: choice, response_format: config }) => ({
    tools: names(tools?.map((tool: Body) => tool['function'])),
    choice,
    config,
  }),
  google: ({ tools, toolConfig: choice, generationConfig }) => ({
    tools: names(tools?.[0]?.functionDeclarations),
    choice,
    config: generationConfig?.responseJsonSchema && {
      responseMimeType: generationConfig.responseMimeType,
      responseJsonSchema: generationConfig.responseJsonSchema,
    },
  }),
  bedrock: ({ toolConfig, outputConfig: config }) => ({
    tools: names(toolConfig?.tools.map((tool: Body) => tool['toolSpec'])),
    choice: toolConfig?.toolChoice,
    config: config && JSON.parse(config.textFormat.structure.jsonSchema.schema),
  }),
}
const names = (tools: readonly { readonly name: string }[] | undefined): readonly string[] => (tools ?? []).map(({ name }) => name).sort()

/** Without what is not said. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const reading = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sun'), hours: z.number() }),
  z.object({ kind: z.literal('rain'), millimetres: z.number().nullable() }),
])
const weather = z.object({ city: z.string(), readings: z.array(z.array(reading)) })
const right = { city: 'Oslo', readings: [[{ kind: 'rain', millimetres: null }], []] }

const object = (properties: JsonObject, closed: boolean): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...(closed && { additionalProperties: false }),
})
/** The schema as a wire writes it. */
const written = (union: 'oneOf' | 'anyOf', closed: boolean, constant: (value: string) => JsonObject): JsonObject =>
  object(
    {
      city: { type: 'string' },
      readings: {
        type: 'array',
        items: {
          type: 'array',
          items: {
            [union]: [
              object({ kind: { type: 'string', ...constant('sun') }, hours: { type: 'number' } }, closed),
              object({ kind: { type: 'string', ...constant('rain') }, millimetres: { type: ['number', 'null'] } }, closed),
            ],
          },
        },
      },
    },
    closed,
  )
const shown = written('oneOf', false, (value) => ({ const: value }))
const bound = written('anyOf', true, (value) => ({ const: value }))

const native: Readonly<Record<string, JsonObject>> = {
  anthropic: { format: { type: 'json_schema', schema: bound } },
  'openai responses': { format: { type: 'json_schema', name: 'final_answer', schema: bound, strict: true } },
  'openai chat': { type: 'json_schema', json_schema: { name: 'final_answer', schema: shown } },
  google: {
    responseMimeType: 'application/json',
    responseJsonSchema: written('oneOf', false, (value) => ({ enum: [value] })),
  },
  bedrock: bound,
}
const forced: Readonly<Record<string, JsonValue>> = {
  anthropic: { type: 'tool', name: 'final_answer' },
  'openai responses': { type: 'function', name: 'final_answer' },
  'openai chat': { type: 'function', function: { name: 'final_answer' } },
  google: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['final_answer'] } },
  bedrock: { tool: { name: 'final_answer' } },
}

describe.each(Object.keys(wires))('an answer of a shape over the wire of %s', (wire) => {
  const askedBy = ({ bodies }: { readonly bodies: readonly Body[] }) => bodies.map((body) => plain(asking[wire]!(body)))

  it('is bound by the provider, and beside the tools of the run', async () => {
    const run = await ask(wire, weather, 'native', [looks], [text(JSON.stringify(right))])
    expect([run.output, run.partial]).toEqual([right, right])
    const config = native[wire]
    expect(askedBy(run)).toEqual([
      { tools: ['look'], config },
      { tools: ['look'], config },
    ])
  })

  it('wrong, then right: asked for again, in the same words', async () => {
    const run = await ask(wire, weather, 'native', [text('{"city":7,"readings":[]}')], [text('What?')], [text(JSON.stringify(right))])
    expect(run.output).toEqual(right)
    expect(askedBy(run)).toEqual([1, 2, 3].map(() => ({ tools: ['look'], config: native[wire] })))
  })

  it('is the call of a tool, at last of that alone', async () => {
    const run = await ask(wire, weather, 'tool', [looks], [text('It rains.')], [call('final_answer', right, 'call_2')])
    expect([run.output, run.partial]).toEqual([right, right])
    expect(askedBy(run)).toEqual([
      { tools: ['final_answer', 'look'] },
      { tools: ['final_answer', 'look'] },
      { tools: ['final_answer'], choice: forced[wire] },
    ])
    expect(JSON.stringify(run.bodies[0])).toContain('"millimetres"')
  })

  it('wrong, then right, by the tool', async () => {
    const run = await ask(wire, weather, 'tool', [call('final_answer', { city: 7 }, 'call_1')], [call('final_answer', right, 'call_2')])
    expect([run.output, run.bodies.length]).toEqual([right, 2])
  })

  it('is wrapped where it is no object', async () => {
    const list = z.array(z.string())
    const run = await ask(wire, list, 'native', [text('{"value":["a"]}')])
    expect([run.output, run.partial, run.bodies.length]).toEqual([['a'], ['a'], 1])
    expect(JSON.stringify(run.bodies[0])).toContain(wire === 'bedrock' ? '\\"value\\":{\\"type\\":\\"array\\"' : '"value":{"type":"array"')
  })

  type Tree = { readonly name: string; readonly children: readonly Tree[] }
  const tree: z.ZodType<Tree> = z.object({
    name: z.string(),
    get children() {
      return z.array(tree)
    },
  })
  const free = z.object({ counts: z.record(z.string(), z.number()) })

  it.each<readonly [string, Schema, JsonValue, readonly string[]]>([
    // Theirs cannot be bound to a schema that contains itself.
    ['contains itself', tree, { name: 'a', children: [{ name: 'b', children: [] }] }, ['openai responses', 'openai chat']],
    // Theirs closes every object: no key that is not listed could come.
    ['has free keys', free, { counts: { a: 1 } }, ['openai responses', 'openai chat', 'google']],
  ])('that %s goes the way that the provider can', async (_what, schema, value, binding) => {
    const isNative = binding.includes(wire)
    const given = isNative ? text(JSON.stringify(value)) : call('final_answer', value, 'call_2')
    const run = await ask(wire, schema, 'auto', [looks], [given])
    expect([run.output, run.bodies.length]).toEqual([value, 2])
    const [first] = askedBy(run) as readonly JsonObject[]
    expect([first!['tools'], first!['config'] !== undefined]).toEqual(isNative ? [['look'], true] : [['final_answer', 'look'], false])
  })
})

it('is asked for in words where thinking forbids a forced choice', async () => {
  const run = await ask('anthropic, thinking', weather, 'tool', [text('It rains.')], [call('final_answer', right, 'call_1')])
  expect(run.output).toEqual(right)
  const [first, second] = run.bodies.map((body) => plain(asking['anthropic']!(body)))
  expect([first, second]).toEqual([{ tools: ['final_answer', 'look'] }, { tools: ['final_answer'] }])
  expect(JSON.stringify(run.bodies[1]!['messages'].at(-1))).toContain('Give your answer now, by calling the tool final_answer.')
})
