import { basename, isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { McpAddress, McpAuth, McpClient, McpConfigOptions } from '../../mcp/index.ts'
import type { Elicit } from '../elicitation/at-terminal.ts'
import type { Io } from '../io.ts'
import type { McpFile } from './config-files.ts'
import { loginStore } from './login-store.ts'
import { isObject } from './servers-in.ts'

export type ClientOptions = {
  readonly io: Pick<Io, 'env' | 'platform'>
  readonly workspace: string
  readonly name: string
  readonly server: unknown
  readonly file: Pick<McpFile, 'path' | 'folder'>
  readonly prefix: string
  readonly warn: (text: string) => void
  /** Shows the page on which the user logs in. Without it nobody is there to: the server is told of as one that wants a login. */
  readonly openUrl?: ((url: URL) => void) | undefined
  /** Answers what the server asks a person. Default: it is told that nobody is there. */
  readonly elicit?: Elicit | undefined
}

/**
 * A client of one server of a file; `undefined` when it is disabled. Nothing is started.
 *
 * @throws {McpError} that names the file and the key that cannot be used.
 */
export async function clientOf(options: ClientOptions): Promise<McpClient | undefined> {
  return await made(options, { auth: await authFor(options), fetch: await fetchFor(options) })
}

/** Why a server cannot be used, as far as that can be told by looking at what the file says. */
export async function faultOf(options: Omit<ClientOptions, 'prefix' | 'warn' | 'openUrl' | 'elicit'>): Promise<string | undefined> {
  try {
    await made({ ...options, prefix: '', warn: () => {} }, {})
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

async function made(
  { io, workspace, name, server, file, prefix, warn, elicit }: ClientOptions,
  { auth, fetch }: Pick<McpAddress, 'auth' | 'fetch'>,
): Promise<McpClient | undefined> {
  const { loadMcpConfig } = await import('../../mcp/index.ts')
  const defaults: McpConfigOptions['defaults'] = {
    prefix,
    failOpen: true,
    roots: [{ uri: pathToFileURL(workspace).href, name: basename(workspace) }],
    ...(elicit && { elicitation: elicit }),
    ...(auth && { auth }),
    ...(fetch && { fetch }),
  }
  const text = JSON.stringify({ mcpServers: { [name]: placed(server, file.folder) } })
  return (await loadMcpConfig(file.path, { text, env: io.env, warn, defaults }))[0]
}

/** A program starts in the folder that it is about, not where this process happens to be. */
function placed(server: unknown, folder: string): unknown {
  if (!isObject(server) || server['command'] === undefined) return server
  const { cwd = folder } = server
  // What begins with a variable is a path of its own.
  const isRelative = typeof cwd === 'string' && !isAbsolute(cwd) && !cwd.startsWith('$')
  return { ...server, cwd: isRelative ? resolve(folder, cwd) : cwd }
}

/** For addresses: through the proxies that the environment names, as the requests to models are sent. */
async function fetchFor({ io, server }: ClientOptions): Promise<McpAddress['fetch']> {
  if (!isObject(server) || server['url'] === undefined || !Object.keys(io.env).some((name) => /^(?:https?|all)_proxy$/i.test(name)))
    return undefined
  const { proxyFetch } = await import('../proxy-fetch.ts')
  return proxyFetch(io.env)
}

/** For addresses that are given no key: whether one must log in there, only the server knows. */
async function authFor({ io, name, server, openUrl }: ClientOptions): Promise<McpAuth | undefined> {
  if (!isObject(server) || typeof server['url'] !== 'string' || server['disabled'] === true) return undefined
  const { headers } = server
  if (isObject(headers) && Object.keys(headers).some((key) => key.toLowerCase() === 'authorization')) return undefined
  const { McpError, terminalAuth } = await import('../../mcp/index.ts')
  return await terminalAuth({
    store: loginStore(io, server['url']),
    openUrl:
      openUrl ??
      (() => {
        throw new McpError('mcp_unauthorized', `Log in with \`lena mcp login ${name}\`.`, { server: name })
      }),
  })
}
