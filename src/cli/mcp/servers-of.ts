import type { AskTrust } from '../trust/ask-trust.ts'
import { isObeyed } from '../trust/is-obeyed.ts'
import { trustStore } from '../trust/trust-store.ts'
import { visible } from '../trust/visible.ts'
import type { Io } from '../io.ts'
import type { McpFile } from './config-files.ts'
import { describeServer, quoted } from './describe-server.ts'

/** A server that counts: of several with one name, the one that goes before. */
export type McpServer = { readonly name: string; readonly server: unknown; readonly file: McpFile }

export const howToTrust = 'Trust it with `lena mcp trust`, or give it with --mcp-config.'

export type Trusting = {
  readonly io: Pick<Io, 'env' | 'platform'>
  readonly ask?: AskTrust | undefined
  readonly warn: (text: string) => void
  readonly signal: AbortSignal
}

/** The files that may be used: those of the user, and the project's once it is trusted. Asks whoever can be asked. */
export async function trustedFiles(files: readonly McpFile[], trusting: Trusting): Promise<readonly McpFile[]> {
  const used: McpFile[] = []
  for (const file of files) if (await isUsed(file, trusting)) used.push(file)
  return used
}

async function isUsed({ project, servers }: McpFile, { io, ...rest }: Trusting): Promise<boolean> {
  if (!project || servers.size === 0) return true
  const does = `would have Lena use ${servers.size === 1 ? 'this MCP server' : `these ${servers.size} MCP servers`}: ${visible([...servers.keys()].map(quoted).join(', '), 200)}`
  return await isObeyed(project, { does, lines: describeServers(servers), how: howToTrust }, { ...rest, store: trustStore(io) })
}

export const describeServers = (servers: ReadonlyMap<string, unknown>): readonly string[] =>
  [...servers].flatMap(([name, server]) => describeServer(name, server))

/** One server for each name: a later file goes before. */
export function serversOf(files: readonly McpFile[]): readonly McpServer[] {
  const servers = new Map<string, McpServer>()
  for (const file of files) for (const [name, server] of file.servers) servers.set(name, { name, server, file })
  return [...servers.values()]
}
