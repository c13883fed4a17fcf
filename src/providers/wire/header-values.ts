import { AuthenticationError, InvalidRequestError } from '../../errors.ts'
import type { ErrorSource } from './provider-error.ts'

/** What the value of a header may be made of. */
const legal = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * A key as a header carries it: without the line end that a file or a variable left behind it.
 *
 * @throws {AuthenticationError} for one with a character that no header carries, such as a quotation mark of a word processor. It
 *   does not show the key, as what a client throws for it would.
 */
export function headerKey(key: string, { provider, variable, credential = 'apiKey' }: ErrorSource): string {
  const trimmed = key.trim()
  const at = [...trimmed].findIndex((char) => !/^[\x20-\x7e]$/.test(char))
  if (at < 0) return trimmed
  throw new AuthenticationError(
    `${provider}: character ${at + 1} of the key is none that a key has: was more than the key copied, or a line broken? Check ${variable ? `the key in ${variable}` : `the option \`${credential}\``}.`,
    { provider, variable },
  )
}

/** @throws {InvalidRequestError} that names a header which cannot be sent, and not its value, which may be secret. */
export function checkHeaders(headers: Readonly<Record<string, string>>, provider: string): void {
  for (const [name, value] of Object.entries(headers)) {
    if (legal.test(value)) continue
    throw new InvalidRequestError(`${provider}: the header "${name}" has a character that no header carries. Check \`headers\`.`, {
      provider,
    })
  }
}
