import type { IdKind, Ids } from '../../src/util/ids.ts'

/** `call_1`, `call_2`, `message_1` … */
export function countingIds(): Ids {
  const counts = new Map<IdKind, number>()
  return {
    next(kind) {
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      return `${kind}_${count}`
    },
  }
}
