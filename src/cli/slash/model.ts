import { modelInfo, providers } from '../../index.ts'
import { showControls } from '../sanitise.ts'
import type { SlashCommand } from './slash-command.ts'

export const model: SlashCommand = {
  name: 'model',
  argument: '[NAME]',
  help: 'the model; with a name: go on with that one',
  async run(talk, argument) {
    if (argument !== '') await talk.goOn({ model: argument })
    const { name, by } = talk.model
    const window = modelInfo(name)?.contextWindow
    talk.out.line(
      `Model ${showControls(name)}${by === 'nothing' ? '' : ` (${by})`}${window === undefined ? '' : `, takes ${window.toLocaleString('en-US')} tokens`}.`,
    )
  },
  completions: () => ['offline', ...providers.map(({ name }) => `${name}/`)],
}
