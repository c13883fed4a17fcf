import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client'
import { InputError } from '../errors.ts'
import type { Clock } from '../util/clock.ts'
import type { JsonObject } from '../util/json.ts'
import {
  aBoolean,
  aClock,
  aFilledText,
  aFunction,
  anObject,
  anything,
  checkOptions as checkEach,
  isOptions,
  oneOf,
  texts,
  textsByName,
} from '../util/check-options.ts'
import type { Rule, RulesOf } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'
import { isObject } from '../util/json.ts'
import { didYouMean, isBlank } from '../util/text.ts'
import { shownAddress } from './shown-address.ts'

/** A server that is a program of its own and is spoken to through its standard input and output. */
export type McpProgram = {
  readonly command: string
  readonly args?: readonly string[] | undefined
  /**
   * Variables for the program, beside those that any program needs (`PATH`, `HOME`, the language, the folder for temporary
   * files). Nothing else of this process's environment is passed on: no key of a model provider.
   */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Default: the current folder. */
  readonly cwd?: string | undefined
}

/** A server that is reached over HTTP. */
export type McpAddress = {
  readonly url: string | URL
  /** Default: streamable HTTP, and where the server does not know that, the older `sse`. */
  readonly transport?: 'http' | 'sse' | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly auth?: McpAuth | undefined
  readonly fetch?: typeof fetch | undefined
}

/**
 * Who gets and keeps access tokens: a provider of the official library, such as `terminalAuth()`. With
 * `authorizationResponse` a login in a browser is waited for, and the request is then sent again.
 */
export type McpAuth = (AuthProvider | OAuthClientProvider) & {
  /** Resolves to the query with which the authorization server sent the browser back. */
  authorizationResponse?(options: { readonly signal: AbortSignal }): Promise<URLSearchParams>
}

/** What a server asks a person for. */
export type McpElicitation =
  | { readonly mode: 'form'; readonly server: string; readonly message: string; readonly requestedSchema: JsonObject }
  | { readonly mode: 'url'; readonly server: string; readonly message: string; readonly url: string; readonly elicitationId?: string }
export type McpElicitationAnswer = { readonly action: 'accept' | 'decline' | 'cancel'; readonly content?: JsonObject | undefined }

export type McpLogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'
export type McpLog = { readonly level: McpLogLevel; readonly logger?: string | undefined; readonly data: unknown }

/** A request that is about to be sent. */
export type McpRequest = { readonly method: 'tools/call'; readonly tool: string; readonly protocolVersion: string | undefined }

export type McpCallback<Request, Answer> = (request: Request, options: { readonly signal: AbortSignal }) => Answer | Promise<Answer>

/** What a tool does, as the protocol says it. */
export type McpAnnotations = {
  /** It only observes. */
  readonly readOnlyHint?: boolean | undefined
  /** What it does cannot be undone. */
  readonly destructiveHint?: boolean | undefined
  /** Calling it twice is the same as once. */
  readonly idempotentHint?: boolean | undefined
}

export const hints: readonly (keyof McpAnnotations)[] = ['readOnlyHint', 'destructiveHint', 'idempotentHint']

export type McpClientSettings = {
  /** For messages. Default: the program's or the host's name. */
  readonly name?: string | undefined
  /** Put before the name of each tool, as the model knows it. The server is called by its own names. */
  readonly prefix?: string | undefined
  /** Only tools with one of these names (the server's own) are used. Default: all. */
  readonly allow?: readonly (string | RegExp)[] | undefined
  /** Tools with one of these names are not used, allowed or not. */
  readonly deny?: readonly (string | RegExp)[] | undefined
  /**
   * What you know of the server's tools better than it says, by its own names; `*` is for all that are not named. What neither says is taken for
   * the worst: `{ '*': { destructiveHint: false } }` is the word of somebody who knows the server.
   */
  readonly annotations?: Readonly<Record<string, McpAnnotations>> | undefined
  /** How long a call may be silent, in milliseconds: progress begins the time anew. Default 60,000. */
  readonly timeoutMs?: number | undefined
  /** How long the server may take to start and answer its first request, in milliseconds. Default 30,000. */
  readonly startTimeoutMs?: number | undefined
  /** An agent goes on without a server that does not start, with a warning. Default: its run fails. */
  readonly failOpen?: boolean | undefined
  /** The one protocol revision to speak, such as `2025-11-25`. Default: the newest that both sides know. */
  readonly protocolVersion?: string | undefined
  /**
   * Who answers when the server asks a person: `interrupt` ends the run with an interrupt that carries the question as its
   * reason; calls of the server then run one after another. A function answers at once. Default: the server is told that
   * nobody is there to ask.
   */
  readonly elicitation?: 'interrupt' | McpCallback<McpElicitation, McpElicitationAnswer> | undefined
  /** More for `_meta` of each call of a tool: what hands a trace on, for one. It runs where the call does, and must not throw. */
  readonly meta?: ((request: McpRequest) => JsonObject) | undefined
  /** Answers a server that asks for a model's text (`sampling/createMessage`, in its own format). Default: it is refused. */
  readonly sampling?: McpCallback<JsonObject, JsonObject> | undefined
  /** Folders, as `file:` URLs, that the server may work in. Default: it is told of none. */
  readonly roots?: readonly { readonly uri: string; readonly name?: string | undefined }[] | undefined
  /** Gets what the server logs. Default: warnings and worse become warnings of the agents. */
  readonly onLog?: ((log: McpLog) => void) | undefined
  /** The least that the server is to log. Default: its own. */
  readonly logLevel?: McpLogLevel | undefined
  /**
   * Media types in results that the model gets as they are; of others it is told that they are there. Default: the pictures
   * that all models take (PNG, JPEG, GIF, WebP), and PDF. Add `audio/wav` for a model that hears.
   */
  readonly mediaTypes?: readonly string[] | undefined
  readonly clock?: Clock | undefined
}

export type McpClientOptions = (McpProgram | McpAddress) & McpClientSettings

const names: Rule = [
  'a list of texts and regular expressions',
  (value) => Array.isArray(value) && value.every((each) => typeof each === 'string' || each instanceof RegExp),
]
const roots: Rule = [
  "a list such as [{ uri: 'file:///work' }]",
  (value) => Array.isArray(value) && value.every((each) => isObject(each) && typeof each['uri'] === 'string'),
]

const annotations: Rule = [
  `an object of hints by the names of tools, such as { '*': { destructiveHint: false } }; there are ${hints.join(', ')}`,
  (value) => isObject(value) && Object.values(value).every((each) => isObject(each) && Object.entries(each).every(isHint)),
]
const isHint = ([name, value]: readonly [string, unknown]): boolean =>
  hints.some((hint) => hint === name) && (value === undefined || typeof value === 'boolean')

/** What `checkOptions` below looks at itself, with what else it has to say, is anything here. */
const rules: RulesOf<McpProgram & McpAddress & McpClientSettings> = {
  command: anything,
  args: texts,
  env: textsByName,
  cwd: aFilledText,
  url: anything,
  transport: oneOf('http', 'sse'),
  headers: textsByName,
  auth: anObject,
  fetch: aFunction,
  name: aFilledText,
  prefix: anything,
  allow: names,
  deny: names,
  annotations,
  timeoutMs: anything,
  startTimeoutMs: anything,
  failOpen: aBoolean,
  protocolVersion: aFilledText,
  elicitation: anything,
  meta: anything,
  sampling: aFunction,
  roots,
  onLog: aFunction,
  logLevel: oneOf('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'),
  mediaTypes: texts,
  clock: aClock,
}
const known = Object.keys(rules)

/** @throws {InputError} that says what was expected, what came and what to do. */
export function checkOptions(options: unknown): asserts options is McpClientOptions {
  if (!isOptions(options)) throw new InputError(`new McpClient() needs { command } or { url }, got ${describe(options)}.`)
  for (const key of Object.keys(options))
    if (!known.includes(key)) throw new InputError(`new McpClient() knows no option "${key}".${didYouMean(key, known)}`)
  checkEach('new McpClient', options, rules)
  const { command, url, timeoutMs, startTimeoutMs, elicitation, prefix } = options
  if ((command === undefined) === (url === undefined))
    throw new InputError('new McpClient() needs either `command`, a program to start, or `url`, where a server is.')
  if (command !== undefined && (typeof command !== 'string' || isBlank(command)))
    throw new InputError(`\`command\` must be the name of a program, got ${describe(command)}.`)
  if (url !== undefined && !/^https?:$/.test(protocolOf(url)))
    throw new InputError(`\`url\` must be an http or https URL, got ${shownAddress(url)}.`)
  for (const [name, value] of Object.entries({ timeoutMs, startTimeoutMs }))
    if (value !== undefined && !(typeof value === 'number' && value > 0))
      throw new InputError(`\`${name}\` must be a positive number of milliseconds, got ${String(value)}.`)
  if (elicitation !== undefined && elicitation !== 'interrupt' && typeof elicitation !== 'function')
    throw new InputError(`\`elicitation\` must be "interrupt" or a function, got ${describe(elicitation)}.`)
  if (options['meta'] !== undefined && typeof options['meta'] !== 'function')
    throw new InputError(`\`meta\` must be a function that gives an object, got ${typeof options['meta']}.`)
  if (prefix !== undefined && (typeof prefix !== 'string' || !/^[a-zA-Z0-9_-]{0,32}$/.test(prefix)))
    throw new InputError(`\`prefix\` must be at most 32 letters, digits, "_" or "-", got ${describe(prefix)}.`)
}

function protocolOf(url: unknown): string {
  try {
    return new URL(String(url)).protocol
  } catch {
    return ''
  }
}

/** What a server is called that was given no name. */
export function nameOf(options: McpClientOptions): string {
  if (options.name !== undefined) return options.name
  if ('url' in options && options.url !== undefined) return new URL(options.url).host
  return (options as McpProgram).command.split(/[\\/]/).at(-1) || (options as McpProgram).command
}
