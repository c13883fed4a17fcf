import type { CommandEntry } from '../command.ts'

export const trace: CommandEntry = {
  name: 'trace',
  summary: 'what happened in a task that was given --trace',
  about: `Shows a trace as a tree, with times, tokens and costs: FILE, or the newest that was written without a name.`,
  forms: ['trace [FILE|last]'],
  options: ['output', 'quiet', 'cwd'],
  takes: 'words',
  load: async () => (await import('../trace/command.ts')).traceCommand,
}
