import type { CommandEntry } from '../command.ts'

export const models: CommandEntry = {
  name: 'models',
  summary: 'what --model takes',
  about: 'Lists what --model takes, and which model is used when it is not given.',
  forms: ['models [OPTIONS]'],
  options: ['output', 'model', 'cwd'],
  takes: 'none',
  load: async () => (await import('../list-models.ts')).listModels,
}
