import type { JsonValue } from '../util/json.ts'
import { settle } from '../util/abort.ts'

/** Reports wait for a slow consumer; of more than this the oldest are dropped, as newer ones say more. */
const mostWaiting = 100

/** Hands reports on one after another. A server does not wait for the consumer, so they queue up here. */
export function orderedProgress(tell: (value: JsonValue) => Promise<void>): { push(value: JsonValue): void; drained(): Promise<void> } {
  let waiting: JsonValue[] = []
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const told = await settle(tell(waiting.shift()!))
      // The call was ended, and nobody listens any more.
      if (!told.ok) waiting = []
    }
    running = undefined
  }
  return {
    push(value) {
      waiting.push(value)
      if (waiting.length > mostWaiting) waiting.shift()
      running ??= run()
    },
    drained: () => running ?? Promise.resolve(),
  }
}
