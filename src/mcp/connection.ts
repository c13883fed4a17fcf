import { reasonOf, settle, settleOrAbort } from '../util/abort.ts'
import type { Settled } from '../util/abort.ts'
import { isBroken, isUnauthorized, neverArrived } from './failures.ts'
import { McpError } from './mcp-error.ts'
import type { Session } from './session.ts'

export type ConnectionOptions = {
  readonly name: string
  readonly open: (signal: AbortSignal) => Promise<Session>
  /** A connection stands; `again`: it is not the first. */
  readonly onOpen: (session: Session, again: boolean) => void
}

export type RequestOptions = {
  readonly signal: AbortSignal
  /** May it be sent again although the first one may have been carried out? */
  readonly repeatable: boolean
}

type Opening = { readonly settled: Promise<Settled<Session>>; readonly controller: AbortController; waiting: number }

/**
 * The one connection to a server, shared by all who use it. It is opened when it is first needed, once however many wait for it,
 * and opened again when it is needed after it has ended.
 */
export class Connection {
  readonly #options: ConnectionOptions
  #session: Session | undefined
  #opening: Opening | undefined
  #ending: Promise<unknown> = Promise.resolve()
  #isClosed = false
  #wasOpen = false

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** The session as it is, if there is one. */
  get current(): Session | undefined {
    return this.#session?.ended.aborted ? undefined : this.#session
  }

  /** Allows connecting again after `close()`. */
  reopen(): void {
    this.#isClosed = false
  }

  /** @throws {McpError} that names the server. */
  async session(signal: AbortSignal): Promise<Session> {
    if (signal.aborted) throw reasonOf(signal)
    if (this.#isClosed)
      throw new McpError('mcp_closed', `The client of the MCP server "${this.#options.name}" was closed. Call connect() to use it again.`, {
        server: this.#options.name,
      })
    if (this.current) return this.current
    const opening = (this.#opening ??= this.#open())
    opening.waiting++
    const settled = await settleOrAbort(opening.settled, signal)
    opening.waiting--
    // Nobody wants it any more.
    if (!settled && opening.waiting === 0) this.#giveUp(opening, reasonOf(signal))
    if (!settled?.ok) throw reasonOf(signal)
    if (!settled.value.ok) throw settled.value.error
    return settled.value.value
  }

  /**
   * Sends something over the connection. What surely did not reach the server is sent once more over a new one; so is what may be
   * repeated, when the connection ended before the answer.
   *
   * @throws {McpError} that names the server, the reason of the signal, or what `send` throws.
   */
  async request<T>(send: (session: Session) => Promise<T>, { signal, repeatable }: RequestOptions): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const session = await this.session(signal)
      const settled = await settleOrEnded(settle(send(session)), session)
      if (settled?.ok) return settled.value
      if (signal.aborted) throw reasonOf(signal)
      const error: unknown = settled ? settled.error : reasonOf(session.ended)
      // Told as it was before the session is given up.
      const explained = this.#explained(error, session)
      if (attempt > 0 || this.#isClosed || !(await this.#canRepeat(error, session, signal, repeatable))) throw explained
    }
  }

  /** Ends the connection; the next who needs one opens another. What is under way fails at once. */
  async release(): Promise<void> {
    if (this.#opening) this.#giveUp(this.#opening, this.#closed())
    const session = this.#session
    this.#session = undefined
    const closing = session ? session.close() : Promise.resolve()
    await (this.#ending = Promise.all([this.#ending, settle(closing)]))
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.release()
  }

  #closed(): McpError {
    const { name } = this.#options
    return new McpError('mcp_closed', `The client of the MCP server "${name}" was closed.`, { server: name })
  }

  #open(): Opening {
    const controller = new AbortController()
    const opened = (async () => {
      // Two processes of one server might be in each other's way.
      await this.#ending
      const session = await this.#options.open(controller.signal)
      if (controller.signal.aborted) {
        await session.close()
        throw reasonOf(controller.signal)
      }
      this.#session = session
      const again = this.#wasOpen
      this.#wasOpen = true
      this.#options.onOpen(session, again)
      return session
    })()
    const settled = settle(opened).finally(() => {
      if (this.#opening === opening) this.#opening = undefined
    })
    const opening: Opening = { settled, controller, waiting: 0 }
    return opening
  }

  /** Who comes next opens another, once this one has ended. */
  #giveUp(opening: Opening, reason: Error): void {
    opening.controller.abort(reason)
    if (this.#opening === opening) this.#opening = undefined
    this.#ending = Promise.all([this.#ending, opening.settled])
  }

  async #canRepeat(error: unknown, session: Session, signal: AbortSignal, repeatable: boolean): Promise<boolean> {
    if (isUnauthorized(error, session.sdk)) return await session.logIn(signal)
    if (neverArrived(error, session)) {
      this.#drop(session)
      return true
    }
    if (!session.ended.aborted && !isBroken(error)) return false
    this.#drop(session)
    return repeatable
  }

  #drop(session: Session): void {
    if (this.#session !== session) return
    this.#session = undefined
    this.#ending = Promise.all([this.#ending, settle(session.close())])
  }

  /** Errors that the library words for programmers, in words that name the server. */
  #explained(error: unknown, session: Session): unknown {
    const { name } = this.#options
    const server = { server: name, cause: error }
    if (error instanceof McpError) return error
    const said = error instanceof Error ? error.message : String(error)
    if (isUnauthorized(error, session.sdk))
      return new McpError('mcp_unauthorized', `The MCP server "${name}" wants a login: ${said}`, server)
    if (session.ended.aborted || isBroken(error)) {
      const why = session.ended.aborted ? reasonOf(session.ended).message : `The connection to the MCP server "${name}" broke: ${said}`
      return new McpError('mcp_closed', why, server)
    }
    if (error instanceof session.sdk.SdkError && (error.code as string) === 'REQUEST_TIMEOUT')
      return new McpError('mcp_timeout', `The MCP server "${name}" did not answer in time: ${said}`, server)
    if (error instanceof session.sdk.ProtocolError) {
      const { code: rpcCode, data } = error
      return new McpError('mcp_protocol', `The MCP server "${name}" refused: ${said} (${rpcCode})`, { ...server, rpcCode, data })
    }
    if (error instanceof session.sdk.SdkError) return new McpError('mcp_protocol', `The MCP server "${name}": ${said}`, server)
    return error
  }
}

/** Waits for an answer, but not after the connection has ended. */
async function settleOrEnded<T>(answer: Promise<Settled<T>>, { ended }: Session): Promise<Settled<T> | undefined> {
  const settled = await settleOrAbort(answer, ended)
  if (!settled) {
    // An answer that came with the end still counts.
    return await Promise.race([answer, new Promise<undefined>((resolve) => void setImmediate(() => resolve(undefined)))])
  }
  return settled.ok ? settled.value : undefined
}
