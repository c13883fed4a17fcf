import { isObject } from '../util/json.ts'
import { didYouMean, isBlank } from '../util/text.ts'
import { McpClient } from './client.ts'
import { expandVariables } from './expand-variables.ts'
import { McpError } from './mcp-error.ts'
import { hints } from './options.ts'
import type { McpAddress, McpClientOptions, McpClientSettings } from './options.ts'
import { shownAddress } from './shown-address.ts'

export type McpConfigOptions = {
  /** For `${NAME}` in the file. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Told of what is not understood and goes without. Default: `process.emitWarning`. */
  readonly warn?: ((message: string) => void) | undefined
  /** For all servers of the file, `auth` and `fetch` for those with an address; what the file says of one goes before. */
  readonly defaults?: (McpClientSettings & Pick<McpAddress, 'auth' | 'fetch'>) | undefined
  /** What the file says, where it was read already: it is not read again, and named in errors alone. */
  readonly text?: string | undefined
}

const knownKeys = [
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'type',
  'disabled',
  'timeout',
  'includeTools',
  'excludeTools',
  'annotations',
  'description',
]
const transports: Readonly<Record<string, 'stdio' | 'http' | 'sse'>> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  streamable_http: 'http',
  sse: 'sse',
}

/**
 * Reads the servers of an `mcp.json`, in the format that other agents use:
 * `{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "a-server"] }, "docs": { "url": "https://…" } } }`.
 *
 * A server has `command`, `args`, `env`, `cwd`, or `url`, `headers`; and `type` (`stdio`, `http`, `sse`), `disabled`, `timeout` (ms),
 * `includeTools`, `excludeTools`, `annotations`. In texts `${NAME}` and `${NAME:-text}` stand for variables of the environment. An unknown key is
 * warned of. Nothing is started: a client connects when it is first used.
 *
 * @throws {McpError} `mcp_config` that names the file and the key.
 */
export async function loadMcpConfig(file: string, options: McpConfigOptions = {}): Promise<readonly McpClient[]> {
  const { warn = (message) => process.emitWarning(message) } = options
  const parsed = parseConfig(file, options.text ?? (await readConfig(file)))
  const servers = parsed['mcpServers']
  if (!isObject(servers)) {
    const hint = isObject(parsed['servers']) ? ' It has "servers": rename that.' : ''
    throw fault(file, 'mcpServers', `must be an object that maps names to servers, got ${kindOf(servers)}.${hint}`)
  }
  for (const key of Object.keys(parsed))
    if (key !== 'mcpServers' && key !== '$schema') warn(`${file}: the key "${key}" is not known, and not used.`)
  return Object.entries(servers).flatMap(([name, server]) => {
    const reader = new ServerReader(file, name, server, options, warn)
    return reader.isDisabled ? [] : [reader.client()]
  })
}

async function readConfig(file: string): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new McpError('mcp_config', `The MCP configuration ${file} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

function parseConfig(file: string, text: string): Record<string, unknown> {
  let parsed: unknown
  try {
    // A mark that some editors put before the text.
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new McpError('mcp_config', `The MCP configuration ${file} is no JSON: ${(cause as Error).message}`, { cause })
  }
  if (!isObject(parsed)) throw new McpError('mcp_config', `The MCP configuration ${file} must hold an object, got ${kindOf(parsed)}.`)
  return parsed
}

/** One server of the file. */
class ServerReader {
  readonly #file: string
  readonly #name: string
  readonly #server: Record<string, unknown>
  readonly #variables: Readonly<Record<string, string | undefined>>
  readonly #defaults: NonNullable<McpConfigOptions['defaults']>

  constructor(file: string, name: string, server: unknown, options: McpConfigOptions, warn: (message: string) => void) {
    this.#file = file
    this.#name = name
    this.#variables = options.env ?? process.env
    this.#defaults = options.defaults ?? {}
    if (!isObject(server)) throw fault(file, `mcpServers.${name}`, `must be an object, got ${kindOf(server)}.`)
    this.#server = server
    for (const key of Object.keys(server))
      if (!knownKeys.includes(key)) warn(`${file}: mcpServers.${name}.${key} is not known, and not used.${didYouMean(key, knownKeys)}`)
  }

  get isDisabled(): boolean {
    return this.#get('disabled', 'boolean') === true
  }

  client(): McpClient {
    const timeoutMs = this.#get('timeout', 'number') as number | undefined
    if (timeoutMs !== undefined && !(timeoutMs > 0))
      throw this.#fault('timeout', `must be a positive number of milliseconds, got ${timeoutMs}.`)
    const allow = this.#texts('includeTools')
    const deny = this.#texts('excludeTools')
    const annotations = this.#annotations()
    return new McpClient({
      ...this.#defaults,
      ...this.#address(),
      name: this.#name,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(allow && { allow }),
      ...(deny && { deny }),
      ...(annotations && { annotations }),
    } as McpClientOptions)
  }

  #address(): object {
    const type = this.#get('type', 'string') as string | undefined
    const transport = type !== undefined && Object.hasOwn(transports, type) ? transports[type] : undefined
    if (type !== undefined && transport === undefined)
      throw this.#fault('type', `must be one of ${Object.keys(transports).join(', ')}, got ${JSON.stringify(type)}.`)
    const [command, url] = [this.#text('command'), this.#text('url')]
    if (command !== undefined && isBlank(command))
      throw this.#fault('command', `must be the name of a program, got ${JSON.stringify(command)}.`)
    if (command !== undefined && url !== undefined) throw this.#fault(undefined, 'has both "command" and "url": leave one out.')
    if (command === undefined && url === undefined)
      throw this.#fault(undefined, 'needs "command", a program to start, or "url", where a server is.')
    if (command !== undefined && transport !== undefined && transport !== 'stdio')
      throw this.#fault('type', `is ${JSON.stringify(type)}, which needs "url".`)
    if (url === undefined) {
      const [args, env, cwd] = [this.#texts('args'), this.#map('env'), this.#text('cwd')]
      return { command, ...(args && { args }), ...(env && { env }), ...(cwd !== undefined && { cwd }) }
    }
    if (transport === 'stdio') throw this.#fault('type', 'is "stdio", which needs "command".')
    if (!URL.canParse(url) || !/^https?:/.test(url)) throw this.#fault('url', `must be an http or https URL, got ${shownAddress(url)}.`)
    const headers = this.#map('headers')
    return { url, ...(headers && { headers }), ...(transport !== undefined && { transport }) }
  }

  #annotations(): McpClientSettings['annotations'] {
    const value = this.#server['annotations']
    if (value === undefined) return undefined
    const each = isObject(value) ? Object.entries(value) : [['', value] as const]
    for (const [tool, said] of each) {
      const key = `annotations${tool === '' ? '' : `.${tool}`}`
      if (tool === '' || !isObject(said))
        throw this.#fault(key, `must be an object such as { "destructiveHint": false }, got ${kindOf(said)}.`)
      for (const [hint, is] of Object.entries(said)) {
        if (!hints.some((known) => known === hint)) throw this.#fault(`${key}.${hint}`, `is no hint. There are ${hints.join(', ')}.`)
        if (typeof is !== 'boolean') throw this.#fault(`${key}.${hint}`, `must be true or false, got ${kindOf(is)}.`)
      }
    }
    return value as McpClientSettings['annotations']
  }

  #get(key: string, kind: 'string' | 'number' | 'boolean'): unknown {
    const value = this.#server[key]
    if (value !== undefined && typeof value !== kind) throw this.#fault(key, `must be a ${kind}, got ${kindOf(value)}.`)
    return value
  }

  #text(key: string): string | undefined {
    const value = this.#get(key, 'string') as string | undefined
    return value === undefined ? undefined : this.#expanded(value, key)
  }

  #texts(key: string): readonly string[] | undefined {
    const value = this.#server[key]
    if (value === undefined) return undefined
    if (!Array.isArray(value)) throw this.#fault(key, `must be a list of strings, got ${kindOf(value)}.`)
    return value.map((item: unknown, index) => {
      if (typeof item !== 'string') throw this.#fault(`${key}[${index}]`, `must be a string, got ${kindOf(item)}.`)
      return this.#expanded(item, `${key}[${index}]`)
    })
  }

  #map(key: string): Record<string, string> | undefined {
    const value = this.#server[key]
    if (value === undefined) return undefined
    if (!isObject(value)) throw this.#fault(key, `must be an object of strings, got ${kindOf(value)}.`)
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        if (typeof item !== 'string') throw this.#fault(`${key}.${name}`, `must be a string, got ${kindOf(item)}.`)
        return [name, this.#expanded(item, `${key}.${name}`)]
      }),
    )
  }

  #expanded(text: string, key: string): string {
    return expandVariables(text, this.#variables, (said) => this.#fault(key, `cannot be used: ${said}.`))
  }

  #fault(key: string | undefined, said: string): McpError {
    return fault(this.#file, `mcpServers.${this.#name}${key === undefined ? '' : `.${key}`}`, said)
  }
}

const fault = (file: string, key: string, said: string): McpError => new McpError('mcp_config', `${file}: ${key} ${said}`)

const kindOf = (value: unknown): string =>
  value === undefined ? 'nothing' : value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
