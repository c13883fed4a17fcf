import { parseArgs } from 'node:util'
import { didYouMean } from './near.ts'
import { optionNames, optionTable, plannedCommands, plannedOptions, rowOf } from './option-table.ts'
import type { CommandName, OptionName } from './option-table.ts'
import { UsageError } from './usage-error.ts'

export const outputFormats = ['text', 'json', 'stream-json'] as const
export type OutputFormat = (typeof outputFormats)[number]

export type CliOptions = {
  readonly print: boolean
  readonly output: OutputFormat
  readonly model: string | undefined
  readonly maxTurns: number
  readonly cwd: string | undefined
  readonly quiet: boolean
}

/** What the command line asks for. */
export type CliCommand =
  | { readonly name: 'version' }
  | { readonly name: 'help'; readonly about: CommandName }
  | { readonly name: 'tools' | 'models'; readonly options: CliOptions }
  /** `dash`: a `-` among the words says that stdin is to be waited for, however long. */
  | { readonly name: 'task'; readonly words: readonly string[]; readonly dash: boolean; readonly options: CliOptions }

const defaultMaxTurns = 200

type Values = Partial<Record<OptionName, string | true>>
type Words = { readonly command: string | undefined; readonly words: readonly string[]; readonly dash: boolean }

/** @throws {UsageError} */
export function parseCommand(argv: readonly string[]): CliCommand {
  const { values, words } = tokensOf(argv)
  const about = commandOf(words.command, words.words)
  if (values.help) return { name: 'help', about: about === 'help' ? 'task' : about }
  if (values.version) return { name: 'version' }
  if (about === 'help') return { name: 'help', about: topicOf(words.words) }
  for (const name of Object.keys(values) as OptionName[]) {
    if (!rowOf(name).for.includes(about)) throw new UsageError(`\`lena ${about}\` has no option --${name}. See \`lena ${about} --help\`.`)
  }
  const options = optionsOf(values)
  if (about === 'task')
    return { name: 'task', words: words.command === undefined ? words.words : [words.command, ...words.words], dash: words.dash, options }
  if (options.output === 'stream-json')
    throw new UsageError(`\`lena ${about}\` prints text or json, not stream-json: there is no run to stream.`)
  return { name: about, options }
}

/** The format that errors are to be told in, read without a complaint about anything else. */
export function wantedFormat(argv: readonly string[]): OutputFormat {
  try {
    return formatOf(tokensOf(argv, true).values.output)
  } catch {
    return 'text'
  }
}

function tokensOf(argv: readonly string[], lenient = false): { readonly values: Values; readonly words: Words } {
  const options = Object.fromEntries(
    optionNames.map((name) => {
      const { short, value } = rowOf(name)
      return [name, { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) } as const]
    }),
  )
  // Not strict: its own messages do not say what to do.
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true })
  const values: Values = {}
  const words: string[] = []
  let command: string | undefined
  let dash = false
  let ended = false
  for (const token of tokens) {
    if (token.kind === 'option-terminator') ended = true
    else if (token.kind === 'positional') {
      if (token.value === '-' && !ended) dash = true
      // Behind "--" every word belongs to the task.
      else if (command === undefined && words.length === 0 && !ended) command = token.value
      else words.push(token.value)
    } else if (!lenient) values[checkName(token.name, token.rawName)] = valueOf(token)
    else if (token.name === 'output' && token.value !== undefined) values.output = token.value
  }
  return { values, words: { command, words, dash } }
}

function checkName(name: string, rawName: string): OptionName {
  if (Object.hasOwn(optionTable, name)) return name as OptionName
  if (plannedOptions.includes(name)) throw new UsageError(`${rawName} is planned, but not there yet in this version.`)
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
  const wanted = rowOf(name as OptionName).value
  if (wanted === undefined) {
    if (value !== undefined)
      throw new UsageError(`${rawName} is a switch and takes no value, got ${JSON.stringify(value)}. Write just ${rawName}.`)
    return true
  }
  if (value === undefined || value === '') throw new UsageError(`${rawName} needs a value: ${rawName} ${wanted}.`)
  // "--model --print": more likely a forgotten value than a value that looks like an option.
  if (!inlineValue && value.length > 1 && value.startsWith('-'))
    throw new UsageError(
      `${rawName} needs a value, but ${JSON.stringify(value)} follows, which looks like an option. Write ${rawName} ${wanted}, or ${rawName.startsWith('--') ? `${rawName}=${value}` : `${rawName}${value}`} if that is the value.`,
    )
  return value
}

/** Which command the first word names; every other first word begins a task. */
function commandOf(command: string | undefined, rest: readonly string[]): CommandName | 'help' {
  if (command === 'help') return 'help'
  if (command !== undefined && plannedCommands.includes(command))
    throw new UsageError(
      `\`lena ${command}\` is planned, but not there yet in this version. If it was meant as a task, write: lena -- ${[command, ...rest].join(' ')}`,
    )
  if (command !== 'tools' && command !== 'models') return 'task'
  if (rest.length > 0)
    throw new UsageError(
      `\`lena ${command}\` takes no arguments, got ${JSON.stringify(rest.join(' '))}. If it was meant as a task, write: lena -- ${[command, ...rest].join(' ')}`,
    )
  return command
}

function topicOf([topic]: readonly string[]): CommandName {
  if (topic === undefined || topic === 'help') return 'task'
  const about = commandOf(topic, [])
  if (about !== 'tools' && about !== 'models')
    throw new UsageError(
      `There is no command ${JSON.stringify(topic)}.${didYouMean(topic, ['tools', 'models'])} Commands are: tools, models, help.`,
    )
  return about
}

function optionsOf(values: Values): CliOptions {
  const text = (name: OptionName): string | undefined => values[name] as string | undefined
  return {
    print: values.print === true,
    output: formatOf(text('output')),
    model: text('model'),
    maxTurns: turnsOf(text('max-turns')),
    cwd: text('cwd'),
    quiet: values.quiet === true,
  }
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

function turnsOf(given: string | undefined): number {
  if (given === undefined) return defaultMaxTurns
  const turns = Number(given)
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(turns) || turns < 1)
    throw new UsageError(`--max-turns must be a whole number from 1, got ${JSON.stringify(given)}.`)
  return turns
}
