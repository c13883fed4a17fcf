import { parseArgs } from 'node:util'
import type { CommandEntry } from './command.ts'
import { commandNames, commandOf } from './commands/index.ts'
import { didYouMean } from './near.ts'
import { optionNames, optionTable, rowOf } from './option-table.ts'
import type { OptionName } from './option-table.ts'
import { UsageError } from './usage-error.ts'
import { taskOptions } from './usage.ts'

export const outputFormats = ['text', 'json', 'stream-json'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** What the options say; what is not given is `undefined`, so that settings may say it. */
export type CliOptions = {
  readonly print: boolean
  readonly output: OutputFormat
  readonly model: string | undefined
  /** The last session of the folder. */
  readonly continue: boolean
  /** A session by the beginning of its id; `true`: one is to be chosen. */
  readonly resume: string | true | undefined
  readonly fork: boolean
  readonly session: boolean
  readonly mode: PermissionModeName | undefined
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  readonly mcpConfig: readonly string[]
  readonly maxTurns: number | undefined
  /** `true`: a file with a new name. */
  readonly trace: string | true | undefined
  readonly cwd: string | undefined
  readonly all: boolean
  readonly project: boolean
  readonly quiet: boolean
}

export const permissionModes = ['default', 'plan', 'accept_edits', 'bypass'] as const
export type PermissionModeName = (typeof permissionModes)[number]

/** What the command line asks for. */
export type CliCommand =
  | { readonly name: 'version' }
  | { readonly name: 'help'; readonly about: string }
  | { readonly name: 'command'; readonly command: CommandEntry; readonly words: readonly string[]; readonly options: CliOptions }
  /** `dash`: a `-` among the words says that stdin is to be waited for, however long. */
  | { readonly name: 'task'; readonly words: readonly string[]; readonly dash: boolean; readonly options: CliOptions }

type Values = Partial<Record<OptionName, string | true>>
type Read = {
  readonly values: Values
  readonly lists: Partial<Record<OptionName, readonly string[]>>
  readonly first: string | undefined
  readonly words: readonly string[]
  readonly dash: boolean
}

/** @throws {UsageError} */
export function parseCommand(argv: readonly string[]): CliCommand {
  const raw = rawCommandIn(argv)
  const read = tokensOf(raw ? argv.slice(0, raw.index) : argv)
  const { values, first, words } = read
  const command = raw?.command ?? commandOf(first)
  const isHelp = values.help || (raw && ['--help', '-h'].includes(argv[raw.index + 1] ?? ''))
  if (isHelp) return { name: 'help', about: command?.name ?? (first === 'help' ? topicOf(words) : 'task') }
  if (values.version) return { name: 'version' }
  if (first === 'help' && !raw) return { name: 'help', about: topicOf(words) }
  const takes: readonly OptionName[] = command?.options ?? taskOptions
  for (const name of Object.keys(values) as OptionName[]) if (!takes.includes(name)) throw new UsageError(notTaken(name, command))
  const options = optionsOf(read)
  if (!command) return { name: 'task', words: first === undefined ? words : [first, ...words], dash: read.dash, options }
  if (options.output === 'stream-json')
    throw new UsageError(`\`lena ${command.name}\` prints text or json, not stream-json: there is no run to stream.`)
  if (raw) return { name: 'command', command, words: argv.slice(raw.index + 1), options }
  if (command.takes === 'none' && words.length > 0)
    throw new UsageError(`\`lena ${command.name}\` takes no arguments, got ${JSON.stringify(words.join(' '))}. ${asTask(command, words)}`)
  // "sessions are lost, why?" is a task that begins like a command.
  if (command.verbs && words.length > 0 && !command.verbs.includes(words[0]!))
    throw new UsageError(
      `\`lena ${command.name}\` has no ${JSON.stringify(words[0])}.${didYouMean(words[0]!, command.verbs)} There are: ${command.verbs.join(', ')}. ${asTask(command, words)}`,
    )
  return { name: 'command', command, words, options }
}

const asTask = ({ name }: CommandEntry, words: readonly string[]): string =>
  `If it was meant as a task, write: lena -- ${[name, ...words].join(' ')}`

function notTaken(name: OptionName, command: CommandEntry | undefined): string {
  if (command) return `\`lena ${command.name}\` has no option --${name}. See \`lena ${command.name} --help\`.`
  const others = commandNames.filter((each) => commandOf(each)!.options.includes(name))
  return `--${name} belongs to ${others.map((each) => `\`lena ${each}\``).join(' and ')}. See \`lena --help\`.`
}

/** The format that errors are to be told in, read without a complaint about anything else. */
export function wantedFormat(argv: readonly string[]): OutputFormat {
  try {
    return formatOf(tokensOf(argv, true).values.output)
  } catch {
    return 'text'
  }
}

/** Where a command stands that reads its words by itself. Options before it are the program's. */
function rawCommandIn(argv: readonly string[]): { readonly command: CommandEntry; readonly index: number } | undefined {
  const { tokens } = parseArgs({ args: [...argv], options: parserOptions(), strict: false, allowPositionals: true, tokens: true })
  const token = tokens.find(({ kind }) => kind === 'positional' || kind === 'option-terminator')
  const command = token?.kind === 'positional' ? commandOf(token.value) : undefined
  return token && command?.takes === 'raw' ? { command, index: token.index } : undefined
}

const parserOptions = (): Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string }> =>
  Object.fromEntries(
    optionNames.map((name) => {
      const { short, value, optional } = rowOf(name)
      // One that may stand alone takes no next word by itself; `withValues` gives it the one that fits.
      return [name, { type: value === undefined || optional ? 'boolean' : 'string', ...(short !== undefined && { short }) } as const]
    }),
  )

function tokensOf(argv: readonly string[], lenient = false): Read {
  // Not strict: its own messages do not say what to do.
  const { tokens } = parseArgs({ args: [...argv], options: parserOptions(), strict: false, allowPositionals: true, tokens: true })
  const values: Values = {}
  const lists: Partial<Record<OptionName, string[]>> = {}
  const words: string[] = []
  let first: string | undefined
  let dash = false
  let ended = false
  let open: OptionName | undefined
  for (const token of tokens) {
    const waiting = open
    open = undefined
    if (token.kind === 'option-terminator') ended = true
    else if (token.kind === 'positional') {
      if (waiting && !ended && rowOf(waiting).optional!.test(token.value)) values[waiting] = token.value
      else if (token.value === '-' && !ended) dash = true
      // Behind "--" every word belongs to the task.
      else if (first === undefined && words.length === 0 && !ended) first = token.value
      else words.push(token.value)
    } else if (!lenient) {
      const name = checkName(token.name, token.rawName)
      const value = valueOf(token)
      values[name] = value
      if (rowOf(name).isList) (lists[name] ??= []).push(value as string)
      if (rowOf(name).optional && value === true) open = name
    } else if (token.name === 'output' && token.value !== undefined) values.output = token.value
  }
  return { values, lists, first, words, dash }
}

function checkName(name: string, rawName: string): OptionName {
  if (Object.hasOwn(optionTable, name)) return name as OptionName
  const guess = didYouMean(rawName, rawName.startsWith('--') ? optionNames.map((known) => `--${known}`) : [])
  throw new UsageError(
    `There is no option ${rawName}.${guess} If it belongs to the task, put the task in quotes or "--" before it. See \`lena --help\`.`,
  )
}

type OptionToken = {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function valueOf({ name, rawName, value, inlineValue }: OptionToken): string | true {
  const { value: wanted, optional } = rowOf(name as OptionName)
  if (wanted === undefined) {
    if (value !== undefined)
      throw new UsageError(`${rawName} is a switch and takes no value, got ${JSON.stringify(value)}. Write just ${rawName}.`)
    return true
  }
  if (optional && value === undefined) return true
  if (value === undefined || value === '') throw new UsageError(`${rawName} needs a value: ${rawName} ${wanted}.`)
  // "--model --print": more likely a forgotten value than a value that looks like an option.
  if (!inlineValue && value.length > 1 && value.startsWith('-'))
    throw new UsageError(
      `${rawName} needs a value, but ${JSON.stringify(value)} follows, which looks like an option. Write ${rawName} ${wanted}, or ${rawName.startsWith('--') ? `${rawName}=${value}` : `${rawName}${value}`} if that is the value.`,
    )
  return value
}

function topicOf([topic]: readonly string[]): string {
  if (topic === undefined || topic === 'help') return 'task'
  if (commandOf(topic)) return topic
  throw new UsageError(
    `There is no command ${JSON.stringify(topic)}.${didYouMean(topic, commandNames)} Commands are: ${[...commandNames, 'help'].join(', ')}.`,
  )
}

function optionsOf({ values, lists }: Read): CliOptions {
  const text = (name: OptionName): string | undefined => values[name] as string | undefined
  const options: CliOptions = {
    print: values.print === true,
    output: formatOf(text('output')),
    model: text('model'),
    continue: values.continue === true,
    resume: values.resume,
    fork: values.fork === true,
    session: values['no-session'] !== true,
    mode: modeOf(text('mode')),
    allow: lists.allow ?? [],
    deny: lists.deny ?? [],
    mcpConfig: lists['mcp-config'] ?? [],
    maxTurns: turnsOf(text('max-turns')),
    trace: values.trace,
    cwd: text('cwd'),
    all: values.all === true,
    project: values.project === true,
    quiet: values.quiet === true,
  }
  checkSession(options)
  return options
}

function checkSession({ continue: last, resume, fork, session }: CliOptions): void {
  if (last && resume !== undefined) throw new UsageError('--continue and --resume name two sessions. Give one of them.')
  if (fork && !last && resume === undefined)
    throw new UsageError('--fork needs the session that is copied: --continue --fork, or --resume ID --fork.')
  if (!session && (last || resume !== undefined))
    throw new UsageError(`--no-session keeps nothing, and --${last ? 'continue' : 'resume'} goes on with what is kept. Give one of them.`)
}

function formatOf(given: string | true | undefined): OutputFormat {
  if (given === undefined) return 'text'
  const found = outputFormats.find((format) => format === given)
  if (!found)
    throw new UsageError(
      `--output must be text, json or stream-json, got ${JSON.stringify(given)}.${didYouMean(String(given), outputFormats)}`,
    )
  return found
}

function modeOf(given: string | undefined): PermissionModeName | undefined {
  if (given === undefined) return undefined
  const found = permissionModes.find((mode) => mode === given.replaceAll('-', '_'))
  if (!found)
    throw new UsageError(`--mode must be ${permissionModes.join(', ')}, got ${JSON.stringify(given)}.${didYouMean(given, permissionModes)}`)
  return found
}

function turnsOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const turns = Number(given)
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(turns) || turns < 1)
    throw new UsageError(`--max-turns must be a whole number from 1, got ${JSON.stringify(given)}.`)
  return turns
}
