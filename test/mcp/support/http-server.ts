import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
// Loaded beforehand, so that it does not count as time of the first test.
// oxlint-disable-next-line import/no-unassigned-import -- it is loaded for that alone
import '@modelcontextprotocol/client'
import { McpClient } from 'lena-agent/mcp'
import type { McpClientSettings } from 'lena-agent/mcp'

/** A server of this process that answers by hand; it is gone when the test is over. */
export async function listen(
  answer: (request: IncomingMessage, response: ServerResponse, body: any) => void,
): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(request, response, bodyOf(request, Buffer.concat(chunks).toString())))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, server }
}

/** JSON as a value, anything else as a text. */
function bodyOf({ headers }: IncomingMessage, text: string): unknown {
  if (text === '') return undefined
  return headers['content-type']?.includes('json') ? JSON.parse(text) : text
}

export function json(response: ServerResponse, status: number, body?: object, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(body === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', ...body }))
}

export type Revision = '2025-11-25' | '2026-07-28'
/** What the server answers to a method: a result, or `refuse()`. */
export type Methods = Readonly<Record<string, (params: any) => object>>
class Refusal {
  readonly error: object
  constructor(error: object) {
    this.error = error
  }
}

/** An answer that is an error. */
const refuse = (code: number, message: string, data?: unknown): object => new Refusal({ code, message, data })

/** A request that the server has got. */
export type Heard = { readonly method: string; readonly params: Readonly<Record<string, unknown>> }

export type HandMade = { readonly client: McpClient; readonly heard: Heard[]; readonly url: string }

/** A server of one revision, by hand, and a client of it. */
export async function handMade(
  revision: Revision,
  methods: Methods,
  { capabilities = {}, ...settings }: McpClientSettings & { readonly capabilities?: object } = {},
): Promise<HandMade> {
  const heard: Heard[] = []
  const all = { tools: {}, ...capabilities }
  const greeting: Methods =
    revision === '2025-11-25'
      ? { initialize: () => ({ protocolVersion: revision, capabilities: all, serverInfo: { name: 'hand', version: '1' } }) }
      : { 'server/discover': () => ({ supportedVersions: [revision], capabilities: all, ttlMs: 0, cacheScope: 'private' }) }
  const known: Methods = { ...greeting, 'tools/list': () => ({ tools: [], ttlMs: 0, cacheScope: 'private' }), ...methods }
  const { url } = await listen((request, response, body) => {
    if (request.method !== 'POST') return json(response, 405)
    const { id, method, params = {} } = body as { id?: number; method: string; params?: Record<string, unknown> }
    heard.push({ method, params })
    if (id === undefined) return json(response, 202)
    const answer = known[method]?.(params) ?? refuse(-32601, `Method not found: ${method}`)
    json(response, 200, { id, ...(answer instanceof Refusal ? { error: answer.error } : { result: answer }) })
  })
  const client = new McpClient({ url, name: 'hand', ...settings })
  onTestFinished(() => client.close())
  return { client, heard, url }
}
