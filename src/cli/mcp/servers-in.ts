/** Is it an object of JSON, no list? */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The servers that a text names, by their names and as they stand there.
 *
 * @throws {Error} that names the file, for a text that is no configuration at all. One bad server is found when it is used.
 */
export async function serversIn(path: string, text: string): Promise<ReadonlyMap<string, unknown>> {
  const servers = mapOf(text)
  if (servers) return servers
  // It says what is wrong with it.
  await (await import('../../mcp/index.ts')).loadMcpConfig(path, { text })
  throw new Error(`${path} names no MCP servers.`)
}

function mapOf(text: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    const servers = isObject(parsed) ? parsed['mcpServers'] : undefined
    return isObject(servers) ? new Map(Object.entries(servers)) : undefined
  } catch {
    return undefined
  }
}
