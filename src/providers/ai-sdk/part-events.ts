import { ModelError } from '../../errors.ts'
import { image } from '../../messages/content.ts'
import type { MediaSource } from '../../messages/content.ts'
import type { BlockStart, ModelEvent } from '../../models/model-events.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import { stopReasonOf } from './finish-reason.ts'
import { keptMetadata, plain } from './metadata.ts'
import { sdkError } from './sdk-error.ts'
import type { FileData, FilePart, FinishPart, StreamPart } from './spec.ts'
import { TextParts } from './text-parts.ts'
import { ToolParts } from './tool-parts.ts'
import { usageOf } from './usage.ts'

export type PartEventsOptions = {
  readonly provider: string
  readonly toolNames: ReadonlySet<string>
  readonly holdsInput: boolean
  readonly raw: boolean
  readonly now: () => number
}

/** Turns the parts of an AI SDK stream into model events, which it leaves in `events`. */
export class PartEvents {
  readonly events: ModelEvent[] = []
  /** `finish` was read: nothing more belongs to the answer. */
  done = false
  readonly #options: PartEventsOptions
  readonly #texts: TextParts
  readonly #tools: ToolParts
  #blocks = 0
  #started = false

  constructor(options: PartEventsOptions) {
    const { provider, toolNames, holdsInput: holds } = options
    const push = (event: ModelEvent): void => this.#push(event)
    const nextBlock = (): number => this.#nextBlock()
    this.#options = options
    this.#texts = new TextParts({ provider, push, nextBlock })
    this.#tools = new ToolParts({ provider, push, nextBlock, toolNames, holds })
  }

  /** @throws {ModelError} for an error of the provider, and when the stream contradicts itself. */
  read(given: unknown): void {
    if (!isObject(given)) return
    const part = given as StreamPart
    const { provider, raw, now } = this.#options
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#texts.read(part)
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
      case 'tool-call':
      case 'tool-result':
        return this.#tools.read(part)
      case 'source':
        return this.#texts.source(part)
      case 'file':
        return this.#file(part)
      case 'reasoning-file':
        return this.#keep({
          type: part.type,
          mediaType: part.mediaType,
          source: sourceOf(part.data),
          ...keptMetadata(part.providerMetadata),
        })
      case 'custom':
        return this.#keep({ type: part.type, kind: part.kind, ...keptMetadata(part.providerMetadata) })
      case 'response-metadata':
        return this.#start(part.modelId, part.id)
      case 'finish':
        return this.#finish(part)
      case 'error':
        throw sdkError(part.error, { provider, when: 'part', now })
      case 'tool-approval-request':
        throw new ModelError(
          `${provider}: the provider asks for an approval of a tool that it runs itself, which cannot be passed on. Set up that tool so that it needs none.`,
          { provider },
        )
      case 'stream-start':
        return raw && part.warnings?.length > 0 ? this.#raw(part) : undefined
      case 'raw':
        return raw ? this.#raw(part.rawValue) : undefined
      default:
        // Keep-alives, and what this version does not know.
        return
    }
  }

  /** A picture or a document that the model made. */
  #file({ mediaType, data, providerMetadata }: FilePart): void {
    const block: BlockStart = { type: mediaType.startsWith('image/') ? 'image' : 'document', mediaType, source: sourceOf(data) }
    const index = this.#nextBlock()
    this.#push({ type: 'block_start', index, block })
    this.#push({ type: 'block_delta', index, delta: { type: 'provider', data: keptMetadata(providerMetadata) } })
    this.#push({ type: 'block_stop', index })
  }

  /** What has no name with us, and goes back to its provider as it is. */
  #keep(part: JsonObject): void {
    const index = this.#nextBlock()
    const provider = { [this.#options.provider]: { part } }
    this.#push({ type: 'block_start', index, block: { type: 'server_tool_result', toolUseId: '', content: null, provider } })
    this.#push({ type: 'block_stop', index })
  }

  #finish({ finishReason, usage, providerMetadata }: FinishPart): void {
    this.#texts.end()
    this.#tools.end()
    const { provider } = this.#options
    const counts = usageOf(usage)
    const { metadata } = keptMetadata(providerMetadata)
    if (counts || metadata)
      this.#push({ type: 'metadata', ...(counts && { usage: counts, cumulative: true }), ...(metadata && { provider: metadata }) })
    const stopReason = stopReasonOf(finishReason, provider)
    this.done = true
    this.#push({ type: 'message_stop', stopReason })
  }

  #start(model?: string, responseId?: string): void {
    if (this.#started) return
    this.#started = true
    this.events.push({ type: 'message_start', ...(model && { model }), ...(responseId && { responseId }) })
  }

  #push(event: ModelEvent): void {
    this.#start()
    this.events.push(event)
  }

  #raw(chunk: unknown): void {
    this.events.push({ type: 'raw', chunk: plain(chunk) as JsonValue })
  }

  #nextBlock(): number {
    this.#texts.settle()
    return this.#blocks++
  }
}

function sourceOf(data: FileData): MediaSource {
  if (typeof data === 'string') return { type: 'base64', data }
  if (data instanceof Uint8Array) return image(data, 'application/octet-stream').source
  return data.type === 'url' ? { type: 'url', url: data.originalUrl ?? String(data.url) } : sourceOf(data.data)
}
