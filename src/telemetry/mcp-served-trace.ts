import type { ToolOutcome } from '../tools/tool.ts'
import { settle } from '../util/abort.ts'
import { names } from './conventions.ts'
import { outcomeError } from './observation.ts'
import { loadApi } from './peer.ts'

/** What `serveMcp` says of a call. */
type ServedCall = {
  readonly method: string
  readonly toolName: string
  readonly protocolVersion: string | undefined
  readonly traceContext: object
}

/**
 * Has the trace of MCP clients go on in what they call: `serveMcp(…, { around: mcpServedTrace })`. Each call is a span `tools/call {tool}` below that
 * of its caller, read by the registered propagator, and is active while the tool or the agent runs.
 *
 * Without the package `@opentelemetry/api`, and with nobody registered there, calls run as they would without it.
 */
export async function mcpServedTrace(call: ServedCall, run: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  const loaded = await settle(loadApi())
  if (!loaded.ok) return run()
  const { context, propagation, trace, SpanKind, SpanStatusCode } = loaded.value
  const { method, toolName, protocolVersion, traceContext } = call
  const here = context.active()
  const there = propagation.extract(here, traceContext)
  // A span of this process that is of the same trace stands between them: of its HTTP server, for instance.
  const isBetween = trace.getSpanContext(here)?.traceId === trace.getSpanContext(there)?.traceId
  const parent = isBetween ? here : there
  const attributes = { [names.mcpMethod]: method, [names.mcpProtocolVersion]: protocolVersion, [names.toolName]: toolName }
  const span = trace.getTracer('lena-agent').startSpan(`${method} ${toolName}`, { kind: SpanKind.SERVER, attributes }, parent)
  try {
    const outcome = await context.with(trace.setSpan(parent, span), run)
    const error = outcomeError(outcome)
    if (error) span.setAttribute(names.errorType, error.type).setStatus({ code: SpanStatusCode.ERROR })
    return outcome
  } finally {
    span.end()
  }
}
