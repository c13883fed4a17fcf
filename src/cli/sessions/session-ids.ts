import { randomInt } from 'node:crypto'
import { UsageError } from '../usage-error.ts'

// Letters and digits that nobody takes for each other.
const digits = '23456789'
const signs = 'abcdefghjkmnpqrstuvwxyz23456789'
const length = 6

/** A short id to type: six signs that begin with a digit, so that no word of a task looks like one. */
export function newSessionId(taken: ReadonlySet<string>, draw: (below: number) => number = randomInt): string {
  for (;;) {
    let id = digits[draw(digits.length)]!
    while (id.length < length) id += signs[draw(signs.length)]!
    if (!taken.has(id)) return id
  }
}

/**
 * The one id that begins like this.
 *
 * @throws {UsageError} when there is none, or more than one.
 */
export function idThatBegins(beginning: string, ids: readonly string[], hint: string): string {
  const wanted = beginning.toLowerCase()
  if (ids.includes(wanted)) return wanted
  const fitting = ids.filter((id) => id.startsWith(wanted))
  if (fitting.length === 1 && wanted !== '') return fitting[0]!
  const shown = JSON.stringify(beginning)
  if (fitting.length === 0 || wanted === '') throw new UsageError(`There is no session ${shown} in this folder. ${hint}`)
  const some = fitting.slice(0, 5).join(', ')
  throw new UsageError(
    `${shown} is the beginning of ${fitting.length} sessions: ${some}${fitting.length > 5 ? ', …' : ''}. Give more of it.`,
  )
}
