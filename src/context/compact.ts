import { ContextOverflowError, InputError } from '../errors.ts'
import type { Message, MessageInput } from '../messages/message.ts'
import { repair } from '../messages/repair.ts'
import { describe } from '../messages/stored.ts'
import type { Model } from '../models/model.ts'
import { reasonOf, settleOrAbort } from '../util/abort.ts'
import { aSignal, isOptions } from '../util/check-options.ts'
import { randomIds } from '../util/ids.ts'
import type { ContextManager, ContextView } from './context-manager.ts'
import { contextWindowOf } from './context-window.ts'
import { estimateTokens, tokensWith } from './estimate-tokens.ts'
import { sameMessages } from './units.ts'

export type CompactView = Partial<Omit<ContextView, 'messages' | 'model'>> & {
  readonly messages: readonly MessageInput[]
  readonly model: Model
  /** What must not get lost, in words. */
  readonly focus?: string | undefined
}

/** What came of it: the history, and whether it is shorter. */
export type Compacted = {
  readonly messages: readonly Message[]
  readonly changed: boolean
  readonly tokensBefore: number
  readonly tokensAfter: number
}

function checkView(view: unknown): asserts view is CompactView {
  if (!isOptions(view)) throw new InputError(`compact(manager, { messages, model }) needs a history and a model, got ${describe(view)}.`)
  const { model, focus, signal } = view
  if (typeof (model as Partial<Model> | null | undefined)?.stream !== 'function')
    throw new InputError(`compact(): \`model\` must be a model object, such as openai('gpt-5.4') makes one; got ${describe(model)}.`)
  if (focus !== undefined && typeof focus !== 'string') throw new InputError(`compact(): \`focus\` must be a text, got ${describe(focus)}.`)
  if (signal !== undefined && !aSignal[1](signal))
    throw new InputError(`compact(): \`signal\` must be ${aSignal[0]}, got ${describe(signal)}.`)
}

/**
 * Shortens a history now, however long it is: what a `/compact` of a terminal does. Nothing is changed in place, and what comes
 * back is legal; calls of the last message stay open.
 *
 * @throws {InputError} for what is no history; what the manager throws; the reason of the signal when it fires.
 */
export async function compact(manager: ContextManager, view: CompactView): Promise<Compacted> {
  if (typeof manager?.reduce !== 'function')
    throw new InputError(`compact() needs a context manager such as summarising(), got ${describe(manager)}.`)
  checkView(view)
  const { model, focus, ids = randomIds, signal = new AbortController().signal } = view
  const messages = repair(view.messages, { openCalls: 'keep', ids })
  const tokensBefore = view.tokens ?? estimateTokens(messages, model)
  const whole: ContextView = {
    messages,
    tokens: tokensBefore,
    contextWindow: view.contextWindow ?? contextWindowOf(model),
    model,
    signal,
    ids,
    results: view.results,
    warn: view.warn,
    ask: view.ask,
    spend: view.spend,
  }
  if (signal.aborted) throw reasonOf(signal)
  const settled = await settleOrAbort(
    Promise.resolve().then(() =>
      manager.compact
        ? manager.compact({ ...whole, focus })
        : manager.reduce({ ...whole, error: new ContextOverflowError('A shorter history was asked for.') }),
    ),
    signal,
  )
  if (!settled) throw reasonOf(signal)
  if (!settled.ok) throw settled.error
  const shorter = settled.value ? repair(settled.value, { openCalls: 'keep', ids }) : messages
  if (shorter.length === 0 || sameMessages(shorter, messages)) return { messages, changed: false, tokensBefore, tokensAfter: tokensBefore }
  return { messages: shorter, changed: true, tokensBefore, tokensAfter: tokensWith(whole, shorter) }
}
