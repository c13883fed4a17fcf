import { showControls } from '../sanitise.ts'
import { counted } from '../tool-line.ts'
import type { SlashCommand } from './slash-command.ts'

export const mcp: SlashCommand = {
  name: 'mcp',
  help: 'the MCP servers in use, and their tools',
  async run({ agent, out, notes, servers, signal }) {
    if (servers.length === 0) return out.line('No MCP server is in use. `lena mcp` lists what is configured.')
    // They are started with the first task; whoever asks wants to know now.
    await agent.ready({ signal })
    for (const server of servers) {
      const tools = await server.loadTools({ signal, warn: (_code, message) => notes.warn(message) }).then(
        (loaded) => `${counted(loaded.length, 'tool')}${loaded.length === 0 ? '' : `: ${loaded.map(({ name }) => name).join(', ')}`}`,
        (error: unknown) => `cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      )
      out.line(showControls(`${server.name ?? 'server'}: ${tools}`))
    }
  },
}
