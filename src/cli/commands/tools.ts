import type { CommandEntry } from '../command.ts'

export const tools: CommandEntry = {
  name: 'tools',
  summary: 'the tools, their flags and the budgets of their results',
  about: `Lists the tools that the model can call: whether a tool only reads, may do what cannot be undone, and may run beside
others; and how many characters of a result the model gets. "by input" is decided for each call.`,
  forms: ['tools [OPTIONS]'],
  options: ['output', 'cwd'],
  takes: 'none',
  load: async () => (await import('../list-tools.ts')).listTools,
}
