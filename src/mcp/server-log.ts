import { headOf } from '../util/text.ts'
import type { McpLog, McpLogLevel } from './options.ts'
import type { Session } from './session.ts'

const isWarning = (level: McpLogLevel): boolean => !['debug', 'info', 'notice'].includes(level)

/** What agents are warned of, if the log is worth it. */
export function warningFrom({ level, data }: McpLog, serverName: string): string | undefined {
  if (!isWarning(level)) return undefined
  const said = typeof data === 'string' ? data : JSON.stringify(data)
  return `The MCP server "${serverName}" says (${level}): ${headOf(said ?? '', 1000)}`
}

/** Before the newest revision a server is told once how much to log; since then each request says it. */
export async function setLogLevel({ client }: Session, level: McpLogLevel | undefined): Promise<void> {
  if (level === undefined || client.getProtocolEra() === 'modern' || !client.getServerCapabilities()?.logging) return
  await client.setLoggingLevel(level)
}
