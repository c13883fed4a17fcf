import { onTestFinished, expect, it } from 'vitest'
import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { Agent } from '../../src/agent/agent.ts'
import { McpClient, serveMcp } from '../../src/mcp/index.ts'
import type { McpHttp, McpServedCall } from '../../src/mcp/index.ts'
import { mcpServedTrace, mcpTraceContext, telemetry } from '../../src/telemetry/index.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { call, modernCall, send } from '../mcp/support/raw-http.ts'
import { answering, calling, made, observed } from './support/scripts.ts'
import { inMemory, useContext } from './support/telemetered.ts'
import { traceContext, useTraceContext } from './support/trace-context.ts'

const timeout = 60_000
useContext()
useTraceContext()

/** What spans a server would make, as a program registers it. */
function registered() {
  const seen = inMemory()
  trace.setGlobalTracerProvider(seen.providers.tracerProvider)
  onTestFinished(() => trace.disable())
  return seen
}

async function serving(...[served, options]: Parameters<typeof serveMcp>): Promise<string> {
  const service = await serveMcp(served, { around: mcpServedTrace, ...options, transport: { port: 0 } satisfies McpHttp })
  onTestFinished(() => service.close())
  return service.url!
}

it.each(['2025-11-25', '2026-07-28'])(
  'goes on in a served agent: its spans are below that of the caller (%s)',
  async (protocolVersion) => {
    const there = registered()
    const helper = new Agent({
      name: 'helper',
      description: 'Helps.',
      model: scriptedModel(calling('look'), answering('Seen.')),
      tools: [made('look', () => 'A tree.')],
      plugins: [telemetry(there.providers)],
    })
    const client = new McpClient({ url: await serving({ agent: helper }), protocolVersion, meta: mcpTraceContext })
    onTestFinished(() => client.close())
    const { agent, spans } = observed([calling('helper', { input: 'Look.' }), answering()], { tools: [client] })
    await agent.invoke('Go.')
    const asking = spans()
      .find(({ name }) => name === 'execute_tool helper')!
      .spanContext()
    const parentOf = Object.fromEntries(
      there
        .spans()
        .map(({ name, parentSpanContext }) => [
          name,
          parentSpanContext?.spanId === asking.spanId
            ? 'the caller'
            : there.spans().find((span) => span.spanContext().spanId === parentSpanContext?.spanId)?.name,
        ]),
    )
    expect(parentOf).toEqual({
      'tools/call helper': 'the caller',
      'invoke_agent helper': 'tools/call helper',
      'chat scripted': 'invoke_agent helper',
      'execute_tool look': 'invoke_agent helper',
    })
    expect(new Set(there.spans().map((span) => span.spanContext().traceId))).toEqual(new Set([asking.traceId]))
    expect(there.spans().find(({ name }) => name === 'tools/call helper')).toMatchObject({
      kind: SpanKind.SERVER,
      attributes: { 'mcp.method.name': 'tools/call', 'mcp.protocol.version': protocolVersion, 'gen_ai.tool.name': 'helper' },
    })
  },
  timeout,
)

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
const other = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`

it('is active in a served tool, and tells of its failure', { timeout }, async () => {
  const there = registered()
  const fail = made('fail', () => {
    trace.getTracer('tool').startSpan('inside').end()
    throw new RangeError('Too far.')
  })
  const url = await serving({ tools: [fail] })
  await send(url, 'POST', call(1, 'fail'), { traceparent })
  expect(there.tree()).toEqual([])
  const [inside, served] = there.spans()
  expect([inside?.name, inside?.parentSpanContext?.spanId]).toEqual(['inside', served?.spanContext().spanId])
  expect([served?.name, served?.parentSpanContext?.spanId, served?.attributes['error.type'], served?.status]).toEqual([
    'tools/call fail',
    'b'.repeat(16),
    'RangeError',
    { code: 2 },
  ])
})

it('has a span of its own in a trace of its own when the caller has none', { timeout }, async () => {
  const there = registered()
  const url = await serving({ tools: [made('work', () => 'Done.')] })
  await send(url, 'POST', call(1, 'work'))
  expect(there.tree()).toMatchObject([{ name: 'tools/call work', kind: 'SERVER' }])
})

it('stays below a span of this process that is of the same trace', { timeout }, async () => {
  const there = registered()
  const tracer = trace.getTracer('http')
  const remote = traceContext.extract(ROOT_CONTEXT, { traceparent }, { get: (carrier) => carrier.traceparent, keys: () => [] })
  const run = async () => ({ status: 'success', content: [] }) as const
  const served = (): Promise<unknown> =>
    mcpServedTrace({ method: 'tools/call', toolName: 'work', protocolVersion: undefined, traceContext: { traceparent } }, run)
  await tracer.startActiveSpan('POST /mcp', {}, remote, async (span) => {
    await served()
    span.end()
  })
  const [call_, http] = there.spans()
  expect([call_?.name, call_?.parentSpanContext?.spanId]).toEqual(['tools/call work', http?.spanContext().spanId])
})

it.each([
  ['of the headers', {}, { traceparent, tracestate: 'a=1' }, { traceparent, tracestate: 'a=1' }],
  [
    'of `_meta` before that of the headers',
    { traceparent: other, baggage: 'k=v' },
    { traceparent, tracestate: 'a=1' },
    { traceparent: other, baggage: 'k=v' },
  ],
  ['that is none left out', { traceparent: 17 }, {}, {}],
  ['that is too long left out', { traceparent, tracestate: 'x'.repeat(9000) }, {}, { traceparent }],
])('is told to whoever is around a call, the one %s', { timeout }, async (_, meta, headers, expected) => {
  const calls: McpServedCall[] = []
  const url = await serving({ tools: [made('work', () => 'Done.')] }, { around: (served, run) => (calls.push(served), run()) })
  const [body, own] = modernCall(1, 'work', meta)
  expect((await send(url, 'POST', body, { ...own, ...headers })).status).toBe(200)
  expect(calls).toEqual([{ method: 'tools/call', toolName: 'work', protocolVersion: '2026-07-28', traceContext: expected }])
})

it('fails the call, and nothing else, when what is around it throws', { timeout }, async () => {
  const url = await serving(
    { tools: [made('work', () => 'Done.')] },
    {
      around: () => {
        throw new RangeError('Not here.')
      },
    },
  )
  const { status, body } = await send(url, 'POST', ...modernCall(1, 'work'))
  expect([status, JSON.parse(body)]).toMatchObject([200, { result: { isError: true, content: [{ text: 'RangeError: Not here.' }] } }])
})
