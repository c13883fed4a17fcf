import { IncompleteStreamError } from '../../errors.ts'
import type { BlockStart, ModelEvent } from '../../models/model-events.ts'
import { parseToolInput } from '../../models/tool-input.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isBlank } from '../../util/text.ts'
import { jsonOr } from '../wire/http-error.ts'
import { keptMetadata, mergedMetadata, plain } from './metadata.ts'
import type { Metadata, ToolPart } from './spec.ts'

type Call = {
  readonly id: string
  name: string
  /** Its block, once it has begun. */
  block: number | undefined
  /** Input that was told. */
  told: string
  /** Input that came, and is not told before the call is whole. */
  held: string
  readonly isText: boolean
  providerExecuted: boolean
  ended: boolean
  metadata: Metadata | undefined
}

export type ToolPartsOptions = {
  readonly provider: string
  readonly push: (event: ModelEvent) => void
  /** The index of the next block. */
  readonly nextBlock: () => number
  /** The tools that were offered to the model, which we run. */
  readonly toolNames: ReadonlySet<string>
  /** Input is told when the call is whole. */
  readonly holds: boolean
}

/** What is put behind the input of a call whose end never came, so that nobody takes it for whole. */
const cutNote = '\n[The answer ended inside this input.]'

/**
 * Puts together the pieces of calls, and the calls whole that follow them. A call whose tool was not offered waits until it is
 * whole: many providers say only then that they run it themselves.
 */
export class ToolParts {
  readonly #options: ToolPartsOptions
  /** Calls whose whole form has not come. */
  readonly #open = new Map<string, Call>()
  #newest: Call | undefined

  constructor(options: ToolPartsOptions) {
    this.#options = options
  }

  /** @throws {IncompleteStreamError} when the pieces of an input are of another input than the call's. */
  read(part: ToolPart): void {
    switch (part.type) {
      case 'tool-input-start':
        return this.#start(part)
      case 'tool-input-delta':
        return this.#delta(part)
      case 'tool-input-end': {
        const call = this.#open.get(part.id)
        if (!call) return
        call.ended = true
        call.metadata = mergedMetadata(call.metadata, part.providerMetadata)
        return
      }
      case 'tool-call':
        return this.#whole(part)
      case 'tool-result':
        return this.#result(part)
    }
  }

  /** The message is over: so is every call. */
  end(): void {
    for (const call of this.#open.values()) {
      // What has neither a name nor input is no call.
      if (call.block === undefined && call.name === '' && isBlank(call.held)) continue
      if (call.block === undefined) this.#begin(call)
      this.#tell(call, call.ended || call.providerExecuted ? call.held : call.held + cutNote)
      this.#stop(call)
    }
    this.#open.clear()
  }

  #start({ id, toolName, providerExecuted = false, inputEncoding, providerMetadata }: ToolPart & { type: 'tool-input-start' }): void {
    if (this.#open.has(id)) return
    const call = this.#add({
      id,
      name: toolName,
      providerExecuted,
      isText: inputEncoding === 'text' || this.#options.holds,
      metadata: providerMetadata,
    })
    if (!call.isText && (providerExecuted || this.#options.toolNames.has(toolName))) this.#begin(call)
  }

  #delta({ id, delta, providerMetadata }: ToolPart & { type: 'tool-input-delta' }): void {
    let call = this.#open.get(id) ?? (id ? undefined : this.#newest)
    // Its start was lost. Nothing will run without a name, but it must be seen.
    if (!call && !isBlank(delta)) call = this.#add({ id, name: '', providerExecuted: false, isText: false, metadata: undefined })
    if (!call) return
    call.metadata = mergedMetadata(call.metadata, providerMetadata)
    if (call.block === undefined) call.held += delta
    else this.#tell(call, delta)
  }

  #whole({ toolCallId: id, toolName, input, providerExecuted, providerMetadata }: ToolPart & { type: 'tool-call' }): void {
    const call = this.#open.get(id) ?? this.#add({ id, name: toolName, providerExecuted: false, isText: false, metadata: undefined })
    call.metadata = mergedMetadata(call.metadata, providerMetadata)
    // The specification has a string; some give the value itself.
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? {})
    if (call.block === undefined) {
      call.name = toolName
      call.providerExecuted = providerExecuted ?? call.providerExecuted
      this.#begin(call, text)
    } else this.#tell(call, this.#rest(call, text))
    this.#stop(call)
    this.#open.delete(id)
    if (this.#newest === call) this.#newest = undefined
  }

  /** What of the input was not told. The whole input counts; what was told of another cannot be taken back. */
  #rest({ told, name }: Call, input: string): string {
    if (input.startsWith(told)) return input.slice(told.length)
    if (isBlank(told)) return input
    if (isSame(parseToolInput(told), parseToolInput(input))) return ''
    const { provider } = this.#options
    throw new IncompleteStreamError(
      `${provider}: the pieces of the input of a call of ${name} do not make the input that it has. Where a middleware changes inputs, set \`toolInput: 'whole'\`.`,
      { provider },
    )
  }

  #result({ toolCallId, toolName, result, isError, preliminary, providerMetadata }: ToolPart & { type: 'tool-result' }): void {
    if (preliminary) return
    const { provider, push, nextBlock } = this.#options
    const index = nextBlock()
    const own: JsonObject = { toolName, ...(isError && { isError }), ...keptMetadata(providerMetadata) }
    const block: BlockStart = {
      type: 'server_tool_result',
      toolUseId: toolCallId,
      content: plain(result) as JsonValue,
      provider: { [provider]: own },
    }
    push({ type: 'block_start', index, block })
    push({ type: 'block_stop', index })
  }

  #add(call: Pick<Call, 'id' | 'name' | 'providerExecuted' | 'isText' | 'metadata'>): Call {
    const added: Call = { ...call, block: undefined, told: '', held: '', ended: false }
    this.#open.set(call.id, added)
    this.#newest = added
    return added
  }

  /** @param whole its input, when it is known. */
  #begin(call: Call, whole?: string): void {
    const { push, nextBlock } = this.#options
    const { id, name } = call
    const index = nextBlock()
    call.block = index
    if (call.providerExecuted) {
      // Any value may be the input of a tool of the provider's.
      push({ type: 'block_start', index, block: { type: 'server_tool_use', id, name, input: whole ? (jsonOr(whole) as JsonValue) : {} } })
      return
    }
    push({ type: 'block_start', index, block: { type: 'tool_use', name, ...(id && { id }) } })
    if (whole) this.#tell(call, whole)
  }

  #tell(call: Call, text: string): void {
    if (text === '') return
    call.told += text
    this.#options.push({ type: 'block_delta', index: call.block!, delta: { type: 'tool_input', text } })
  }

  #stop({ block, metadata, providerExecuted }: Call): void {
    const { push } = this.#options
    const kept = keptMetadata(metadata)
    // A call that the provider ran is known as its own, also when it says nothing of it.
    if (providerExecuted || kept.metadata) push({ type: 'block_delta', index: block!, delta: { type: 'provider', data: kept } })
    push({ type: 'block_stop', index: block! })
  }
}

const isSame = (a: unknown, b: unknown): boolean => sorted(a) === sorted(b)

/** JSON in which the keys of objects are in order. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
