import { parseArgs } from 'node:util'
import type { CommandRun } from '../command.ts'
import { didYouMean } from '../near.ts'
import { UsageError } from '../usage-error.ts'

/** The options of `lena mcp`; behind `--` nothing is one. */
const options = {
  output: { type: 'string', short: 'o' },
  cwd: { type: 'string', short: 'C' },
  'mcp-config': { type: 'string', multiple: true },
  scope: { type: 'string', short: 's' },
  url: { type: 'string' },
  transport: { type: 'string', short: 't' },
  header: { type: 'string', short: 'H', multiple: true },
  env: { type: 'string', short: 'e', multiple: true },
  force: { type: 'boolean', short: 'f' },
} as const

type OptionName = keyof typeof options

/** What each verb takes beside `--output` and `--cwd`, which all take, and how it is written. */
const verbs = {
  list: { takes: ['mcp-config'], form: 'lena mcp list' },
  add: {
    takes: ['scope', 'url', 'transport', 'header', 'env', 'force'],
    form: 'lena mcp add NAME [--env K=V] -- COMMAND ARGUMENTS…, or lena mcp add NAME --url URL [--header "K: V"]',
  },
  remove: { takes: ['scope'], form: 'lena mcp remove NAME' },
  test: { takes: ['mcp-config'], form: 'lena mcp test [NAME]' },
  login: { takes: ['mcp-config'], form: 'lena mcp login NAME' },
  logout: { takes: ['mcp-config'], form: 'lena mcp logout NAME' },
  trust: { takes: [], form: 'lena mcp trust' },
  untrust: { takes: [], form: 'lena mcp untrust' },
} as const satisfies Record<string, { readonly takes: readonly OptionName[]; readonly form: string }>

export type Verb = keyof typeof verbs
const verbNames = Object.keys(verbs) as readonly Verb[]

/** `lena mcp VERB …`, understood. */
export type McpWords = {
  readonly verb: Verb
  readonly name: string | undefined
  /** What stands behind `--`. */
  readonly program: readonly string[]
  readonly json: boolean
  readonly cwd: string | undefined
  readonly given: readonly string[]
  readonly scope: 'user' | 'project' | undefined
  readonly url: string | undefined
  readonly transport: 'http' | 'sse' | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  readonly force: boolean
}

/** Behind `--` it is for the server. */
export const asksForHelp = (words: readonly string[]): boolean =>
  words.slice(0, words.includes('--') ? words.indexOf('--') : undefined).some((word) => word === '--help' || word === '-h')

/** @throws {UsageError} */
export function mcpWords({ words, options: before }: Pick<CommandRun, 'words' | 'options'>): McpWords {
  const end = words.indexOf('--')
  const program = end < 0 ? [] : words.slice(end + 1)
  const { values, positionals } = parsed(end < 0 ? words : words.slice(0, end))
  const [verb = 'list', name, ...rest] = positionals
  if (!isVerb(verb))
    throw new UsageError(`\`lena mcp\` has no ${JSON.stringify(verb)}.${didYouMean(verb, verbNames)} There are: ${verbNames.join(', ')}.`)
  const { takes, form }: { readonly takes: readonly string[]; readonly form: string } = verbs[verb]
  for (const option of Object.keys(values))
    if (option !== 'output' && option !== 'cwd' && !takes.includes(option))
      throw new UsageError(`\`lena mcp ${verb}\` has no option --${option}. Write: ${form}.`)
  if (end >= 0 && verb !== 'add') throw new UsageError(`\`lena mcp ${verb}\` takes nothing behind "--". Write: ${form}.`)
  const takesName = form.includes('NAME')
  const extra = takesName ? rest : positionals.slice(1)
  if (extra.length > 0) throw new UsageError(`\`lena mcp ${verb}\` takes no ${JSON.stringify(extra.join(' '))}. Write: ${form}.`)
  if (takesName && !form.includes('[NAME]') && name === undefined)
    throw new UsageError(`\`lena mcp ${verb}\` needs the name of a server. Write: ${form}.`)
  return {
    verb,
    name,
    program,
    json: oneOf('--output', values.output ?? before.output, ['text', 'json']) === 'json',
    cwd: values.cwd,
    given: [...before.mcpConfig, ...(values['mcp-config'] ?? [])],
    scope: oneOf('--scope', values.scope, ['user', 'project']),
    url: values.url,
    transport: oneOf('--transport', values.transport, ['http', 'sse']),
    headers: pairs(values.header, /^([^\s:]+)\s*:\s*(.*)$/s, '--header', '"Name: value"'),
    env: pairs(values.env, /^([^\s=]+)=(.*)$/s, '--env', 'NAME=value'),
    force: values.force === true,
  }
}

type Parsed = ReturnType<typeof parseArgs<{ args: string[]; options: typeof options; allowPositionals: true }>>

function parsed(words: readonly string[]): Parsed {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    const [first = ''] = (error as Error).message.split(/\.\s|\n/)
    throw new UsageError(
      `${first.replace(/\.$/, '')}. What belongs to the server's own command stands behind "--". See \`lena mcp --help\`.`,
    )
  }
}

const isVerb = (word: string): word is Verb => Object.hasOwn(verbs, word)

function oneOf<T extends string>(option: string, given: string | undefined, choices: readonly T[]): T | undefined {
  if (given === undefined) return undefined
  const found = choices.find((choice) => choice === given)
  if (found === undefined)
    throw new UsageError(`${option} must be ${choices.join(' or ')}, got ${JSON.stringify(given)}.${didYouMean(given, choices)}`)
  return found
}

function pairs(given: readonly string[] = [], form: RegExp, option: string, example: string): Record<string, string> {
  return Object.fromEntries(
    given.map((pair) => {
      const [, name, value] = form.exec(pair) ?? []
      // Its value may be a secret, so it is not said what came.
      if (name === undefined || value === undefined) throw new UsageError(`${option} must be ${example}.`)
      return [name, value]
    }),
  )
}
