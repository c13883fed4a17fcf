import type { IdKind, Ids } from '../util/ids.ts'

/** Ids that a test can write down: `msg_1`, `call_1`, `call_2`, each kind counted by itself. */
export function countingIds(): Ids {
  const counts = new Map<IdKind, number>()
  const prefixes: Record<IdKind, string> = {
    invocation: 'inv',
    message: 'msg',
    call: 'call',
    conversation: 'conv',
    checkpoint: 'cp',
    record: 'rec',
  }
  return {
    next(kind) {
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      return `${prefixes[kind]}_${count}`
    },
  }
}
