import { showControls } from '../sanitise.ts'
import type { SlashCommand } from './slash-command.ts'

/** The names of the providers, once `knowModels` has looked them up. */
let known: readonly string[] = []

/** For completion, which cannot wait. Called when the agent is made, for which the same is loaded. */
export async function knowModels(): Promise<void> {
  const { providers } = await import('./catalogue.ts')
  known = providers.map(({ name }) => `${name}/`)
}

export const model: SlashCommand = {
  name: 'model',
  argument: '[NAME]',
  help: 'the model; with a name: go on with that one',
  async run(talk, argument) {
    const { modelInfo } = await import('./catalogue.ts')
    if (argument !== '') await talk.goOn({ model: argument })
    const { name, by } = talk.model
    const window = modelInfo(name)?.contextWindow
    talk.out.line(
      `Model ${showControls(name)}${by === 'nothing' ? '' : ` (${by})`}${window === undefined ? '' : `, takes ${window.toLocaleString('en-US')} tokens`}.`,
    )
  },
  completions: () => ['offline', ...known],
}
