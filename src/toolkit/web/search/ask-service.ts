import { proxyFor } from '../proxy.ts'
import { codings, readBody } from '../read-body.ts'
import { send } from '../send.ts'
import { textOfBytes } from '../decode.ts'
import type { SearchRequest } from './provider.ts'

export type ServiceRequest = {
  /** For messages. */
  readonly name: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON; without it it is a GET. */
  readonly json?: object | undefined
}

const maxBytes = 2 * 1024 * 1024

/**
 * The answer of a search service, as text.
 *
 * @throws {Error} for the model; what the service says of a failure stands in it, keys never do.
 */
export async function askService(
  { name, url, headers, json }: ServiceRequest,
  { signal, env }: Pick<SearchRequest, 'signal' | 'env'>,
): Promise<{ readonly status: number; readonly text: string }> {
  const body = json === undefined ? undefined : JSON.stringify(json)
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const proxy = proxyFor(url, env)
  try {
    const message = await send({
      url,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'accept-encoding': codings, ...headers, ...type },
      body,
      proxy,
      signal,
    })
    const { bytes } = await readBody(message, maxBytes, signal)
    return { status: message.statusCode ?? 0, text: textOfBytes(bytes, message.headers['content-type'] ?? '') }
  } catch (error) {
    if (signal.aborted) throw error
    const { message, code } = error as NodeJS.ErrnoException
    throw new Error(`${name} could not be reached${proxy ? ` through the proxy ${proxy.host}` : ''}: ${message || code}`, { cause: error })
  }
}

/** The same for services that answer with JSON. */
export async function askJsonService(request: ServiceRequest, search: SearchRequest): Promise<unknown> {
  const { status, text } = await askService(request, search)
  const { name } = request
  if (status === 401 || status === 403) throw new Error(`${name} does not take the key (${status}). The user has to set a valid one.`)
  if (status === 429) throw new Error(`${name} takes no more searches for now (429). Go on with what you have, or wait.`)
  if (status < 200 || status > 299) throw new Error(`${name} answered ${status}: ${text.slice(0, 300).trim() || 'nothing'}`)
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${name} answered with something that is no JSON.`)
  }
}

/** The list at the end of a path in an answer, each entry an object; nothing where there is none. */
export function entriesAt(answer: unknown, ...path: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  let value: unknown = answer
  for (const key of path) value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
  if (!Array.isArray(value)) return []
  return value.filter((entry): entry is Record<string, unknown> => typeof entry === 'object' && entry !== null)
}

export const textAt = (entry: Readonly<Record<string, unknown>>, key: string): string => {
  const value = entry[key]
  return typeof value === 'string' ? value : ''
}
