import type { CommandEntry } from '../command.ts'

export const sessions: CommandEntry = {
  name: 'sessions',
  summary: 'the conversations that were kept',
  about: `Lists the conversations of this folder, the last first; shows one, makes a copy to go on from, removes one.
The beginning of an id is enough. \`lena --resume ID\` goes on with one.`,
  forms: ['sessions [list] [--all]', 'sessions show ID', 'sessions fork ID', 'sessions remove ID…'],
  options: ['output', 'cwd', 'all'],
  takes: 'words',
  verbs: ['list', 'show', 'fork', 'remove'],
  load: async () => (await import('../sessions/command.ts')).sessionsCommand,
}
