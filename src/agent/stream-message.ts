import { InputError, ModelError } from '../errors.ts'
import type { Stages } from '../hooks/hooks.ts'
import { describe } from '../messages/stored.ts'
import { Assembler } from '../models/assemble.ts'
import type { AssembledMessage } from '../models/assemble.ts'
import type { ModelEvent } from '../models/model-events.ts'
import { nameOf } from '../models/model.ts'
import type { Model, ModelRequest } from '../models/model.ts'
import { warmValidation } from '../tools/validate-json-schema.ts'
import { childController, notNeeded, reasonOf, settle, settleOrAbort } from '../util/abort.ts'
import { isThenable } from '../util/bounded.ts'
import { tick } from '../util/clock.ts'
import { CallBatch, startsEarly } from './call-batch.ts'
import type { Run } from './run.ts'

/** How long a stream may stay open after its message is complete, in milliseconds: usage may still come, but need not. */
const trailingMs = 2000

/**
 * Streams one message of the model and assembles it. The wait ends with the run's signal even when the provider ignores it.
 *
 * @throws what the provider throws, and {IncompleteStreamError} when the stream ends too soon.
 */
export async function streamMessage(run: Run, request: ModelRequest, messageId: string): Promise<AssembledMessage> {
  // The consumer may have left at the event before, or an engine have taken its time.
  if (run.cancelled) throw reasonOf(run.signal)
  const model = run.model!
  const assembler = new Assembler({
    messageId,
    provider: model.provider,
    ids: run.core.usedIds.fresh,
    base: run.base,
    now: () => run.now(),
    emit: run.output ? run.output.listen(run, run.emit) : run.emit,
    isUsedId: (id) => run.core.usedIds.wasGiven(id),
    partialInput: run.options.partialInput,
    onCall: startsEarly(run) ? (call) => (run.batch ??= new CallBatch(run)).offer(call) : undefined,
  })
  const { controller, release } = childController(run.signal)
  let iterator: AsyncIterator<ModelEvent> | undefined
  let isOver = false
  const leave = (): void => {
    controller.abort(reasonOf(run.signal))
    // Reaches a generator that waits at a `yield`; one that waits for its transport is ended by the signal.
    const left = iterator
    if (left?.return) void settle(Promise.resolve().then(() => left.return!()))
  }
  const consume = async (): Promise<void> => {
    iterator = iteratorOf(
      through(run, model, request, controller.signal, () => isOver),
      model,
    )
    const first = iterator.next()
    // The request is on its way, and there is time.
    warmValidation()
    for (let pending: Promise<IteratorResult<ModelEvent>> | undefined = first; ; pending = undefined) {
      const next = await (pending ?? (assembler.stopped ? trailingEvent(iterator, run) : iterator.next()))
      if (next === undefined) return leave()
      if (next.done) return
      if (run.cancelled) return
      const wait = assembler.push(next.value)
      if (wait) await wait
    }
  }
  try {
    const settled = await settleOrAbort(consume(), run.signal)
    if (!settled) {
      leave()
      throw reasonOf(run.signal)
    }
    // A connection that breaks behind the complete message has lost nothing.
    if (!settled.ok && !assembler.stopped) {
      leave()
      throw settled.error
    }
    if (run.cancelled) throw reasonOf(run.signal)
    return await assembler.finish()
  } catch (error) {
    run.addUsage(assembler.usage, nameOf(model))
    run.partial = assembler.partial()
    throw error
  } finally {
    isOver = true
    release()
  }
}

function iteratorOf(stream: AsyncIterable<ModelEvent>, model: Model): AsyncIterator<ModelEvent> {
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

/** An event behind the complete message; `undefined` when none comes. What is there already needs no timer. */
async function trailingEvent(iterator: AsyncIterator<ModelEvent>, run: Run): Promise<IteratorResult<ModelEvent> | undefined> {
  const next = Promise.resolve(iterator.next())
  const soon = await Promise.race([next, tick()])
  if (soon) return soon
  const timer = new AbortController()
  const timeout = run.core.clock.sleep(trailingMs, timer.signal).then(() => undefined)
  try {
    return await Promise.race([next, timeout])
  } finally {
    timer.abort(notNeeded)
  }
}

/** The provider's stream with the agent's middleware around it. */
function through(run: Run, model: Model, request: ModelRequest, signal: AbortSignal, isOver: () => boolean): AsyncIterable<ModelEvent> {
  type Next = Parameters<Stages['model']>[1]
  const innermost: Next = (asked) => model.stream(asked, { signal, ...(run.options.rawEvents && { raw: true }) })
  const { model: middleware } = run.core.middleware
  if (middleware.length === 0) return innermost(request)
  // Asked when it is read, and not at all when a middleware took so long that the run is over.
  const guarded: Next = (asked) => ({
    [Symbol.asyncIterator]: () => {
      if (signal.aborted) throw reasonOf(signal)
      // Nobody would read it, nor count what it costs.
      if (isOver())
        throw new InputError('The model call has ended: a middleware calls next() before it ends itself.', { code: 'call_ended' })
      return innermost(asked)[Symbol.asyncIterator]()
    },
  })
  return middleware.reduceRight<Next>((next, wrap) => (asked) => wrap({ ...asked, signal }, next), guarded)(request)
}
