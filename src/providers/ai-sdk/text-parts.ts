import type { Citation } from '../../messages/content.ts'
import type { BlockDelta, ModelEvent } from '../../models/model-events.ts'
import type { JsonObject } from '../../util/json.ts'
import { keptMetadata, mergedMetadata } from './metadata.ts'
import type { Metadata, SourcePart, TextCitation, TextPart } from './spec.ts'

type Kind = 'text' | 'reasoning'
type OpenText = {
  readonly kind: Kind
  /** Its block, once it says anything. */
  block: number | undefined
  metadata: Metadata | undefined
}

export type TextPartsOptions = {
  readonly provider: string
  readonly push: (event: ModelEvent) => void
  /** The index of the next block. */
  readonly nextBlock: () => number
}

/**
 * Texts, thoughts, and the sources of texts. An id stands for a text only while this is open: many providers count anew, or
 * have one id for all. A text block is closed when another begins, since its sources may come behind its end.
 */
export class TextParts {
  readonly #options: TextPartsOptions
  readonly #open = new Map<string, OpenText>()
  /** The block of the newest text, for as long as it takes citations. */
  #cited: number | undefined
  /** That text has ended; its block waits to be closed. */
  #waits = false
  /** Sources for which no text is open. */
  #early: Citation[] = []

  constructor(options: TextPartsOptions) {
    this.#options = options
  }

  read(part: TextPart): void {
    const kind = part.type.startsWith('text') ? 'text' : 'reasoning'
    const key = `${kind} ${part.id}`
    let text = this.#open.get(key)
    if (text?.block !== undefined && part.type.endsWith('-start')) {
      // Its end was lost.
      this.#end(key, text)
      text = undefined
    }
    if (!text) this.#open.set(key, (text = { kind, block: undefined, metadata: undefined }))
    text.metadata = mergedMetadata(text.metadata, part.providerMetadata)
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta':
        return this.#say(text, part.delta)
      case 'text-end':
        for (const citation of part.citations ?? []) this.#cite(citationOf(citation, this.#options.provider))
        return this.#end(key, text)
      case 'reasoning-end':
        return this.#end(key, text)
      default:
        // Where a text has no words yet, nothing is told of it.
        return
    }
  }

  source(part: SourcePart): void {
    this.#cite(citationOf({ source: part }, this.#options.provider))
  }

  /** Another block begins: a text that has ended gets nothing more. */
  settle(): void {
    if (!this.#waits) return
    this.#options.push({ type: 'block_stop', index: this.#cited! })
    this.#waits = false
    this.#cited = undefined
  }

  /** The message is over: so is every text. */
  end(): void {
    for (const [key, text] of this.#open) this.#end(key, text)
    if (this.#early.length > 0) {
      this.#begin('text')
      this.#waits = true
    }
    this.settle()
  }

  #say(text: OpenText, piece: string): void {
    if (!piece) return
    text.block ??= this.#begin(text.kind)
    this.#push(text.block, { type: text.kind, text: piece })
  }

  #begin(kind: Kind): number {
    const { push, nextBlock } = this.#options
    const index = nextBlock()
    push({ type: 'block_start', index, block: { type: kind } })
    if (kind === 'text') {
      this.#cited = index
      for (const citation of this.#early) this.#push(index, { type: 'citation', citation })
      this.#early = []
    }
    return index
  }

  #cite(citation: Citation): void {
    if (this.#cited === undefined) this.#early.push(citation)
    else this.#push(this.#cited, { type: 'citation', citation })
  }

  #end(key: string, text: OpenText): void {
    this.#open.delete(key)
    const kept = keptMetadata(text.metadata)
    if (text.kind === 'reasoning') {
      // A thought may be a signature alone.
      if (text.block === undefined && !kept.metadata) return
      text.block ??= this.#begin('reasoning')
      // Known as the provider's own, also when it says nothing of it.
      this.#push(text.block, { type: 'provider', data: kept })
    } else if (text.block === undefined) return
    else if (kept.metadata) this.#push(text.block, { type: 'provider', data: kept })
    if (text.block === this.#cited) this.#waits = true
    else this.#options.push({ type: 'block_stop', index: text.block })
  }

  #push(index: number, delta: BlockDelta): void {
    this.#options.push({ type: 'block_delta', index, delta })
  }
}

function citationOf({ source, startIndex, endIndex, citedText }: TextCitation, provider: string): Citation {
  const title = source.title ?? source.filename
  const kept: { readonly metadata?: JsonObject } = keptMetadata(source.providerMetadata)
  return {
    ...(title !== undefined && { title }),
    ...(source.url !== undefined && { url: source.url }),
    ...(citedText !== undefined && { quote: citedText }),
    ...(startIndex !== undefined && { start: startIndex }),
    ...(endIndex !== undefined && { end: endIndex }),
    ...(kept.metadata && { provider: { [provider]: kept } }),
  }
}
