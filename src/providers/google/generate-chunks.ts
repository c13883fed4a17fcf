import { IncompleteStreamError } from '../../errors.ts'
import type { ModelStopReason } from '../../messages/stop-reason.ts'
import type { ModelEvent } from '../../models/model-events.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import { headOf } from '../../util/text.ts'
import { jsonOr } from '../wire/http-error.ts'
import type { ErrorSource } from '../wire/provider-error.ts'
import { providerError } from '../wire/provider-error.ts'
import { stopReasonOf } from './finish-reason.ts'
import type { Grounding, Recited } from './grounding.ts'
import { AnswerParts } from './answer-parts.ts'
import type { WireUsage } from './usage.ts'
import { mergedUsage, usageOf } from './usage.ts'

type Candidate = {
  readonly index?: number | null
  readonly content?: { readonly parts?: readonly JsonObject[] | null } | null
  readonly finishReason?: string | null
  readonly finishMessage?: string | null
  readonly groundingMetadata?: Grounding | null
  readonly citationMetadata?: Recited | null
}
type Chunk = {
  readonly responseId?: string | null
  readonly modelVersion?: string | null
  readonly candidates?: readonly Candidate[] | null
  readonly promptFeedback?: { readonly blockReason?: string | null } | null
  readonly usageMetadata?: WireUsage | null
  readonly error?: unknown
}

export type GenerateChunksOptions = { readonly source: ErrorSource; readonly raw: boolean }

/**
 * Turns the chunks of a `streamGenerateContent` answer into model events, which it leaves in `events`. Each chunk may give a
 * reason why the answer ended, and more may follow (the server ran code in between): the answer is complete when the
 * stream is over and such a reason was given.
 */
export class GenerateChunks {
  readonly events: ModelEvent[] = []
  readonly #options: GenerateChunksOptions
  readonly #parts: AnswerParts
  #started = false
  #usage: WireUsage = {}
  #stopReason: ModelStopReason | undefined

  constructor(options: GenerateChunksOptions) {
    this.#options = options
    this.#parts = new AnswerParts((event) => this.events.push(event))
  }

  /** @throws {ModelError} when the provider reports an error, ends the answer for want of one, or says what cannot be understood. */
  read(data: string): void {
    const said = jsonOr(data)
    if (typeof said === 'string') throw this.#incomplete(`expected JSON in the stream, got ${JSON.stringify(headOf(data, 200))}`)
    for (const chunk of Array.isArray(said) ? (said as unknown[]) : [said]) if (isObject(chunk)) this.#chunk(chunk)
  }

  /** The stream is over. What is then without its end stays so. */
  end(): void {
    if (this.#stopReason === undefined) return
    this.#parts.end(this.#stopReason === 'end_turn')
    this.events.push({ type: 'message_stop', stopReason: this.#stopReason })
  }

  #chunk(chunk: Chunk): void {
    if (this.#options.raw) this.events.push({ type: 'raw', chunk: chunk as JsonValue })
    if (chunk.error) throw providerError(chunk, this.#options.source)
    const { modelVersion, responseId, candidates, promptFeedback, usageMetadata } = chunk
    if (!this.#started && (modelVersion || candidates?.length)) {
      this.#started = true
      this.events.push({ type: 'message_start', ...(modelVersion && { model: modelVersion }), ...(responseId && { responseId }) })
    }
    // Only the first of several answers counts.
    const candidate = candidates?.find(({ index }) => !index)
    if (candidate) this.#candidate(candidate)
    if (usageMetadata) this.#report(usageMetadata)
    if (isBlocked(promptFeedback?.blockReason)) this.#stopReason = 'content_filtered'
    if (isGiven(candidate?.finishReason))
      this.#stopReason = stopReasonOf(candidate.finishReason, candidate.finishMessage ?? undefined, this.#options.source.provider)
  }

  #candidate({ content, groundingMetadata, citationMetadata }: Candidate): void {
    try {
      for (const part of content?.parts ?? []) if (isObject(part)) this.#parts.read(part)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw this.#incomplete(`the arguments of a call came in pieces that do not fit: ${error.message}`)
    }
    if (groundingMetadata) this.#parts.ground(groundingMetadata)
    if (citationMetadata) this.#parts.recite(citationMetadata)
  }

  #report(report: WireUsage): void {
    this.#usage = mergedUsage(this.#usage, report)
    const usage = usageOf(this.#usage)
    if (usage) this.events.push({ type: 'metadata', usage, cumulative: true })
  }

  #incomplete(what: string): IncompleteStreamError {
    const { provider } = this.#options.source
    return new IncompleteStreamError(`${provider}: ${what}.`, { provider })
  }
}

const isGiven = (reason: string | null | undefined): reason is string => Boolean(reason) && reason !== 'FINISH_REASON_UNSPECIFIED'

const isBlocked = (reason: string | null | undefined): boolean => Boolean(reason) && !reason!.endsWith('REASON_UNSPECIFIED')
