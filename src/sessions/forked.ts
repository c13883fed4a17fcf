import { toolUsesOf } from '../messages/message.ts'
import type { Ids } from '../util/ids.ts'
import type { SessionEntry, SessionRecord } from './entry.ts'
import { recordsOf } from './entry.ts'
import { restore } from './restore.ts'

export type Forking = {
  /** The ids of both sessions: keys of calls begin with them. */
  readonly from: string
  readonly to: string
  readonly at: string | undefined
  readonly time: number
  readonly ids: Ids
}

/**
 * What follows a copied chain of records, so that the copy knows what became of the calls that its last message makes: what a tool did is
 * done, and another session would do it again.
 */
export function effectsFor(records: readonly SessionRecord[], { from, to, at, time, ids }: Forking): readonly SessionRecord[] {
  const { messages, results, claims, leaf } = restore(records, { at })
  const entries = toolUsesOf(messages.at(-1)).flatMap(({ id }): readonly SessionEntry[] => {
    const idempotencyKey = `${to}:${id}`
    const result = results.get(`${from}:${id}`)
    if (result) return [{ type: 'tool_result', idempotencyKey, result }]
    return claims.has(`${from}:${id}`) ? [{ type: 'claim', idempotencyKey }] : []
  })
  return recordsOf(entries, { after: leaf, time, ids })
}
