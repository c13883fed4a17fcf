import type { CommandEntry } from '../command.ts'

export const config: CommandEntry = {
  name: 'config',
  summary: 'the settings, and where each comes from',
  about: `Shows and changes the settings. A setting comes from an option, else from the environment, else from the project
(.lena/config.json, once the folder is trusted), else from the user (the file that \`lena config path\` names). A value is JSON, or plain text.
"trust" trusts the settings and the AGENTS.md of the project as they are now. "set KEY" without a value takes the setting out.`,
  forms: [
    'config [list]',
    'config get KEY',
    'config set KEY [VALUE] [--project]',
    'config path [--project]',
    'config schema',
    'config trust',
  ],
  options: ['output', 'cwd', 'project'],
  takes: 'words',
  verbs: ['list', 'get', 'set', 'path', 'schema', 'trust'],
  load: async () => (await import('../config/command.ts')).configCommand,
}
