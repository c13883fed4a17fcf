import type { CommandEntry } from '../command.ts'

export const doctor: CommandEntry = {
  name: 'doctor',
  summary: 'is everything there that Lena works with?',
  about: `Looks at what Lena works with: Node, git, a search program, a shell, keys (whether they are set, never what they are), settings,
folders, servers of models on this machine, MCP servers, proxies. The exit code is 1 when something keeps Lena from working.`,
  forms: ['doctor [OPTIONS]'],
  options: ['output', 'cwd'],
  takes: 'none',
  load: async () => (await import('../doctor/command.ts')).doctorCommand,
}
