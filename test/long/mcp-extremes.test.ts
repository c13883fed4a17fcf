import { describe, expect, it, onTestFinished } from 'vitest'
import { Agent } from 'lena-agent'
import type { ToolResultBlock } from 'lena-agent'
import { McpClient, serveMcp } from 'lena-agent/mcp'
import { scriptedModel } from 'lena-agent/testing'
import { jsonSchema, tool } from 'lena-agent'
import { oddClientOver, transports } from '../mcp/support/bridge.ts'
import { oddClient, oddProgram } from '../mcp/support/odd.ts'

const textOf = (result: { readonly content: readonly unknown[] }): string => (result.content[0] as { text: string }).text

const bytes = 50 * 1024 * 1024

describe('an extreme server', () => {
  it('with 10,000 tools has them all, in one list and page by page', async () => {
    for (const pages of [false, true]) {
      const tools = await oddClient({ many: 10_000, pages }).listTools()
      expect([tools.length, tools.at(-1)!.name]).toEqual([10_000, 'tool_9999'])
    }
  })

  it('with a result of 50 MB is used on', async () => {
    const client = oddClient()
    expect(textOf(await client.callTool('big', { bytes }))).toHaveLength(bytes)
    expect(textOf(await client.callTool('echo', { n: 1 }))).toBe('{"n":1}')
  })

  it('with a result of 50 MB over HTTP is used on', async () => {
    const big = tool({
      name: 'big',
      description: 'Gives much.',
      inputSchema: jsonSchema<{ bytes: number }>({ type: 'object', properties: { bytes: { type: 'number' } } }),
      execute: (input) => 'x'.repeat(input.bytes),
    })
    const service = await serveMcp({ tools: [big] }, { transport: { port: 0 } })
    onTestFinished(() => service.close())
    const client = new McpClient({ url: service.url! })
    onTestFinished(() => client.close())
    expect(textOf(await client.callTool('big', { bytes }))).toHaveLength(bytes)
    expect(textOf(await client.callTool('big', { bytes: 3 }))).toBe('xxx')
  })

  it.each(transports)('with 10,000 tools over %s has them all on offer for an agent, and the last is called', async (over) => {
    const model = scriptedModel({ calls: [{ name: 'tool_9999', input: { n: 9999 } }] }, { text: 'ok' })
    const agent = new Agent({ model, tools: [await oddClientOver(over, { many: 10_000, pages: true })] })
    onTestFinished(() => agent.close())
    expect((await agent.invoke('go')).text).toBe('ok')
    expect(model.requests[0]!.tools.length).toBe(10_000)
    expect(agent.messages[2]).toMatchObject({ content: [{ status: 'success', content: [{ text: '{"n":9999}' }] }] })
  })

  it.each(transports)('with a result of 50 MB over %s leaves an agent usable', async (over) => {
    const model = scriptedModel({ calls: [{ name: 'big', input: { bytes } }] }, { calls: [{ name: 'echo', input: {} }] }, { text: 'ok' })
    const agent = new Agent({ model, tools: [await oddClientOver(over)] })
    onTestFinished(() => agent.close())
    expect((await agent.invoke('go')).text).toBe('ok')
    const results = agent.messages.flatMap(({ content }) =>
      content.filter((block): block is ToolResultBlock => block.type === 'tool_result'),
    )
    expect(results.map(({ status }) => status)).toEqual(['success', 'success'])
    // Beyond its budget a result goes to the store, and the history holds a reference.
    expect(JSON.stringify(results[0]).length).toBeLessThan(100_000)
  })

  it('that runs longer than its time, with progress, is let run', async () => {
    const client = oddClient({}, { timeoutMs: 1000 })
    expect(textOf(await client.callTool('progress', { steps: 15, everyMs: 200 }))).toBe('done')
  })

  it('that never answers a call, or the first request, ends in time and leaves the agent usable', async () => {
    const model = scriptedModel({ calls: [{ name: 'never', input: {} }] }, { calls: [{ name: 'echo', input: {} }] }, { text: 'ok' })
    const silent = new McpClient({ ...oddProgram({ silentStart: true }), name: 'silent', startTimeoutMs: 1000, failOpen: true })
    const agent = new Agent({ model, tools: [oddClient({}, { timeoutMs: 1000 }), silent] })
    onTestFinished(() => agent.close())
    expect((await agent.invoke('go')).text).toBe('ok')
    const results = agent.messages.flatMap(({ content }) =>
      content.filter((block): block is ToolResultBlock => block.type === 'tool_result'),
    )
    expect(results.map(({ status, code }) => [status, code])).toEqual([
      ['error', 'timeout'],
      ['success', undefined],
    ])
  })
})
