import { InputError } from '../errors.ts'
import { describe } from '../messages/stored.ts'

const longest = 200

/**
 * A session id is any text of 1 to 200 characters that every store can keep: well-formed, without control characters.
 *
 * @throws {InputError}
 */
export function checkSessionId(id: unknown): asserts id is string {
  // Half a surrogate pair has no UTF-8, and a database takes no NUL.
  if (typeof id === 'string' && id !== '' && id.length <= longest && !/[\p{Cc}\p{Cs}]/u.test(id)) return
  throw new InputError(`A session id is a text of 1 to ${longest} characters without control characters, got ${describe(id)}.`)
}
