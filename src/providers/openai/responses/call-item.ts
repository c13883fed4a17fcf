import type { JsonObject } from '../../../util/json.ts'
import { isBlank } from '../../../util/text.ts'
import { parseToolInput } from '../../../models/tool-input.ts'
import type { ResponseItem, Told, WireItem } from './response-item.ts'
import { delta } from './response-item.ts'

/** What is put behind the input of a call that was cut where it looks whole, so that nobody takes it for that. */
const cutNote = '\n[The answer ended inside this input.]'

/**
 * A call of one of our tools. Its input comes in pieces, or whole at one of three places: pieces count before what ends
 * them, and that before the item itself, of which some servers send an empty one.
 */
export class CallItem implements ResponseItem {
  readonly #told: Told
  readonly #block: number
  #item: WireItem
  #started = false
  /** What was said of the input, and what waits for the call's name. */
  #said = ''
  #early = ''
  #state: 'open' | 'whole' | 'cut' | 'unsure' = 'open'

  constructor(item: WireItem, told: Told) {
    this.#item = item
    this.#told = told
    this.#block = told.nextBlock()
    this.#start()
  }

  input(piece: string): void {
    if (piece === '') return
    this.#said += piece
    if (this.#started) this.#told.push(delta(this.#block, { type: 'tool_input', text: piece }))
    else this.#early += piece
  }

  inputAll(input: string): void {
    if (isEmptyInput(input)) return
    if (isBlank(this.#said)) this.input(input)
    else if (input.length > this.#said.length && input.startsWith(this.#said)) this.input(input.slice(this.#said.length))
  }

  done(item: WireItem): void {
    const begun = this.#item['arguments']
    this.#item = { ...this.#item, ...item }
    this.#start()
    this.inputAll(inputText(item['arguments']))
    this.inputAll(inputText(begun))
    this.#state = item['status'] === 'incomplete' ? 'cut' : item['status'] === 'completed' ? 'whole' : 'unsure'
    this.#stop()
  }

  end(whole: boolean): void {
    const isOpen = this.#state === 'open'
    if (isOpen) this.inputAll(inputText(this.#item['arguments']))
    // Without a name nothing can run; but it must be seen.
    if (!this.#started && this.#early !== '') this.#begin('')
    const cut = this.#state === 'cut' || (!whole && this.#state !== 'whole')
    if (cut && parseToolInput(this.#said).invalidInput === undefined)
      this.#told.push(delta(this.#block, { type: 'tool_input', text: this.#said === '' ? cutNote.trim() : cutNote }))
    if (isOpen) this.#stop()
  }

  #start(): void {
    const { name } = this.#item
    if (!this.#started && typeof name === 'string' && name !== '') this.#begin(name)
    else if (this.#started) this.#tellIds()
  }

  #begin(name: string): void {
    const { push } = this.#told
    const { call_id: id } = this.#item
    this.#started = true
    push({ type: 'block_start', index: this.#block, block: { type: 'tool_use', name, ...(typeof id === 'string' && id !== '' && { id }) } })
    this.#tellIds()
    if (this.#early !== '') push(delta(this.#block, { type: 'tool_input', text: this.#early }))
    this.#early = ''
  }

  /** What goes back with the call: some servers name its item differently in the end. */
  #tellIds(): void {
    const { id, type: _type, status: _status, arguments: _arguments, call_id: _call, name: _name, ...fields } = this.#item
    const more = Object.fromEntries<JsonObject[string]>(Object.entries(fields).filter(([, value]) => value !== null))
    const data = { ...(id !== undefined && { itemId: id }), ...(Object.keys(more).length > 0 && { fields: more }) }
    if (Object.keys(data).length > 0) this.#told.push(delta(this.#block, { type: 'provider', data }))
  }

  #stop(): void {
    if (this.#started) this.#told.push({ type: 'block_stop', index: this.#block })
  }
}

const inputText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

const isEmptyInput = (input: string): boolean => /^\s*(\{\s*\})?\s*$/.test(input)
