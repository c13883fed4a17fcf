import type { CommandEntry } from '../command.ts'

export const mcp: CommandEntry = {
  name: 'mcp',
  summary: 'the MCP servers whose tools the model may call',
  about: `Lists, adds, removes and tries MCP servers, logs in to them, and trusts those that the project names in its .mcp.json.
\`list\` starts nothing. What belongs to the command of a server stands behind "--".
  --scope user|project   whose file it stands in (default: user)
  --url, --transport http|sse, --header "K: V"   a server that is reached over the network
  --env K=V, --force     variables of a server's process; put it in the place of another of its name`,
  forms: [
    'mcp [list]',
    'mcp add NAME [--env K=V] -- COMMAND ARGUMENTS…',
    'mcp add NAME --url URL [--header "K: V"]',
    'mcp remove NAME',
    'mcp test [NAME]',
    'mcp login NAME',
    'mcp logout NAME',
    'mcp trust',
    'mcp untrust',
  ],
  options: ['output', 'mcp-config', 'cwd'],
  takes: 'raw',
  verbs: ['list', 'add', 'remove', 'test', 'login', 'logout', 'trust', 'untrust'],
  load: async () => (await import('../mcp/command.ts')).mcpCommand,
}
