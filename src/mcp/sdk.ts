import type * as client from '@modelcontextprotocol/client'
import type * as server from '@modelcontextprotocol/server'
import type * as serverStdio from '@modelcontextprotocol/server/stdio'
import { McpError } from './mcp-error.ts'

/** As much of the official client library as is used here. */
export type ClientSdk = Pick<
  typeof client,
  | 'Client'
  | 'ProtocolError'
  | 'SdkError'
  | 'SdkHttpError'
  | 'SSEClientTransport'
  | 'SseError'
  | 'StreamableHTTPClientTransport'
  | 'UnauthorizedError'
  | 'LOG_LEVEL_META_KEY'
  | 'isSpecType'
>
export type ServerSdk = Pick<
  typeof server,
  | 'Server'
  | 'WebStandardStreamableHTTPServerTransport'
  | 'createMcpHandler'
  | 'hostHeaderValidationResponse'
  | 'isInitializeRequest'
  | 'isLegacyRequest'
  | 'originValidationResponse'
> &
  Pick<typeof serverStdio, 'serveStdio' | 'StdioServerTransport'>

/** The two places where the library is loaded: who does not use MCP need not have it. */
const importClient = (): Promise<ClientSdk> => import('@modelcontextprotocol/client')
const importServer = async (): Promise<ServerSdk> => ({
  ...(await import('@modelcontextprotocol/server')),
  ...(await import('@modelcontextprotocol/server/stdio')),
})

/** @throws {McpError} that says what to install. */
export const loadClientSdk = (load: () => Promise<ClientSdk> = importClient): Promise<ClientSdk> =>
  orMissing('@modelcontextprotocol/client', 'talks to MCP servers', load)

/** @throws {McpError} that says what to install. */
export const loadServerSdk = (load: () => Promise<ServerSdk> = importServer): Promise<ServerSdk> =>
  orMissing('@modelcontextprotocol/server', 'answers MCP clients', load)

async function orMissing<T>(packageName: string, what: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new McpError(
      'package_missing',
      `Could not load the package ${packageName}, which ${what}. Install it: npm install ${packageName}`,
      { cause },
    )
  }
}
