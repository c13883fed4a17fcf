import type { Client, StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client'
import { childController, notNeeded, onAbort, reasonOf, settle } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import { McpError } from './mcp-error.ts'
import type { McpAddress, McpClientOptions, McpProgram } from './options.ts'
import { ProcessTransport } from './process-transport.ts'
import type { ClientSdk } from './sdk.ts'
import type { Session } from './session.ts'
import { tapTransport } from './tap-transport.ts'
import type { Progress } from './tap-transport.ts'

export type OpenOptions = {
  readonly name: string
  readonly options: McpClientOptions
  readonly sdk: ClientSdk
  readonly clock: Clock
  readonly startTimeoutMs: number
  /** A client with all that is offered to the server. `legacy`: it does not ask for the newest revision. */
  readonly makeClient: (version: 'legacy' | undefined) => Client
  readonly onBadTool: (said: string) => void
  readonly signal: AbortSignal
}

/** A way to the server, not yet tried. */
type Way = { readonly transport: Transport; readonly legacy: boolean; readonly progress: ProgressListeners }
type ProgressListeners = Map<string | number, (progress: Progress) => void>

let tokens = 0

/** How long a person may take to log in. */
const loginMs = 300_000
/** More often than this a server that still wants a login will not have one. */
const mostLogins = 2
/** A program that says nothing to the newest revision's first request is taken for an old one after this. */
export const probeMs = 10_000

/**
 * Connects to the server. Old ones are met on their own terms: a program that ends at a request it does not know is started again
 * and greeted as of old; an address that does not speak streamable HTTP is tried with its predecessor.
 *
 * @throws {McpError} that names the server and says what it said.
 */
export async function openSession(open: OpenOptions): Promise<Session> {
  const ways = waysTo(open)
  let logins = 0
  for (let way = 0; ;) {
    const { transport, legacy, progress } = ways[way]!()
    try {
      return await tryWay(open, transport, legacy, progress)
    } catch (error) {
      await settle(transport.close())
      if (open.signal.aborted) throw reasonOf(open.signal)
      if (logins < mostLogins && (await logIn(open, transport, error))) {
        logins++
        continue
      }
      if (way + 1 >= ways.length || !wantsAnother(error, transport, open.sdk)) throw startError(error, transport, open)
      way++
    }
  }
}

function waysTo({ options, sdk, clock, onBadTool }: OpenOptions): readonly (() => Way)[] {
  const wayOver = (transport: Transport, legacy: boolean): Way => {
    const progress: ProgressListeners = new Map()
    return { transport: tapTransport(transport, { sdk, onBadTool, progress }), legacy, progress }
  }
  if ('url' in options && options.url !== undefined) {
    const http = (): Way => wayOver(httpTransport(options, sdk), false)
    const sse = (): Way => wayOver(sseTransport(options, sdk), true)
    return options.transport === 'sse' ? [sse] : options.transport === 'http' ? [http] : [http, sse]
  }
  const program = (legacy: boolean) => (): Way => wayOver(new ProcessTransport(options as McpProgram, clock), legacy)
  return options.protocolVersion === undefined ? [program(false), program(true)] : [program(false)]
}

function httpTransport({ url, headers, auth, fetch }: McpAddress, sdk: ClientSdk): StreamableHTTPClientTransport {
  return new sdk.StreamableHTTPClientTransport(new URL(url), {
    ...(headers && { requestInit: { headers: { ...headers } } }),
    ...(auth && { authProvider: auth }),
    ...(fetch && { fetch }),
  })
}

function sseTransport({ url, headers, auth, fetch }: McpAddress, sdk: ClientSdk): Transport {
  return new sdk.SSEClientTransport(new URL(url), {
    ...(headers && { requestInit: { headers: { ...headers } } }),
    ...(auth && { authProvider: auth }),
    // The stream itself is asked for by another function, which knows nothing of `requestInit`.
    ...(headers && {
      eventSourceInit: {
        fetch: (address: string | URL, init?: RequestInit) => {
          const all = new Headers(headers)
          new Headers(init?.headers).forEach((value, key) => all.set(key, value))
          return (fetch ?? globalThis.fetch)(address, { ...init, headers: all })
        },
      },
    }),
    ...(fetch && { fetch }),
  })
}

async function tryWay(open: OpenOptions, transport: Transport, legacy: boolean, progress: ProgressListeners): Promise<Session> {
  const { sdk, clock, startTimeoutMs, name } = open
  const client = open.makeClient(legacy ? 'legacy' : undefined)
  const ended = new AbortController()
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the library's client is no event target
  client.onclose = () => ended.abort(new McpError('mcp_closed', `The MCP server "${name}" ${endingOf(transport)}`, { server: name }))
  const { controller, release } = childController(open.signal)
  const timer = new AbortController()
  void clock.sleep(startTimeoutMs, timer.signal).then(() => {
    if (!timer.signal.aborted) controller.abort(new Error(`it did not answer within ${startTimeoutMs} ms`))
  })
  try {
    const connecting = client.connect(transport, { timeout: startTimeoutMs, signal: controller.signal })
    await orAborted(connecting, controller.signal)
  } finally {
    timer.abort(notNeeded)
    release()
  }
  return {
    sdk,
    client,
    ended: ended.signal,
    logIn: (signal) => logIn({ ...open, signal }, transport, undefined),
    onProgress: (listener) => {
      const token = `progress-${++tokens}`
      progress.set(token, listener)
      return { token, stop: () => void progress.delete(token) }
    },
    hasId: () => transport.sessionId !== undefined,
    close: async () => {
      // What is under way fails now, not when the server has ended.
      ended.abort(new McpError('mcp_closed', `The connection to the MCP server "${name}" was closed.`, { server: name }))
      if ('terminateSession' in transport && transport.sessionId !== undefined)
        await bounded((transport as StreamableHTTPClientTransport).terminateSession(), clock)
      await settle(client.close())
    },
  }
}

/** Waits no longer than the signal; the promise that is left behind is handled. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const off = onAbort(signal, () => reject(reasonOf(signal)))
    promise.then(resolve, reject).finally(off)
  })
}

/** A server that is told goodbye may not answer. */
async function bounded(promise: Promise<void>, clock: Clock): Promise<void> {
  const timer = new AbortController()
  await Promise.race([settle(promise), clock.sleep(1000, timer.signal)])
  timer.abort(notNeeded)
}

/** Waits for the login that a request began, and finishes it. False: there was none, or nobody can. */
async function logIn({ options, sdk, signal, clock }: OpenOptions, transport: Transport, error: unknown): Promise<boolean> {
  const auth = 'url' in options ? options.auth : undefined
  if (!auth?.authorizationResponse || !('finishAuth' in transport)) return false
  if (error !== undefined && !isUnauthorized(error, sdk)) return false
  const { controller, release } = childController(signal)
  const timer = new AbortController()
  void clock.sleep(loginMs, timer.signal).then(() => {
    if (!timer.signal.aborted) controller.abort(new Error(`nobody logged in within ${loginMs / 60_000} minutes`))
  })
  try {
    const response = await orAborted(auth.authorizationResponse({ signal: controller.signal }), controller.signal)
    await orAborted((transport as StreamableHTTPClientTransport).finishAuth(response), controller.signal)
    return true
  } finally {
    timer.abort(notNeeded)
    release()
  }
}

/** Errors of the library may be wrapped in others of its own. */
export function* causesOf(error: unknown): Generator<unknown, void, void> {
  for (let depth = 0, inner = error; inner !== undefined && depth < 8; depth++) {
    yield inner
    inner = inner instanceof Error ? (inner.cause ?? (inner as { data?: { cause?: unknown } }).data?.cause) : undefined
  }
}

export const isUnauthorized = (error: unknown, sdk: ClientSdk): boolean =>
  [...causesOf(error)].some((inner) => inner instanceof sdk.UnauthorizedError)

/** The status of the HTTP answer that an error tells of. */
export function statusOf(error: unknown, sdk: ClientSdk): number | undefined {
  for (const inner of causesOf(error)) {
    if (inner instanceof sdk.SdkHttpError) return inner.status
    const status = (inner as { data?: { status?: unknown } }).data?.status ?? (inner as { code?: unknown }).code
    if (typeof status === 'number' && status >= 400 && status < 600) return status
  }
  return undefined
}

/** Is the failure one that an old server would give? */
function wantsAnother(error: unknown, transport: Transport, sdk: ClientSdk): boolean {
  // A program that is not there will not be there the second time.
  if (transport instanceof ProcessTransport) return transport.pid !== null && transport.ending !== 'was closed'
  const status = statusOf(error, sdk)
  return status !== undefined && status >= 400 && status < 500 && status !== 401 && status !== 403
}

function endingOf(transport: Transport): string {
  const closed = 'closed the connection.'
  if (!(transport instanceof ProcessTransport) || transport.ending === undefined) return closed
  return `${transport.ending}${saidBy(transport) || '.'}`
}

const saidBy = ({ errorTail }: ProcessTransport): string => (errorTail === '' ? '' : `. It said last:\n${errorTail}`)

function startError(error: unknown, transport: Transport, { name, sdk }: OpenOptions): McpError {
  const said = error instanceof Error ? error.message : String(error)
  if (isUnauthorized(error, sdk) || statusOf(error, sdk) === 401)
    return new McpError('mcp_unauthorized', `The MCP server "${name}" wants a login: ${said}. Give the client \`auth\` or \`headers\`.`, {
      server: name,
      cause: error,
    })
  const cause = [...causesOf(error)].at(-1)
  const code = (cause as { code?: unknown } | undefined)?.code
  const why =
    code === 'ENOENT' ? `${said}. Is the program installed?` : typeof code === 'string' && !said.includes(code) ? `${said} (${code})` : said
  const process = transport instanceof ProcessTransport ? transport : undefined
  const ending = process?.ending !== undefined && process.ending !== 'was closed' ? `it ${process.ending}` : why
  return new McpError('mcp_start_failed', `The MCP server "${name}" could not be started: ${ending}${process ? saidBy(process) : ''}`, {
    server: name,
    cause: error,
  })
}
