import { ModelError } from '../errors.ts'
import { describe } from '../messages/stored.ts'
import type { ModelEvent } from '../models/model-events.ts'
import type { Model } from '../models/model.ts'
import { nameOf } from '../models/model.ts'
import { settle } from '../util/abort.ts'
import { isThenable } from '../util/bounded.ts'

type Events = AsyncIterator<ModelEvent>

/**
 * The streams of a provider that middleware has opened and nobody has read to their end. A middleware may drop the one it was given; it
 * stays open then until somebody closes it.
 */
export class OpenStreams {
  readonly #open = new Set<Events>()

  /** Opens a stream, and notes it until it ends or is closed. An event passes as it would without. */
  open(stream: AsyncIterable<ModelEvent>, model: Model): Events {
    const events = iteratorOf(stream, model)
    const over = (): void => void this.#open.delete(events)
    this.#open.add(events)
    return {
      next: () => {
        const step = Promise.resolve(events.next())
        // Before whoever asked: at the end of a stream nothing is open any more.
        step.then(({ done }) => {
          if (done) over()
        }, over)
        return step
      },
      return: async () => {
        if (this.#open.delete(events)) await events.return?.()
        return { done: true, value: undefined }
      },
    }
  }

  get isEmpty(): boolean {
    return this.#open.size === 0
  }

  /** Closes what is open. Nobody waits for it, and nobody hears what goes wrong there. */
  close(): void {
    for (const events of this.#open) closeStream(events)
    this.#open.clear()
  }
}

/** Reaches a generator that waits at a `yield`; one that waits for its transport is ended by its signal. */
export function closeStream(events: Events): void {
  try {
    const closing: unknown = events.return?.()
    if (isThenable(closing)) void settle(closing)
  } catch {
    // One that cannot even be closed has ended.
  }
}

/** @throws {ModelError} for what is no stream. */
export function iteratorOf(stream: AsyncIterable<ModelEvent>, model: Model): Events {
  const iterate: unknown = (stream as Partial<AsyncIterable<ModelEvent>> | undefined)?.[Symbol.asyncIterator]
  if (typeof iterate !== 'function') {
    // Of an async function nobody else would hear the failure.
    if (isThenable(stream)) void settle(stream)
    throw new ModelError(
      `${nameOf(model)} gave no stream: stream(request, options) and what wraps it must return an async iterable of model events, got ${describe(stream)}.`,
      { provider: model.provider },
    )
  }
  return stream[Symbol.asyncIterator]()
}
