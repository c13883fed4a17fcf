/**
 * The client that the MCP conformance suite drives: one scenario a run, with `McpClient` alone. The suite names the scenario in the
 * environment and gives the server's address as the last argument. Which revision of the protocol is spoken, the client finds out.
 */
import { ClientCredentialsProvider, PrivateKeyJwtProvider } from '@modelcontextprotocol/client'
import { McpClient, terminalAuth, type McpAuth, type McpClientOptions } from '../src/mcp/index.ts'
import type { JsonObject } from '../src/util/json.ts'

const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  readonly client_id?: string
  readonly client_secret?: string
  readonly private_key_pem?: string
  readonly signing_algorithm?: string
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
const user = await terminalAuth({
  openUrl: (page) => void fetch(page).catch(() => {}),
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  ...(context.client_id !== undefined && {
    client: { client_id: context.client_id, ...(context.client_secret !== undefined && { client_secret: context.client_secret }) },
  }),
})

/** A machine logs in as itself. */
function machine(): McpAuth | undefined {
  const { client_id: clientId = '', client_secret: clientSecret = '', private_key_pem: privateKey = '', signing_algorithm } = context
  if (scenario === 'auth/client-credentials-basic') return new ClientCredentialsProvider({ clientId, clientSecret })
  if (scenario === 'auth/client-credentials-jwt')
    return new PrivateKeyJwtProvider({ clientId, privateKey, algorithm: signing_algorithm ?? 'ES256' })
  return undefined
}

const options: McpClientOptions = {
  url,
  ...(scenario.startsWith('auth/') && { auth: machine() ?? user }),
  ...(withoutDiscovery.includes(scenario) && { fetch: answerDiscovery }),
  elicitation: ({ mode }) => ({ action: 'accept', content: mode === 'form' && scenario.startsWith('sep-2322') ? { confirmed: true } : {} }),
  sampling: () => ({ role: 'assistant', content: { type: 'text', text: 'Hello.' }, model: 'none' }),
  roots: [],
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
