import type { CommandEntry } from '../command.ts'

export const completion: CommandEntry = {
  name: 'completion',
  summary: 'a script that has the shell complete what one types',
  about: `Prints a script for the shell:
  bash   eval "$(lena completion bash)"          in ~/.bashrc
  zsh    eval "$(lena completion zsh)"           in ~/.zshrc, behind compinit
  fish   lena completion fish | source           in ~/.config/fish/config.fish`,
  forms: ['completion bash|zsh|fish'],
  options: [],
  takes: 'words',
  verbs: ['bash', 'zsh', 'fish'],
  load: async () => (await import('../completion/command.ts')).completionCommand,
}
