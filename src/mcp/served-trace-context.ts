import type { ServerContext } from '@modelcontextprotocol/server'

/** As W3C Trace Context and W3C Baggage write it. */
export type McpTraceContext = { readonly traceparent?: string; readonly tracestate?: string; readonly baggage?: string }

const names = ['traceparent', 'tracestate', 'baggage'] as const
/** No more than a propagator takes of a header. */
const longest = 8192

/** What stands in `_meta` goes before the headers: a proxy on the way may have put its own there. */
export function traceContextOf({ mcpReq, http }: ServerContext): McpTraceContext {
  const meta: Readonly<Record<string, unknown>> | undefined = mcpReq._meta
  const headers = http?.req?.headers
  const from = typeof meta?.['traceparent'] === 'string' ? (name: string) => meta[name] : (name: string) => headers?.get(name)
  const found: { -readonly [name in keyof McpTraceContext]: string } = {}
  for (const name of names) {
    const value = from(name)
    if (typeof value === 'string' && value.length <= longest) found[name] = value
  }
  return found
}
