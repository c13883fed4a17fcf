import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { textOf } from '../../src/messages/content.ts'
import { McpClient } from '../../src/mcp/index.ts'
import { mcpTraceContext } from '../../src/telemetry/index.ts'
import { answering, calling, observed } from './support/scripts.ts'
import { failedWith, toolSpan, useContext } from './support/telemetered.ts'
import { useTraceContext } from './support/trace-context.ts'

useContext()
useTraceContext()

const server = join(import.meta.dirname, 'support/meta-server.mjs')

function client(): McpClient {
  const made = new McpClient({ command: process.execPath, args: [server], meta: mcpTraceContext })
  onTestFinished(() => made.close())
  return made
}

const mcp = { 'mcp.method.name': 'tools/call', 'mcp.protocol.version': '2025-11-25' }

it('hands the trace on to the server, in the span of the call', async () => {
  const { agent, spans, tree } = observed([calling('show_meta'), answering()], { tools: [client()] })
  await agent.invoke('Go.')
  expect(tree()[0]?.children?.[1]).toEqual(toolSpan('show_meta', 'call_1', { with: mcp }))
  const { traceId, spanId } = spans()
    .find(({ name }) => name === 'execute_tool show_meta')!
    .spanContext()
  const [result] = agent.messages[2]!.content
  const meta = result?.type === 'tool_result' ? JSON.parse(textOf(result.content as Parameters<typeof textOf>[0])) : undefined
  expect(meta).toEqual({ progressToken: expect.anything(), traceparent: `00-${traceId}-${spanId}-01` })
}, 30_000)

it('tells of a call that the server says has failed', async () => {
  const { agent, tree } = observed([calling('show_meta', { fail: true }), answering()], { tools: [client()] })
  await agent.invoke('Go.')
  expect(tree()[0]?.children?.[1]).toEqual(toolSpan('show_meta', 'call_1', failedWith('tool_error', undefined, mcp)))
}, 30_000)

it('adds nothing to a call outside of a trace', async () => {
  const outcome = await client().callTool('show_meta')
  expect(JSON.parse(textOf(outcome.content as Parameters<typeof textOf>[0]))).toEqual({ progressToken: expect.anything() })
}, 30_000)
