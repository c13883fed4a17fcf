import type { ServerToolResultBlock } from '../../../messages/content.ts'
import type { ResponseItem, Told, WireItem } from './response-item.ts'
import { delta } from './response-item.ts'
import { serverItem } from './server-tools.ts'

/** An item of a tool that the server runs, or of a kind that this version does not know: kept as it came, and given back. */
export class OtherItem implements ResponseItem {
  readonly #told: Told
  readonly #block: number
  readonly #id: string
  readonly #isResult: boolean

  constructor(item: WireItem, told: Told) {
    this.#told = told
    this.#block = told.nextBlock()
    this.#id = item.id ?? `item_${this.#block}`
    this.#isResult = serverItem(item).answers !== undefined
    if (!this.#isResult)
      told.push({
        type: 'block_start',
        index: this.#block,
        block: { type: 'server_tool_use', id: this.#callId(item), name: serverItem(item).name, input: {} },
      })
  }

  done(item: WireItem): void {
    const { push, nextBlock } = this.#told
    const { input, rest, result } = serverItem(item)
    if (this.#isResult)
      return this.#tellResult(this.#block, this.#callId(item), { item: rest, field: result?.field ?? 'output' }, result?.value)
    push(delta(this.#block, { type: 'tool_input', text: JSON.stringify(input) }))
    push(delta(this.#block, { type: 'provider', data: { item: rest } }))
    push({ type: 'block_stop', index: this.#block })
    if (result) this.#tellResult(nextBlock(), this.#id, { field: result.field }, result.value)
  }

  end(): void {
    // What never came whole is not given back.
  }

  /** A result that is an item of its own names its call by another id. */
  #callId(item: WireItem): string {
    const { call_id: id } = item
    return typeof id === 'string' && id !== '' ? id : this.#id
  }

  #tellResult(
    index: number,
    toolUseId: string,
    own: NonNullable<ServerToolResultBlock['provider']>[string],
    value: ServerToolResultBlock['content'] = null,
  ): void {
    const { push, provider } = this.#told
    push({ type: 'block_start', index, block: { type: 'server_tool_result', toolUseId, content: value, provider: { [provider]: own } } })
    push({ type: 'block_stop', index })
  }
}
