import { describe, expect, it, onTestFinished } from 'vitest'
import { Agent, jsonSchema, tool } from 'lena-agent'
import type { Tool } from 'lena-agent'
import { McpClient } from 'lena-agent/mcp'
import { scriptedModel } from 'lena-agent/testing'
import { refuseUnhandled } from '../support/unhandled.ts'
import { overHttp } from './support/official-client.ts'
import type { Revision } from './support/official-client.ts'
import { serving } from './support/serving.ts'

refuseUnhandled()

const revisions: readonly Revision[] = ['2025-11-25', '2026-07-28']
const sum = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
const list = { type: 'array', items: { type: 'number' } }

/** A tool that promises and gives this. */
const giving = (outputSchema: object, value: unknown): Tool => ({
  ...tool({ name: 'give', description: 'Gives.', inputSchema: jsonSchema({ type: 'object', properties: {} }), execute: () => value }),
  name: 'give',
  outputSchema: outputSchema as never,
})

describe.each(revisions)('a tool that promises a shape is served, in the revision %s', { timeout: 60_000 }, (revision) => {
  /** What the official client is told of the tool, and gets by it: it refuses a result that does not fit. */
  async function seen(served: Tool) {
    const { url } = await serving([served])
    const client = await overHttp(revision, url)
    onTestFinished(() => client.close())
    const { tools } = await client.listTools()
    const { content, structuredContent, isError } = await client.callTool({ name: served.name, arguments: {} })
    return { outputSchema: tools[0]!.outputSchema, content, structuredContent, isError }
  }
  const text = (said: string): object[] => [{ type: 'text', text: said }]

  it('with its schema, and what it returns as structured content', async () => {
    expect(await seen(giving(sum, { sum: 3 }))).toEqual({ outputSchema: sum, content: text('{"sum":3}'), structuredContent: { sum: 3 } })
  })

  it('with the structured content that it gives by itself', async () => {
    const given = { status: 'success', content: 'Three.', structuredContent: { sum: 3 } }
    expect(await seen(giving(sum, given))).toEqual({ outputSchema: sum, content: text('Three.'), structuredContent: { sum: 3 } })
  })

  it('with the value of a block of JSON', async () => {
    expect(await seen(giving(sum, [{ type: 'json', value: { sum: 3 } }]))).toMatchObject({ structuredContent: { sum: 3 } })
  })

  it('with an error that keeps what came where it does not fit', async () => {
    expect(await seen(giving(sum, { sum: 'three' }))).toEqual({
      outputSchema: sum,
      content: [
        ...text('{"sum":"three"}'),
        ...text('The tool give ran, but its structured result is not what it promises:\n- sum: expected number'),
      ],
      structuredContent: undefined,
      isError: true,
    })
    expect(await seen(giving(sum, { status: 'success', content: 'Three.' }))).toMatchObject({
      content: [...text('Three.'), ...text('The tool give ran, but gave no structured result, although it promises one.')],
      isError: true,
    })
  })

  it('with its own failure as it is', async () => {
    const failing = { ...giving(sum, {}), run: () => Promise.reject(new RangeError('Too far.')) }
    expect(await seen(failing)).toMatchObject({ content: text('RangeError: Too far.'), isError: true })
  })

  it('with a list, which older revisions have in an object', async () => {
    const isOld = revision === '2025-11-25'
    expect(await seen(giving(list, [1, 2]))).toEqual({
      outputSchema: isOld ? { type: 'object', properties: { result: list }, required: ['result'] } : list,
      content: text('[1,2]'),
      structuredContent: isOld ? { result: [1, 2] } : [1, 2],
    })
  })

  it('as an agent that gives an answer of a shape', async () => {
    const model = scriptedModel({ calls: [{ name: 'final_answer', input: { sum: 3 } }] })
    const agent = new Agent({ name: 'adder', model })
    const { url } = await serving([agent.asTool({ output: sum })])
    const client = await overHttp(revision, url)
    onTestFinished(() => client.close())
    expect((await client.listTools()).tools).toMatchObject([{ name: 'adder', outputSchema: sum }])
    expect(await client.callTool({ name: 'adder', arguments: { input: 'Add.' } })).toMatchObject({
      content: text('{"sum":3}'),
      structuredContent: { sum: 3 },
    })
  })

  it('and served on by a client of ours, with nothing lost', async () => {
    const first = await serving([giving(sum, { sum: 3 })])
    await using between = new McpClient({ url: first.url })
    expect(await seen((await between.listTools())[0]!)).toEqual({
      outputSchema: sum,
      content: text('{"sum":3}'),
      structuredContent: { sum: 3 },
    })
  })
})
