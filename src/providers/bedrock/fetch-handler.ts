import type { BedrockRuntimeClientConfig } from '@aws-sdk/client-bedrock-runtime'

/** A request as the SDK has signed it. */
type SignedRequest = {
  readonly method: string
  readonly protocol: string
  readonly hostname: string
  readonly port?: number | undefined
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: BodyInit | undefined
}
type HandlerOptions = { readonly abortSignal?: AbortSignal | undefined }

/** The transport has failed. */
export class TransportError extends Error {
  readonly host: string

  constructor(host: string, cause: unknown) {
    super(`could not reach ${host}`, { cause })
    this.name = 'TransportError'
    this.host = host
  }
}

/** Something in between has answered: a page to log in, say. The SDK would take its first letters for the length of an event. */
export class StrangerError extends Error {
  readonly status: number
  readonly headers: Headers
  readonly mediaType: string

  constructor(text: string, { status, headers }: Response) {
    super(text)
    this.name = 'StrangerError'
    this.status = status
    this.headers = headers
    this.mediaType = headers.get('content-type') ?? ''
  }
}

/** How much of a stranger's answer is read, in bytes. */
const maxPageBytes = 4096

/**
 * What carries the SDK's requests: `fetch`, as with all other providers. So a user's own one serves here too, connections are
 * kept for the next turn, and a server that speaks no HTTP/2 will do.
 */
export function fetchHandler(fetch: typeof globalThis.fetch): NonNullable<BedrockRuntimeClientConfig['requestHandler']> {
  return {
    async handle(request: SignedRequest, { abortSignal }: HandlerOptions = {}) {
      const { method, protocol, hostname, port, path, body } = request
      // Both are made of the address and the body, to what was signed.
      const { host: _host, 'content-length': _length, ...headers } = request.headers
      const url = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`
      const { host } = new URL(url)
      // To find the credentials may have taken its time, and not every `fetch` minds a signal that has fired.
      abortSignal?.throwIfAborted()
      let response: Response
      try {
        response = await fetch(url, {
          method,
          headers,
          ...(body !== undefined && { body }),
          ...(abortSignal && { signal: abortSignal }),
          redirect: 'manual',
        })
      } catch (cause) {
        throw new TransportError(host, cause)
      }
      // A redirect is not followed: what was signed would go to a host that nobody named.
      const isRedirect = response.status === 0 || (response.status >= 300 && response.status < 400)
      if (isRedirect || (response.ok ? /html|text|json/ : /html|text/).test(response.headers.get('content-type') ?? ''))
        throw new StrangerError(await beginningOf(response.body), response)
      return {
        response: {
          statusCode: response.status,
          reason: response.statusText,
          headers: Object.fromEntries(response.headers),
          body: response.body ?? new Blob([]).stream(),
        },
      }
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  }
}

async function beginningOf(body: Response['body']): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let left = maxPageBytes
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes.subarray(0, left), { stream: true })
    left -= bytes.length
    if (left <= 0) break
  }
  return text
}
