import type { ModelEvent } from '../../src/models/model-events.ts'
import type { Model, ModelRequest } from '../../src/models/model.ts'
import { onAbort, reasonOf } from '../../src/util/abort.ts'

/** One answer, said piece by piece when the test wants it. */
export type Speech = {
  readonly request: ModelRequest
  /** Says these, and waits until all that follows from them has happened. */
  say(...events: readonly ModelEvent[]): Promise<void>
  /** A whole call: start, input, stop. */
  call(index: number, name: string, input: unknown): Promise<void>
  stop(stopReason: 'tool_use' | 'end_turn' | 'max_tokens' | 'refusal'): Promise<void>
  break(error: Error): Promise<void>
}

const callEvents = (index: number, name: string, input: unknown): readonly ModelEvent[] => [
  { type: 'block_start', index, block: { type: 'tool_use', name } },
  { type: 'block_delta', index, delta: { type: 'tool_input', text: JSON.stringify(input) } },
  { type: 'block_stop', index },
]

/** Some turns of the event loop: whatever can happen has happened. */
export async function quiet(): Promise<void> {
  for (let i = 0; i < 4; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** A model that is spoken for by the test. `next()` gives the answer that it is asked for next. */
export function handModel(): Model & { next(): Promise<Speech>; readonly requests: readonly ModelRequest[] } {
  const requests: ModelRequest[] = []
  const asked: Speech[] = []
  let wake: (() => void) | undefined
  return {
    provider: 'hand',
    id: 'hand',
    requests,
    async *stream(request, { signal }) {
      requests.push(request)
      const pieces: (ModelEvent | Error | 'end')[] = []
      let more: (() => void) | undefined
      const push = async (...added: readonly (ModelEvent | Error | 'end')[]): Promise<void> => {
        pieces.push(...added)
        more?.()
        await quiet()
      }
      asked.push({
        request,
        say: push,
        call: (index, name, input) => push(...callEvents(index, name, input)),
        stop: (stopReason) => push({ type: 'message_stop', stopReason }, 'end'),
        break: push,
      })
      wake?.()
      for (;;) {
        const piece = pieces.shift()
        if (piece === 'end') return
        if (piece instanceof Error) throw piece
        if (piece) yield piece
        else
          await new Promise<void>((resolve, reject) => {
            more = resolve
            onAbort(signal, () => reject(reasonOf(signal)))
          })
      }
    },
    async next() {
      while (asked.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      return asked.shift()!
    },
  }
}
