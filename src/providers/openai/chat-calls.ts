import type { ModelEvent } from '../../models/model-events.ts'
import type { JsonValue } from '../../util/json.ts'
import { isBlank } from '../../util/text.ts'
import { JsonEnd } from '../wire/json-end.ts'

/** A piece of a call, with whatever the server cares to say. */
export type CallDelta = {
  readonly index?: number | null | undefined
  readonly id?: string | null | undefined
  readonly function?:
    | { readonly name?: string | null | undefined; readonly arguments?: string | null | undefined | { readonly [key: string]: JsonValue } }
    | null
    | undefined
  readonly extra_content?: JsonValue | undefined
}

type Call = {
  id: string
  name: string
  /** Its block's index. */
  readonly block: number
  readonly end: JsonEnd
  readonly extra: JsonValue | undefined
  /** Arguments that came before the name was sure. */
  early: string
  /** Its input so far, as it was told. */
  said: string
  /** It began with an empty object, which may be all, or stand for what is still to come. */
  isEmptySoFar: boolean
  started: boolean
  hasInput: boolean
  stopped: boolean
}

export type ChatCallsOptions = {
  readonly push: (event: ModelEvent) => void
  /** The index of the next block. */
  readonly nextBlock: () => number
  readonly toolNames: ReadonlySet<string>
}

/**
 * Puts the pieces of tool calls together: by a known id, else by index, else to the call in progress. Servers leave out
 * ids or indexes, send one index for all calls, repeat the name or cut it up. The wire has no end of a call: a call is
 * complete when its arguments close, at the latest with the message.
 */
export class ChatCalls {
  readonly #options: ChatCallsOptions
  readonly #calls: Call[] = []
  readonly #byIndex = new Map<number, Call>()
  #current: Call | undefined

  constructor(options: ChatCallsOptions) {
    this.#options = options
  }

  read(delta: CallDelta): void {
    const name = delta.function?.name ?? ''
    const said = delta.function?.arguments ?? ''
    const input = typeof said === 'string' ? said : JSON.stringify(said)
    const known = this.#find(delta, name)
    const call = known && !isAnother(known, delta, name, input) ? known : this.#begin(delta)
    if (typeof delta.index === 'number' && (call !== known || !this.#byIndex.has(delta.index))) this.#byIndex.set(delta.index, call)
    this.#current = call
    if (delta.id && call.id === '') call.id = delta.id
    if (name !== '' && !call.started) this.#name(call, name)
    if (input !== '') this.#input(call, input)
  }

  /** The message is over: so is every call. */
  end(): void {
    for (const call of this.#calls) {
      // What has neither a name nor input is no call.
      if (!call.started && (call.name !== '' || !isBlank(call.early))) this.#start(call)
      if (call.started) this.#stop(call)
    }
  }

  #find({ id, index }: CallDelta, name: string): Call | undefined {
    const placed = typeof index === 'number'
    const there = placed ? this.#byIndex.get(index) : undefined
    if (id) {
      const byId = this.#calls.findLast((call) => call.id === id)
      // The same id at a place of its own, with a name: a second call, whose id is not its own.
      if (byId) return placed && !there && name !== '' ? undefined : byId
      // A new id is a new call, unless it comes late to a call without one, or to its index with no name to go with it.
      const late = there ?? (placed || name !== '' ? undefined : this.#current)
      return late && (late.id === '' || (there && name === '')) ? late : undefined
    }
    if (there) return there
    const current = this.#current
    if (name === '' || !current || placed) return name === '' ? current : undefined
    // A name without id and index: a new call, unless it is the name that was missing, the rest of it, or the same again.
    const { toolNames } = this.#options
    return current.name === '' || current.name === name || (!toolNames.has(current.name) && !toolNames.has(name)) ? current : undefined
  }

  #begin(delta: CallDelta): Call {
    for (const earlier of this.#calls) if (!earlier.started && earlier.name !== '') this.#start(earlier)
    const call: Call = {
      id: delta.id ?? '',
      name: '',
      block: this.#options.nextBlock(),
      end: new JsonEnd(),
      extra: delta.extra_content,
      early: '',
      said: '',
      isEmptySoFar: false,
      started: false,
      hasInput: false,
      stopped: false,
    }
    this.#calls.push(call)
    return call
  }

  #name(call: Call, piece: string): void {
    if (call.name === piece) return
    call.name = piece.startsWith(call.name) ? piece : call.name + piece
    // Told at once when no other tool's name begins like it.
    const { toolNames } = this.#options
    if (!toolNames.has(call.name)) return
    for (const other of toolNames) if (other !== call.name && other.startsWith(call.name)) return
    this.#start(call)
  }

  #start(call: Call): void {
    const { push } = this.#options
    call.started = true
    push({
      type: 'block_start',
      index: call.block,
      block: {
        type: 'tool_use',
        name: call.name,
        ...(call.id !== '' && { id: call.id }),
        ...(call.extra !== undefined && { provider: { extra_content: call.extra } }),
      },
    })
    if (call.early !== '') this.#say(call, call.early)
  }

  #input(call: Call, piece: string): void {
    if (!isBlank(piece)) call.hasInput = true
    if (call.started) return this.#say(call, piece)
    call.early += piece
    if (call.name !== '' && call.hasInput) this.#start(call)
  }

  #say(call: Call, piece: string): void {
    if (call.said === '' && !call.isEmptySoFar && /^\s*\{\s*\}\s*$/.test(piece)) return void (call.isEmptySoFar = true)
    if (call.isEmptySoFar && isBlank(piece)) return
    call.isEmptySoFar = false
    // All of it once more, behind its pieces.
    if (call.stopped && piece.trim() === call.said.trim()) return
    call.said += piece
    this.#options.push({ type: 'block_delta', index: call.block, delta: { type: 'tool_input', text: piece } })
    if (call.end.push(piece)) this.#stop(call)
  }

  #stop(call: Call): void {
    if (call.isEmptySoFar) {
      call.isEmptySoFar = false
      this.#options.push({ type: 'block_delta', index: call.block, delta: { type: 'tool_input', text: '{}' } })
    }
    if (call.stopped) return
    call.stopped = true
    this.#options.push({ type: 'block_stop', index: call.block })
  }
}

/** Is this piece the head of another call, though index or id are those of this one? */
function isAnother(call: Call, { id }: CallDelta, name: string, input: string): boolean {
  if (name === '' || call.name === '') return false
  if (call.hasInput && name !== call.name) return true
  return (call.end.closed || (call.isEmptySoFar && !(id && id === call.id))) && !isBlank(input)
}
