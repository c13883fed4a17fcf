import { names } from './conventions.ts'
import { loadedApi } from './peer.ts'

/** What the client of an MCP server says of a request that it is about to send. */
type McpRequest = { readonly method: string; readonly protocolVersion?: string | undefined }

/**
 * Hands the trace on to MCP servers: `new McpClient({ …, meta: mcpTraceContext })`. Each request then has the active context in `_meta`, as the registered
 * propagator writes it (`traceparent`, `tracestate`, `baggage`), and the call's span says that it is one of MCP.
 *
 * It is to be used beside the plug-in `telemetry()`, which loads the API.
 */
export function mcpTraceContext({ method, protocolVersion }: McpRequest): Record<string, string> {
  const carrier: Record<string, string> = {}
  const api = loadedApi()
  if (!api) return carrier
  const active = api.context.active()
  api.trace.getSpan(active)?.setAttributes({
    [names.mcpMethod]: method,
    ...(protocolVersion !== undefined && { [names.mcpProtocolVersion]: protocolVersion }),
  })
  api.propagation.inject(active, carrier)
  return carrier
}
