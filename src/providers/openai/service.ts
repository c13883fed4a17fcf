import { AuthenticationError } from '../../errors.ts'
import { headerKey } from '../wire/header-values.ts'
import type { OpenAIOptions } from './options.ts'

/** A server, and how it knows who asks. */
export type Service = {
  readonly provider: string
  readonly url: string
  /** The environment variable that holds the key, where it is to be looked for. Without one no key is needed. */
  readonly variable?: string | undefined
  /** The header that carries the key. Default `authorization`, as a bearer's. */
  readonly keyHeader?: string | undefined
}

/** What identifies the asker. @throws {AuthenticationError} when there is nothing though it is needed. */
export function requestHeaders({ provider, variable, keyHeader }: Service, { apiKey, headers }: OpenAIOptions): Record<string, string> {
  const found = apiKey || (variable && globalThis.process?.env[variable])
  const key = found && headerKey(found, { provider, variable: apiKey ? undefined : variable })
  const own = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
  if (!key && variable && own['authorization'] === undefined && own[keyHeader ?? ''] === undefined)
    throw new AuthenticationError(`${provider}: no API key. Set the environment variable ${variable}, or give \`apiKey\`.`, {
      provider,
      variable,
    })
  return {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(key && (keyHeader ? { [keyHeader]: key } : { authorization: `Bearer ${key}` })),
    ...own,
  }
}
