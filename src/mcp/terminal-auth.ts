import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { systemClock } from '../util/clock.ts'
import type { Clock } from '../util/clock.ts'
import { McpError } from './mcp-error.ts'
import { listenForRedirect } from './redirect-listener.ts'
import type { RedirectListener } from './redirect-listener.ts'
import { InputError } from '../errors.ts'
import { aClock, aFilledText, aFunction, aText, anAddress, anObject, checkOptions, having, isOptions } from '../util/check-options.ts'
import type { RulesOf } from '../util/check-options.ts'
import { describe } from '../util/describe.ts'

/** What is kept of a login, as JSON. Whoever has it can act as the user: keep it where only the user can read. */
export type McpLogin = {
  readonly client?: StoredOAuthClientInformation | undefined
  readonly tokens?: StoredOAuthTokens | undefined
}

/** Where logins are kept. */
export interface McpLoginStore {
  load(): McpLogin | undefined | Promise<McpLogin | undefined>
  save(login: McpLogin): void | Promise<void>
}

export type TerminalAuthOptions = {
  /** Shows the page on which the user logs in: opens a browser, or prints the address. */
  readonly openUrl: (url: URL) => void | Promise<void>
  /** Default: logins are kept in memory, and end with the process. */
  readonly store?: McpLoginStore | undefined
  /** Of the page on this computer that the browser comes back to. Default: any that is free. Fixed, where the server knows the client. */
  readonly port?: number | undefined
  readonly clientName?: string | undefined
  readonly scope?: string | undefined
  /** A client that the authorization server knows already. Default: one is registered. */
  readonly client?: StoredOAuthClientInformation | undefined
  /** The address of a document that describes the client, for servers that take that instead of a registration. */
  readonly clientMetadataUrl?: string | undefined
  readonly clock?: Clock | undefined
}

const rules: RulesOf<TerminalAuthOptions> = {
  openUrl: aFunction,
  store: having('an object', 'load', 'save'),
  port: ['a port from 0 to 65535', (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535],
  clientName: aFilledText,
  scope: aText,
  client: anObject,
  clientMetadataUrl: anAddress,
  clock: aClock,
}

/** `terminalAuth()` makes one. */
export interface TerminalAuth extends OAuthClientProvider {
  authorizationResponse(options: { readonly signal: AbortSignal }): Promise<URLSearchParams>
  /** Ends a login that nobody finished. */
  close(): void
}

/**
 * Logs in with OAuth 2.1 from a terminal: the user's browser comes back to a page of this computer, on 127.0.0.1. With PKCE, and
 * a random `state` that must come back.
 *
 * @example const auth = await terminalAuth({ openUrl: (url) => console.log(`Log in: ${url}`) })
 * new McpClient({ url: 'https://…', auth })
 */
export async function terminalAuth(options: TerminalAuthOptions): Promise<TerminalAuth> {
  if (!isOptions(options) || typeof options['openUrl'] !== 'function')
    throw new InputError(`terminalAuth() needs { openUrl(url) }, which shows the page to log in at, got ${describe(options)}.`)
  checkOptions('terminalAuth', options, rules)
  const auth = new Terminal(options)
  await auth.prepare()
  return auth
}

/** A page that nobody came back from for so long, in milliseconds, is shown again. */
const openAgainMs = 10_000

class Terminal implements TerminalAuth {
  declare clientMetadataUrl?: string
  readonly #options: TerminalAuthOptions
  #listener: RedirectListener | undefined
  #port: number
  #login: McpLogin = {}
  /** The login that is under way: the page that was shown, and what comes back from it. */
  #shown: { readonly url: URL; readonly listening: Promise<void>; openedAt: number } | undefined
  #waiting = 0
  /** Of logins that are begun; several may be at once. */
  #verifiers: readonly string[] = []
  #verifier: string | undefined
  /** Who was asked for the login that is under way. Afterwards it is looked up anew: a server may change whom it trusts. */
  #discovery: OAuthDiscoveryState | undefined

  constructor(options: TerminalAuthOptions) {
    this.#options = options
    this.#port = options.port ?? 0
    if (options.clientMetadataUrl !== undefined) this.clientMetadataUrl = options.clientMetadataUrl
  }

  /** A registration names the page that the browser comes back to, so its port must be known before anything is asked. */
  async prepare(): Promise<void> {
    this.#login = (await this.#options.store?.load()) ?? {}
    const before = (this.#login.client as { redirect_uris?: readonly string[] } | undefined)?.redirect_uris?.[0]
    if (this.#port === 0 && before !== undefined) this.#port = Number(new URL(before).port)
    try {
      await this.#listen()
    } catch (error) {
      if (this.#options.port !== undefined || before === undefined) throw error
      // Somebody else has the port now: the client is registered anew.
      this.#login = { tokens: this.#login.tokens }
      this.#port = 0
      await this.#listen()
    }
    // The port is known; it is listened on while somebody logs in.
    this.close()
  }

  get redirectUrl(): string {
    return `http://127.0.0.1:${this.#port}/callback`
  }

  get clientMetadata(): OAuthClientMetadata {
    const { clientName = 'Lena', scope } = this.#options
    return {
      client_name: clientName,
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(scope !== undefined && { scope }),
    }
  }

  state(): string {
    return randomText()
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { client } = this.#options
    // The kept one says as well for whom it is meant.
    return client && client.client_id !== this.#login.client?.client_id ? client : this.#login.client
  }

  saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    return this.#save({ ...this.#login, client })
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#login.tokens
  }

  saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    this.#discovery = undefined
    return this.#save({ ...this.#login, tokens })
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#discovery = discovery
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifiers = [...this.#verifiers.slice(-7), verifier]
  }

  codeVerifier(): string {
    if (this.#verifier === undefined) throw new McpError('mcp_unauthorized', 'No login was begun.')
    return this.#verifier
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const { clock = systemClock } = this.#options
    const isNew = !this.#shown || withoutProofs(this.#shown.url) !== withoutProofs(url)
    if (isNew) {
      this.#shown = { url, listening: this.#begin(url), openedAt: clock.now() }
    }
    const shown = this.#shown!
    await shown.listening
    // Calls that find out at the same time that nobody is logged in have one page between them.
    if (!isNew && (this.#waiting > 0 || clock.now() - shown.openedAt < openAgainMs)) return
    shown.openedAt = clock.now()
    try {
      await this.#options.openUrl(shown.url)
    } catch (error) {
      // Nobody will come back from a page that was not shown.
      this.close()
      throw error
    }
  }

  async authorizationResponse({ signal }: { readonly signal: AbortSignal }): Promise<URLSearchParams> {
    if (!this.#listener) throw new McpError('mcp_unauthorized', 'No login was begun.')
    this.#waiting++
    try {
      return await this.#listener.response(signal)
    } catch (error) {
      this.#discovery = undefined
      throw error
    } finally {
      if (--this.#waiting === 0) this.close()
    }
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'verifier' || scope === 'all') this.#verifier = undefined
    if (scope === 'discovery' || scope === 'all') this.#discovery = undefined
    const { client, tokens } = this.#login
    const keep = (part: typeof scope): boolean => scope !== 'all' && scope !== part
    await this.#save({
      ...(keep('client') && client && { client }),
      ...(keep('tokens') && tokens && { tokens }),
    })
  }

  close(): void {
    this.#listener?.close()
    this.#listener = undefined
    this.#shown = undefined
  }

  async #begin(url: URL): Promise<void> {
    const challenge = url.searchParams.get('code_challenge')
    for (const verifier of this.#verifiers) if ((await challengeOf(verifier)) === challenge) this.#verifier = verifier
    await this.#listen()
  }

  async #listen(): Promise<void> {
    this.#listener?.close()
    this.#listener = undefined
    this.#listener = await listenForRedirect(this.#port, (state) => state !== null && state === this.#shown?.url.searchParams.get('state'))
    this.#port = Number(new URL(this.#listener.url).port)
  }

  async #save(login: McpLogin): Promise<void> {
    this.#login = login
    await this.#options.store?.save(login)
  }
}

/** The page without what is new each time it is asked for. */
function withoutProofs(url: URL): string {
  const plain = new URL(url)
  for (const name of ['state', 'code_challenge']) plain.searchParams.delete(name)
  return plain.href
}

/** As PKCE makes it of a verifier. */
async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return Buffer.from(hash).toString('base64url')
}

const randomText = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
