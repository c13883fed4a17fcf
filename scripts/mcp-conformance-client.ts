/**
 * The client that the MCP conformance suite drives: one scenario a run, with `McpClient` alone. The suite names the scenario in the
 * environment and gives the server's address as the last argument.
 */
import { McpClient, terminalAuth, type McpClientOptions } from '../src/mcp/index.ts'
import type { JsonObject } from '../src/util/json.ts'

const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const protocolVersion = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION']
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  readonly client_id?: string
  readonly client_secret?: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[]
}
const url = process.argv.at(-1)!

/** The suite's servers for these have no `server/discover`, the request with which the newest revision begins. */
const withoutDiscovery = ['http-standard-headers', 'http-custom-headers', 'http-invalid-tool-headers', 'sep-2322-client-request-state']

const answerDiscovery: typeof fetch = async (input, init) => {
  const asked = typeof init?.body === 'string' ? (JSON.parse(init.body) as { id?: number; method?: string }) : {}
  if (asked.method !== 'server/discover') return await fetch(input, init)
  const capabilities = { tools: {}, resources: {}, prompts: {} }
  const result = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private' }
  return Response.json({ jsonrpc: '2.0', id: asked.id, result })
}

/** A user who agrees at once: the browser is a request that follows the redirects. */
const auth = await terminalAuth({
  openUrl: (page) => void fetch(page).catch(() => {}),
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  ...(context.client_id !== undefined && {
    client: { client_id: context.client_id, ...(context.client_secret !== undefined && { client_secret: context.client_secret }) },
  }),
})

const options: McpClientOptions = {
  url,
  ...(protocolVersion !== undefined && { protocolVersion }),
  ...(scenario.startsWith('auth/') && { auth }),
  ...(withoutDiscovery.includes(scenario) && { fetch: answerDiscovery }),
  elicitation: ({ mode }) => ({ action: 'accept', content: mode === 'form' && scenario.startsWith('sep-2322') ? { confirmed: true } : {} }),
  timeoutMs: 20_000,
}

await using client = new McpClient(options)
await client.connect()
const tools = await client.listTools()
if (scenario === 'http-standard-headers') {
  for (const { uri } of await client.resources.list()) await client.resources.read(uri)
  for (const { name } of await client.prompts.list()) await client.prompts.get(name)
}
const calls = context.toolCalls ?? tools.map(({ name }) => ({ name, arguments: name === 'add_numbers' ? { a: 5, b: 3 } : {} }))
for (const call of calls) console.log(call.name, JSON.stringify(await client.callTool(call.name, call.arguments)).slice(0, 500))
