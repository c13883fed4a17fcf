import { InputError } from '../errors.ts'
import type { Stages } from '../hooks/hooks.ts'
import { Assembler } from '../models/assemble.ts'
import type { AssembledMessage } from '../models/assemble.ts'
import type { ModelEvent } from '../models/model-events.ts'
import { nameOf } from '../models/model.ts'
import type { Model, ModelRequest } from '../models/model.ts'
import { warmValidation } from '../tools/validate-json-schema.ts'
import { childController, notNeeded, reasonOf, settleOrAbort } from '../util/abort.ts'
import { tick } from '../util/clock.ts'
import { CallBatch, startsEarly } from './call-batch.ts'
import { closeStream, iteratorOf, OpenStreams } from './open-streams.ts'
import type { Run } from './run.ts'

/** How long a stream may stay open after its message is complete, in milliseconds: usage may still come, but need not. */
const trailingMs = 2000

/**
 * Streams one message of the model and assembles it. The wait ends with the signal even when the provider ignores it.
 *
 * @param signal the run's, or one that follows it.
 * @throws what the provider throws, and {IncompleteStreamError} when the stream ends too soon.
 */
export async function streamMessage(run: Run, request: ModelRequest, messageId: string, signal: AbortSignal): Promise<AssembledMessage> {
  // The consumer may have left at the event before, or an engine have taken its time.
  if (signal.aborted) throw reasonOf(signal)
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
  const { controller, release } = childController(signal)
  const streams = new OpenStreams()
  let iterator: AsyncIterator<ModelEvent> | undefined
  let isRead = false
  let isOver = false
  const leave = (): void => {
    controller.abort(signal.aborted ? reasonOf(signal) : new Error('Nobody reads the stream of the model any more.'))
    if (iterator && !isRead) closeStream(iterator)
    isRead = true
    // What a middleware took from the provider and dropped.
    streams.close()
  }
  const consume = async (): Promise<void> => {
    const stream = through(run, { model, request, signal: controller.signal, streams, isOver: () => isOver })
    iterator = iteratorOf(stream, model)
    const first = iterator.next()
    // The request is on its way, and there is time.
    warmValidation()
    for (let pending: Promise<IteratorResult<ModelEvent>> | undefined = first; ; pending = undefined) {
      const next = await (pending ?? (assembler.stopped ? trailingEvent(iterator, run) : iterator.next()))
      if (next === undefined) return
      if (next.done) return void (isRead = true)
      if (signal.aborted) return
      const wait = assembler.push(next.value)
      if (wait) await wait
    }
  }
  try {
    const settled = await settleOrAbort(consume(), signal)
    if (!settled) throw reasonOf(signal)
    // A connection that breaks behind the complete message has lost nothing.
    if (!settled.ok && !assembler.stopped) throw settled.error
    if (signal.aborted) throw reasonOf(signal)
    return await assembler.finish()
  } catch (error) {
    run.addUsage(assembler.usage, nameOf(model))
    run.partial = assembler.partial()
    throw error
  } finally {
    isOver = true
    if (!isRead || !streams.isEmpty) leave()
    release()
  }
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

type Attempt = {
  readonly model: Model
  readonly request: ModelRequest
  readonly signal: AbortSignal
  readonly streams: OpenStreams
  readonly isOver: () => boolean
}

/** The provider's stream with the agent's middleware around it. */
function through(run: Run, { model, request, signal, streams, isOver }: Attempt): AsyncIterable<ModelEvent> {
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
      return streams.open(innermost(asked), model)
    },
  })
  return middleware.reduceRight<Next>((next, wrap) => (asked) => wrap({ ...asked, signal }, next), guarded)(request)
}
