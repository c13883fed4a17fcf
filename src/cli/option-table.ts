/** One option of the command line. */
export type OptionRow = {
  readonly short?: string | undefined
  /** How its value is called in the help; an option without one is a switch. */
  readonly value?: string | undefined
  /** May stand without its value. The next word is its value only when it looks like one: behind `=` everything is. */
  readonly optional?: RegExp | undefined
  /** May be given several times, and all count. Otherwise the last one does. */
  readonly isList?: boolean | undefined
  /** What its value can be, where that is a few words. */
  readonly choices?: readonly string[] | undefined
  /** What completes its value. */
  readonly completes?: 'files' | 'folders' | 'sessions' | undefined
  readonly help: string
}

/** The one list that the parser, the help and the completion are made of. Which command takes which stands in the table of commands. */
export const optionTable = {
  print: { short: 'p', help: 'Print only the answer on stdout; ask nobody.' },
  output: { short: 'o', value: 'FORMAT', choices: ['text', 'json', 'stream-json'], help: 'text (default), json, or stream-json.' },
  model: {
    short: 'm',
    value: 'NAME',
    help: 'offline, or provider/model. Default: LENA_MODEL, the settings, else by the keys in the environment.',
  },
  continue: { short: 'c', help: 'Go on with the last session of this folder.' },
  resume: {
    short: 'r',
    value: 'ID',
    // Ids begin with a digit, so that a task behind the option is not taken for one.
    optional: /^\d[0-9a-z]{0,15}$/,
    completes: 'sessions',
    help: 'Go on with this session, or choose one; the beginning of its id is enough.',
  },
  fork: { help: 'With --continue or --resume: in a copy, the old session stays as it is.' },
  'no-session': { help: 'Keep nothing of this conversation.' },
  mode: {
    value: 'MODE',
    choices: ['default', 'plan', 'accept_edits', 'bypass'],
    help: 'default: what changes something asks. plan: it is refused. accept_edits: edits in the folder run. bypass: nearly all runs.',
  },
  allow: { value: 'RULE', isList: true, help: 'Let calls run, such as "shell(npm test)" or write_file. May be given several times.' },
  deny: { value: 'RULE', isList: true, help: 'Refuse calls, such as "shell(git push*)". May be given several times.' },
  'mcp-config': { value: 'FILE', isList: true, completes: 'files', help: 'The MCP servers of this file too. May be given several times.' },
  'max-turns': { value: 'N', help: 'Stop after N turns of the model. Default 200.' },
  trace: {
    value: 'FILE',
    // A word of a task is no file of a trace.
    optional: /\.jsonl$|[/\\]/,
    completes: 'files',
    help: 'Write what happens to a file, this one or a new one; `lena trace` shows the newest.',
  },
  cwd: { short: 'C', value: 'FOLDER', completes: 'folders', help: 'Work in this folder. Default: the current one.' },
  all: { short: 'a', help: 'Of all folders.' },
  project: { help: 'In the settings of the project, .lena/config.json, and not in those of the user.' },
  quiet: { short: 'q', help: 'No notes and warnings on stderr; errors stay.' },
  help: { short: 'h', help: 'Show this help.' },
  version: { short: 'V', help: 'Show the version.' },
} as const satisfies Record<string, OptionRow>

export type OptionName = keyof typeof optionTable

export const optionNames = Object.keys(optionTable) as readonly OptionName[]

export const rowOf = (name: OptionName): OptionRow => optionTable[name]

/** `-p, --print` */
export const spelled = (name: OptionName): string => {
  const { short, value, optional } = rowOf(name)
  const argument = value === undefined ? '' : optional ? ` [${value}]` : ` ${value}`
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${argument}`
}
