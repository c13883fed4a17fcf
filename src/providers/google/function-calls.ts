import type { ModelEvent } from '../../models/model-events.ts'
import type { JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import type { PartialArg } from './partial-args.ts'
import { PartialArgs } from './partial-args.ts'
import { ownName } from './tool-name.ts'

export type WireCall = {
  readonly id?: string | null
  readonly name?: string | null
  readonly args?: JsonValue
  /** Arguments in pieces: the call goes on in later parts, which do not name it, until one does not say that it will. */
  readonly partialArgs?: readonly PartialArg[] | null
  readonly willContinue?: boolean | null
}

export type FunctionCallsOptions = {
  readonly push: (event: ModelEvent) => void
  /** The index of the next block. */
  readonly nextBlock: () => number
}

/** Turns `functionCall` parts into calls. Most come whole; some come in pieces. */
export class FunctionCalls {
  readonly #options: FunctionCallsOptions
  #open: { readonly index: number; readonly args: PartialArgs } | undefined

  constructor(options: FunctionCallsOptions) {
    this.#options = options
  }

  /** @throws {SyntaxError} at pieces that cannot be put together. */
  read(call: WireCall, thoughtSignature: string | undefined): void {
    const name = call.name ?? ''
    const pieces = call.partialArgs ?? []
    if (this.#open && name !== '') this.#cut()
    if (this.#open) {
      if (thoughtSignature !== undefined)
        this.#options.push({ type: 'block_delta', index: this.#open.index, delta: { type: 'provider', data: { thoughtSignature } } })
    } else {
      // What has neither a name nor arguments is no call.
      if (name === '' && pieces.length === 0 && !isFilled(call.args)) return
      this.#begin(name, call.id, thoughtSignature)
    }
    if (isFilled(call.args)) this.#given(call.args, pieces.length === 0 && call.willContinue !== true)
    for (const piece of pieces) this.#say(this.#open!.args.put(piece))
    if (call.willContinue !== true) this.#end()
  }

  /** The message is over: `whole` when the model says so itself. A call that was about to go on is then complete, unless amid a text. */
  end(whole: boolean): void {
    if (!this.#open) return
    if (whole && !this.#open.args.isInText) this.#end()
    else this.#cut()
  }

  #begin(name: string, id: string | null | undefined, thoughtSignature: string | undefined): void {
    const { push, nextBlock } = this.#options
    const index = nextBlock()
    this.#open = { index, args: new PartialArgs() }
    push({
      type: 'block_start',
      index,
      block: {
        type: 'tool_use',
        name: ownName(name),
        ...(id && { id }),
        ...(thoughtSignature !== undefined && { provider: { thoughtSignature } }),
      },
    })
  }

  #given(args: JsonValue, isAll: boolean): void {
    // What is no object is no valid input, and the model is told so.
    if (typeof args === 'string') return this.#say(args)
    if (!isObject(args) || (isAll && this.#open!.args.isEmpty)) return this.#say(JSON.stringify(args))
    for (const [name, value] of Object.entries(args)) if (value !== undefined) this.#say(this.#open!.args.property(name, value))
  }

  #end(): void {
    this.#say(this.#open!.args.end())
    this.#close()
  }

  /** The call is left as it is: what was cut must not run with the arguments that it has. */
  #cut(): void {
    if (this.#open!.args.isEmpty) this.#say('{')
    this.#close()
  }

  #close(): void {
    this.#options.push({ type: 'block_stop', index: this.#open!.index })
    this.#open = undefined
  }

  #say(text: string): void {
    if (text !== '') this.#options.push({ type: 'block_delta', index: this.#open!.index, delta: { type: 'tool_input', text } })
  }
}

const isFilled = (args: JsonValue | undefined): args is JsonValue => args !== undefined && args !== null
