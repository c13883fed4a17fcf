import type { ModelStopReason } from '../messages/stop-reason.ts'
import type { Usage } from '../messages/usage.ts'
import { AgentError } from '../errors.ts'
import { pricesOf } from '../models/catalogue.ts'
import type { ModelPrices, PriceTable } from '../models/catalogue/prices.ts'
import type { ToolOutcome } from '../tools/tool.ts'
import { reasonOf } from '../util/abort.ts'
import type { Contents } from './contents.ts'
import type { Conventions } from './conventions.ts'
import { cacheWriteTokens, names } from './conventions.ts'
import type { Attributes, SpanError } from './span.ts'

/** What is looked at, and how it is named. */
export type ObserverOptions = {
  readonly conventions: Conventions
  /** For attributes of spans. Left out where contents are not asked for there. */
  readonly contents: Contents | undefined
  /** For events of calls of models. Left out where they are not asked for. */
  readonly events?: Contents | undefined
  /** What a model costs, where that is known. */
  readonly pricesOf: (model: string) => ModelPrices | undefined
}

/** Looks each model up once: a search through all that are known is too long for each call. */
export function priceLookUp(own: PriceTable | undefined): ObserverOptions['pricesOf'] {
  const found = new Map<string, ModelPrices | undefined>()
  return (model) => {
    if (!found.has(model)) found.set(model, pricesOf(model, own))
    return found.get(model)
  }
}

export function usageAttributes(usage: Partial<Usage> | undefined, conventions: Conventions): Attributes {
  if (!usage) return {}
  return {
    [names.inputTokens]: usage.inputTokens,
    [names.outputTokens]: usage.outputTokens,
    [names.cacheReadTokens]: usage.cacheReadTokens,
    [cacheWriteTokens[conventions]]: usage.cacheWriteTokens,
    [names.reasoningTokens]: usage.reasoningTokens,
  }
}

export const finishReasons = (reason: ModelStopReason | string | undefined): readonly string[] | undefined =>
  reason === undefined ? undefined : [reason]

/** The kind of a failure by its code, or by the name of the error; what anybody throws may be no error at all. */
function errorTypeOf(error: unknown): string {
  if (AgentError.isInstance(error)) return error.code
  return error instanceof Error ? error.name || 'Error' : '_OTHER'
}

export const errorOf = (error: unknown): SpanError => ({
  type: errorTypeOf(error),
  message: error instanceof Error ? error.message : undefined,
})

/** A run that was cancelled has nothing else to say of what it cut. */
export const cancelledError = (signal: AbortSignal): SpanError => ({ type: 'cancelled', message: reasonOf(signal).message })

/**
 * A failure as it may be kept. Its words are a content: servers quote what they were sent, and tools what they were given. A filter
 * knows them as `exception.message`.
 */
export function toldError(error: SpanError | undefined, contents: Contents | undefined): SpanError | undefined {
  return error && { type: error.type, message: error.message && contents?.value(names.exceptionMessage, error.message) }
}

/** Why a call has no good result. */
export function outcomeError(outcome: ToolOutcome | undefined): SpanError | undefined {
  if (!outcome || outcome.status === 'success') return undefined
  const type = outcome.code ?? (outcome.error === undefined ? 'tool_error' : errorTypeOf(outcome.error))
  return { type, message: outcome.error instanceof Error ? outcome.error.message : undefined }
}
