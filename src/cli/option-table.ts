/** One option of the command line. */
export type OptionRow = {
  readonly short?: string | undefined
  /** How its value is called in the help; an option without one is a switch. */
  readonly value?: string | undefined
  readonly help: string
  /** The commands that take it. */
  readonly for: readonly CommandName[]
}

export type CommandName = 'task' | 'tools' | 'models'

/** The one list that the parser and the help are made of. */
export const optionTable = {
  print: { short: 'p', help: 'Print only the answer on stdout; ask nobody.', for: ['task'] },
  output: { short: 'o', value: 'FORMAT', help: 'text (default), json, or stream-json.', for: ['task', 'tools', 'models'] },
  model: {
    short: 'm',
    value: 'NAME',
    help: 'offline, or provider/model. Default: LENA_MODEL, else by the keys in the environment.',
    for: ['task', 'models'],
  },
  'max-turns': { value: 'N', help: 'Stop after N turns of the model. Default 200.', for: ['task'] },
  cwd: { short: 'C', value: 'FOLDER', help: 'Work in this folder. Default: the current one.', for: ['task', 'tools'] },
  quiet: { short: 'q', help: 'No notes and warnings on stderr; errors stay.', for: ['task'] },
  help: { short: 'h', help: 'Show this help.', for: ['task', 'tools', 'models'] },
  version: { short: 'V', help: 'Show the version.', for: ['task'] },
} as const satisfies Record<string, OptionRow>

export type OptionName = keyof typeof optionTable

export const optionNames = Object.keys(optionTable) as readonly OptionName[]

export const rowOf = (name: OptionName): OptionRow => optionTable[name]

/** `-p, --print` */
export const spelled = (name: OptionName): string => {
  const { short, value } = rowOf(name)
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
}

/** Known and planned, so that the answer is not "there is no such thing". */
export const plannedOptions: readonly string[] = ['continue', 'resume']
export const plannedCommands: readonly string[] = ['sessions', 'mcp', 'config', 'trace', 'doctor']
