import type { Message } from '../messages/message.ts'
import type { SessionEntry } from './entry.ts'

/** Messages of the former history that stay, from one id to another. So a window that slides costs the same at every turn. */
export type KeptMessages = { readonly kept: readonly [first: string, last: string] }

/** The entry that turns one history into another. Messages are the same when they are the same object: stored ones are shared. */
export function compactionEntry(before: readonly Message[], after: readonly Message[]): SessionEntry {
  const places = new Map(before.map((message, index) => [message, index]))
  const ids = new Set(before.map(({ id }) => id))
  // An id that is there twice names no message.
  if (ids.size < before.length) return { type: 'compaction', messages: after }
  const messages: (Message | KeptMessages)[] = []
  for (let i = 0; i < after.length; i++) {
    const first = places.get(after[i]!)
    if (first === undefined) {
      messages.push(after[i]!)
      continue
    }
    let last = first
    while (i + 1 < after.length && last + 1 < before.length && after[i + 1] === before[last + 1]) {
      last++
      i++
    }
    messages.push({ kept: [before[first]!.id, before[last]!.id] })
  }
  return { type: 'compaction', messages }
}
