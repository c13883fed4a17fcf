import type { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestId, Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { settle } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import { isObject } from '../util/json.ts'
import { KeptEvents } from './kept-events.ts'
import type { KeptStream } from './kept-events.ts'
import type { ServerSdk } from './sdk.ts'
import type { SilenceLimit } from './silence-limit.ts'
import { silenceLimit } from './silence-limit.ts'

export type SessionsOptions = {
  readonly sdk: ServerSdk
  readonly makeServer: () => Server
  readonly clock: Clock
  /** At most so many at once. */
  readonly maxSessions: number
  /** Milliseconds without a request and without an open stream, after which a session ends. */
  readonly sessionIdleMs: number
  /** Milliseconds that a call goes on whose connection broke. */
  readonly resumeMs: number
  readonly taking: AsyncLocalStorage<KeptStream>
}

/** An answer, and who wants to know when it has been sent, or could not be. */
export type Exchange = { readonly response: Response; readonly over: (wasSent: boolean) => void }

type Session = {
  readonly id: string
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly ready: Promise<void>
  readonly idle: SilenceLimit
  readonly kept: KeptEvents
  /** Exchanges under way: requests, and streams that are listened to. */
  open: number
}

const header = 'mcp-session-id'
const failed = -32_000

/**
 * The sessions of clients before the revision 2026-07-28: a server of the official library for each, so that a cancel finds the call it
 * means and never that of somebody else. The newest revision has none.
 */
export class ServedSessions {
  readonly #options: SessionsOptions
  /** The one used last stands last. */
  readonly #sessions = new Map<string, Session>()
  #closed = false

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** Is it of a session, or the greeting that begins one? A request that names none is served on its own. */
  concerns(request: Request, body: unknown): boolean {
    return request.headers.has(header) || this.#options.sdk.isInitializeRequest(body)
  }

  async answer(request: Request, body: unknown): Promise<Exchange> {
    const id = request.headers.get(header)
    const session = id === null ? this.#begin() : this.#sessions.get(id)
    // By this answer a client knows that it has to greet anew.
    if (!session) return refusal(404, -32_001, 'Session not found')
    if (typeof session === 'string') return refusal(503, failed, session)
    return this.#exchange(session, request, body)
  }

  close(): void {
    this.#closed = true
    for (const session of this.#sessions.values()) this.#end(session)
  }

  /** A session, or why there is none. */
  #begin(): Session | string {
    const { sdk, makeServer, clock, maxSessions, sessionIdleMs, resumeMs, taking } = this.#options
    if (this.#closed) return 'The service has ended.'
    if (this.#sessions.size >= maxSessions) {
      const unused = [...this.#sessions.values()].find(({ open }) => open === 0)
      if (!unused) return `There are ${maxSessions} sessions already, and all are in use.`
      this.#end(unused)
    }
    const id = crypto.randomUUID()
    const kept = new KeptEvents({ clock, resumeMs, taking })
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id, eventStore: kept })
    const server = makeServer()
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the library's server is no event target
    server.onclose = () => this.#end(session)
    const idle = silenceLimit(sessionIdleMs, clock, () => this.#end(session))
    const session: Session = { id, transport, ready: server.connect(transport), idle, kept, open: 0 }
    return session
  }

  async #exchange(session: Session, request: Request, body: unknown): Promise<Exchange> {
    const { id, transport, ready, idle, kept } = session
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    session.open++
    idle.pause()
    const messages = Array.isArray(body) ? body : [body]
    const requests = requestsOf(messages)
    const holder = {}
    let stream: KeptStream | undefined
    const over = (wasSent: boolean): void => {
      // Before the newest revision a connection that breaks is no cancel: its client may come back.
      if (stream) kept.release(stream, holder, wasSent, (open) => open.forEach((each) => this.#cancel(session, each)))
      session.open--
      idle.resume()
    }
    try {
      await ready
      // An empty one is none.
      const lastEventId = (request.method === 'GET' && request.headers.get('last-event-id')) || undefined
      const resumed = lastEventId === undefined ? undefined : kept.find(lastEventId)
      if (lastEventId !== undefined && !resumed) {
        over(false)
        return refusal(400, failed, 'There is no such event: it was sent, or nobody came back for it in time.')
      }
      const begun = resumed
        ? { stream: resumed, taken: transport.handleRequest(request) }
        : kept.begin(requests, holder, () => transport.handleRequest(request, body === undefined ? {} : { parsedBody: body }))
      const response = await begun.taken
      if (response.ok) kept.hold((stream = begun.stream), holder)
      else if (!resumed) kept.forget(begun.stream)
      // A greeting that was refused begins no session.
      if (transport.sessionId === undefined) this.#end(session)
      else if (response.ok) for (const each of cancelledBy(messages)) endStream(session, each)
      return { response, over }
    } catch (error) {
      over(false)
      throw error
    }
  }

  #cancel(session: Session, requestId: RequestId): void {
    session.transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
    endStream(session, requestId)
  }

  #end(session: Session): void {
    if (!this.#sessions.delete(session.id)) return
    session.idle.stop()
    session.kept.clear()
    void settle(session.transport.close())
  }
}

/** The library gives a cancelled request no answer, and would keep its stream, and what it notes of it, for as long as the session lasts. */
function endStream({ transport, kept }: Session, id: RequestId): void {
  // Older revisions let several share one.
  if (!kept.isShared(id)) transport.closeSSEStream(id)
  void settle(transport.send({ jsonrpc: '2.0', id, error: { code: failed, message: 'The request was cancelled.' } }))
}

const requestsOf = (messages: readonly unknown[]): readonly RequestId[] =>
  messages.flatMap((message) => (isObject(message) && 'method' in message && 'id' in message ? [message['id'] as RequestId] : []))

const cancelledBy = (messages: readonly unknown[]): readonly RequestId[] =>
  messages.flatMap((message) => {
    const { method, params } = isObject(message) ? message : {}
    return method === 'notifications/cancelled' && isObject(params) && 'requestId' in params ? [params['requestId'] as RequestId] : []
  })

function refusal(status: number, code: number, message: string): Exchange {
  return { response: Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status }), over: () => {} }
}
