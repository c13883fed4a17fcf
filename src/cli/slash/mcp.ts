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
      // Without it the agent goes on; whoever asks wants to know why it has no tools.
      let fault: string | undefined
      const warn = (code: string, message: string): void => {
        if (code === 'mcp_unavailable') fault = message
        else notes.warn(message)
      }
      const tools = await server.loadTools({ signal, warn }).then(
        (loaded) =>
          fault === undefined
            ? `${counted(loaded.length, 'tool')}${loaded.length === 0 ? '' : `: ${loaded.map(({ name }) => name).join(', ')}`}`
            : `cannot be used: ${fault}`,
        (error: unknown) => `cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      )
      out.line(showControls(`${server.name ?? 'server'}: ${tools}`))
    }
  },
}
