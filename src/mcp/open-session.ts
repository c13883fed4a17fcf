import type { Client, StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client'
import { notNeeded, reasonOf, settle } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import { causesOf, isUnauthorized, statusOf, wasCut } from './failures.ts'
import { logIn } from './log-in.ts'
import { McpError } from './mcp-error.ts'
import type { McpClientOptions } from './options.ts'
import { orAborted } from './or-aborted.ts'
import { ProcessTransport } from './process-transport.ts'
import type { ClientSdk } from './sdk.ts'
import type { Session } from './session.ts'
import { waysTo } from './ways-to-server.ts'
import type { ProgressListeners } from './ways-to-server.ts'
import { within } from './within.ts'

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

let tokens = 0

/** More often than this a server that still wants a login will not have one. */
const mostLogins = 2

/**
 * Connects to the server. Old ones are met on their own terms: a program that ends at a request it does not know is started again
 * and greeted as of old; an address that does not speak streamable HTTP is tried with its predecessor.
 *
 * @throws {McpError} that names the server and says what it said.
 */
export async function openSession(open: OpenOptions): Promise<Session> {
  const ways = waysTo(open)
  let logins = 0
  let wasTriedAgain = false
  for (let way = 0; ;) {
    const { transport, legacy, progress } = ways[way]!()
    try {
      return await tryWay(open, transport, legacy, progress)
    } catch (error) {
      await settle(transport.close())
      if (open.signal.aborted) throw reasonOf(open.signal)
      if (logins < mostLogins && isUnauthorized(error, open.sdk) && (await logIn(open, transport))) {
        logins++
        continue
      }
      // Greeting a server does nothing there, so it may be done again.
      if (!wasTriedAgain && wasCut(error) && !(transport instanceof ProcessTransport)) {
        wasTriedAgain = true
        continue
      }
      if (way + 1 >= ways.length || !wantsAnother(error, transport, open.sdk)) throw startError(error, transport, open)
      way++
    }
  }
}

async function tryWay(open: OpenOptions, transport: Transport, legacy: boolean, progress: ProgressListeners): Promise<Session> {
  const { sdk, clock, startTimeoutMs, name } = open
  const client = open.makeClient(legacy ? 'legacy' : undefined)
  const ended = new AbortController()
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the library's client is no event target
  client.onclose = () => ended.abort(new McpError('mcp_closed', `The MCP server "${name}" ${endingOf(transport)}`, { server: name }))
  const late = (): Error => new Error(`it did not answer within ${startTimeoutMs} ms`)
  await within({ ms: startTimeoutMs, clock, signal: open.signal, late }, (signal) =>
    client.connect(transport, { timeout: startTimeoutMs, signal }),
  )
  let login: Promise<boolean> | undefined
  return {
    sdk,
    client,
    ended: ended.signal,
    logIn: (signal) => {
      // Calls that need one at the same time need the same one.
      login ??= logIn({ ...open, signal: ended.signal }, transport).finally(() => (login = undefined))
      return orAborted(login, signal)
    },
    listen: (listener) => {
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

/** A server that is told goodbye may not answer. */
async function bounded(promise: Promise<void>, clock: Clock): Promise<void> {
  const timer = new AbortController()
  await Promise.race([settle(promise), clock.sleep(1000, timer.signal)])
  timer.abort(notNeeded)
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
  // Which request it was of those that a greeting takes says nothing to whoever reads this.
  const said = (error instanceof Error ? error.message : String(error)).replace(/^Version negotiation probe failed: (?=.)/, '')
  if (isUnauthorized(error, sdk) || statusOf(error, sdk) === 401)
    return new McpError('mcp_unauthorized', `The MCP server "${name}" wants a login: ${said}. Give the client \`auth\` or \`headers\`.`, {
      server: name,
      cause: error,
    })
  const why = withReason(said, [...causesOf(error)].at(-1))
  const process = transport instanceof ProcessTransport ? transport : undefined
  const ending = process?.ending !== undefined && process.ending !== 'was closed' ? `it ${process.ending}` : why
  return new McpError('mcp_start_failed', `The MCP server "${name}" could not be started: ${ending}${process ? saidBy(process) : ''}`, {
    server: name,
    cause: error,
  })
}

function withReason(said: string, cause: unknown): string {
  const { code, message = '' } = (cause ?? {}) as { readonly code?: unknown; readonly message?: string }
  if (/dynamic client registration/i.test(said))
    return `${said}. Give it a client that the authorization server knows (terminalAuth({ client })).`
  // Node's `fetch` says why in its cause alone.
  if (said === 'fetch failed' && message !== '') return message
  if (code === 'ENOENT') return `${said}. Is the program installed?`
  return typeof code === 'string' && !said.includes(code) ? `${said} (${code})` : said
}
