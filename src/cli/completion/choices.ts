import { providers } from '../../index.ts'
import type { CommandEntry } from '../command.ts'
import { commands } from '../commands/index.ts'
import { settingNames } from '../config/setting-table.ts'
import type { OptionName } from '../option-table.ts'
import { rowOf } from '../option-table.ts'
import { taskOptions } from '../usage.ts'

/** What may stand behind an option: a few words, or what the shell looks up. */
export type Choice = { readonly words: readonly string[] } | { readonly look: 'files' | 'folders' | 'sessions' } | undefined

export function choiceOf(name: OptionName): Choice {
  const { choices, completes } = rowOf(name)
  if (choices) return { words: choices }
  if (name === 'model') return { words: ['offline', ...providers.map((provider) => `${provider.name}/`)] }
  return completes && { look: completes }
}

/** The options of a command, or of a task. */
export const optionsFor = (command: CommandEntry | undefined): readonly OptionName[] =>
  command ? [...command.options, 'help'] : taskOptions

/** What may stand behind a command and its first word. */
export const behind: readonly { readonly command: string; readonly verb: string; readonly choice: NonNullable<Choice> }[] = [
  ...['show', 'fork', 'remove'].map((verb) => ({ command: 'sessions', verb, choice: { look: 'sessions' } as const })),
  ...['get', 'set'].map((verb) => ({ command: 'config', verb, choice: { words: settingNames } })),
]

export const firstWords: readonly string[] = [...commands.map(({ name }) => name), 'help']

/** `--output`, `-o` */
export const spellings = (name: OptionName): readonly string[] => {
  const { short } = rowOf(name)
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]
}

/** The command that lists the ids of the sessions of a folder. */
export const sessionIds = `lena sessions 2>/dev/null | awk 'NR > 1 { print $1 }'`
