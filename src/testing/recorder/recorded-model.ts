import type { Model, ModelRequest, ModelStreamOptions } from '../../models/model.ts'
import type { ModelEvent } from '../../models/model-events.ts'
import { nameOf } from '../../models/model.ts'
import { onAbort, reasonOf } from '../../util/abort.ts'
import type { RecordedModel } from './entries.ts'
import type { Effect } from './effects.ts'
import { anyModel } from './find-mark.ts'
import { recordError, reviveError } from './recorded-error.ts'
import { wholeRequest } from './request.ts'
import type { Tape } from './tape.ts'

type Events = AsyncIterator<ModelEvent, void, void>

/** The model, written down or given again. A function is called to record alone: a replay needs no key and no server. */
export function recordedModel(given: Model | (() => Model), tape: Tape, nextCall: () => number, effect: Effect): Model {
  const inner = typeof given !== 'function' ? given : tape.mode === 'record' ? given() : undefined
  const { model } = tape.mark({ type: 'model', model: inner ? describe(inner) : anyModel })
  const { provider, id, abilities, contextWindow, countsTokens } = model
  const name = nameOf(model)
  const live = (): Model => inner ?? (given as () => Model)()
  return {
    provider,
    id,
    ...(abilities && { abilities }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(countsTokens && {
      countTokens: (request, options) => effect<number>(`${name}: countTokens`, () => live().countTokens!(request, options)),
    }),
    stream: (request, options) => ({
      [Symbol.asyncIterator]: () => {
        const start = { type: 'model_start', call: nextCall(), model: name, request: wholeRequest(request) } as const
        const { call } = tape.mark(start)
        return tape.mode === 'record' ? recording(live(), request, options, tape, call) : replaying(options, tape, call)
      },
    }),
  }
}

const describe = (model: Model): RecordedModel => ({
  provider: model.provider,
  id: model.id,
  ...(model.abilities && { abilities: model.abilities }),
  ...(model.contextWindow !== undefined && { contextWindow: model.contextWindow }),
  ...(typeof model.countTokens === 'function' && { countsTokens: true }),
})

/** Where the next step comes from: it is given when it is its turn. */
type Source = (give: (step: IteratorResult<ModelEvent, void>) => void, isVoid: () => boolean) => Promise<void>

/** A stream that tells when it is left, and then keeps nobody waiting, in both modes alike. */
function streamOf(source: Source, close: () => unknown, { signal }: ModelStreamOptions, tape: Tape, call: number): Events {
  let isOver = false
  let pending: { readonly resolve: (step: IteratorResult<ModelEvent, void>) => void; readonly reject: (error: unknown) => void } | undefined
  const isVoid = (): boolean => isOver
  const end = (): void => {
    isOver = true
    off()
  }
  const leave = (settle: () => void): void => {
    if (isOver) return
    end()
    tape.mark({ type: 'model_left', call })
    settle()
  }
  const off = onAbort(signal, () => leave(() => pending?.reject(reasonOf(signal))))
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (isOver) return resolve({ done: true, value: undefined })
        pending = { resolve, reject }
        const give = (step: IteratorResult<ModelEvent, void>): void => {
          if (step.done) end()
          resolve(step)
        }
        source(give, isVoid).catch((error: Error) => {
          end()
          reject(error)
        })
      }),
    async return() {
      leave(() => pending?.resolve({ done: true, value: undefined }))
      await close()
      return { done: true, value: undefined }
    },
  }
}

function recording(model: Model, request: ModelRequest, options: ModelStreamOptions, tape: Tape, call: number): Events {
  let iterator: AsyncIterator<ModelEvent> | undefined
  const source: Source = async (give, isVoid) => {
    let step: IteratorResult<ModelEvent>
    try {
      iterator ??= model.stream(request, options)[Symbol.asyncIterator]()
      step = await iterator.next()
    } catch (error) {
      await tape.input({ type: 'model_end', call, error: recordError(error) }, { isVoid })
      throw error
    }
    if (step.done) {
      await tape.input({ type: 'model_end', call }, { isVoid })
      return give({ done: true, value: undefined })
    }
    await tape.input({ type: 'model_event', call, event: step.value }, { isVoid })
    give(step)
  }
  return streamOf(source, async () => await iterator?.return?.(), options, tape, call)
}

function replaying(options: ModelStreamOptions, tape: Tape, call: number): Events {
  const receiver = `model call ${call}`
  const source: Source = async (give) => {
    const input = await tape.take(receiver)
    if (input.type === 'model_event') return give({ done: false, value: input.event })
    if (input.type === 'model_end' && input.error) throw reviveError(input.error)
    give({ done: true, value: undefined })
  }
  const off = onAbort(options.signal, () => tape.drop(receiver, reasonOf(options.signal)))
  return streamOf(source, off, options, tape, call)
}
