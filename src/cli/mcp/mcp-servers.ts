import type { ToolProvider } from '../../index.ts'
import type { Elicit } from '../elicitation/at-terminal.ts'
import { mcpFiles } from './config-files.ts'
import type { McpPlace } from './config-files.ts'
import { LaterProvider } from './later-provider.ts'
import { prefixesOf } from './prefixes.ts'
import { clientOf } from './server-client.ts'
import type { ClientOptions } from './server-client.ts'
import { serversOf, trustedFiles } from './servers-of.ts'
import type { Trusting } from './servers-of.ts'

export type McpSetup = McpPlace &
  Trusting & {
    readonly io: ClientOptions['io'] & McpPlace['io']
    /** For a conversation: its first screen does not wait for the servers, its first task does. */
    readonly startsLater?: boolean | undefined
    /** Answers what servers ask a person. Default: they are told that nobody is there. */
    readonly elicit?: Elicit | undefined
    /** Names of servers that are not to be used, unless `--mcp-config` names them. */
    readonly off?: readonly string[] | undefined
    /** Only what `--mcp-config` names is used. */
    readonly isGivenAlone?: boolean | undefined
  }

/**
 * The MCP servers of a run, for the `tools` of its agent, which ends them when it is closed. They are started all at once, when the
 * tools are first needed. What cannot be used is told and left out.
 *
 * @throws {UsageError} for a `--mcp-config` that is no configuration.
 */
export async function mcpServers(setup: McpSetup): Promise<readonly ToolProvider[]> {
  const { io, workspace, warn, startsLater, elicit, off = [], isGivenAlone = false } = setup
  const { files, problems } = await mcpFiles(setup)
  if (!isGivenAlone) for (const problem of problems) warn(`${problem} Its MCP servers are left out.`)
  const wanted = files.filter(({ scope }) => !isGivenAlone || scope === 'given')
  const servers = serversOf(await trustedFiles(wanted, setup)).filter(({ name, file }) => file.scope === 'given' || !off.includes(name))
  const prefixes = prefixesOf(servers.map(({ name }) => name))
  const providers: ToolProvider[] = []
  for (const { name, server, file } of servers) {
    try {
      const client = await clientOf({ io, workspace, name, server, file, prefix: prefixes.get(name)!, warn, elicit })
      if (client) providers.push(startsLater ? new LaterProvider(client) : client)
    } catch (error) {
      warn(`The MCP server "${name}" is left out. ${(error as Error).message}`)
    }
  }
  return providers
}
