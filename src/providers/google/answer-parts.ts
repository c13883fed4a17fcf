import type { ModelEvent } from '../../models/model-events.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import { FunctionCalls } from './function-calls.ts'
import type { Grounding, Recited } from './grounding.ts'
import { groundedCitations, recitedCitations } from './grounding.ts'
import { serverToolBlock } from './server-tools.ts'

type Kind = 'text' | 'thought'
type OpenText = { readonly kind: Kind; readonly index: number; text: string; emptyPart: boolean }

/** The parts of an answer as blocks. A text is one block until a part of another kind comes; its last signature counts. */
export class AnswerParts {
  readonly #push: (event: ModelEvent) => void
  readonly #calls: FunctionCalls
  #blocks = 0
  #open: OpenText | undefined
  /** What the text rests on, told when the text is over: its last report counts. */
  #grounding: Grounding | undefined
  #recited: Recited[] = []
  /** The newest call of a tool that the server ran. */
  #serverCall = ''

  constructor(push: (event: ModelEvent) => void) {
    this.#push = push
    this.#calls = new FunctionCalls({ push, nextBlock: () => this.#next() })
  }

  /** @throws {SyntaxError} when the arguments of a call come in pieces that do not fit. */
  read(part: JsonObject): void {
    const { text, functionCall, inlineData, fileData } = part
    const signature = typeof part['thoughtSignature'] === 'string' && part['thoughtSignature'] !== '' ? part['thoughtSignature'] : undefined
    const kind = part['thought'] === true ? 'thought' : 'text'
    if (typeof text === 'string') this.#text(kind, text, signature)
    else if (isObject(functionCall)) this.#calls.read(functionCall, signature)
    else if (isObject(inlineData)) this.#media(kind, inlineData, signature)
    else if (isObject(fileData)) this.#media(kind, fileData, signature)
    else if (!this.#serverTool(part)) this.#text(kind, '', signature)
  }

  ground(grounding: Grounding): void {
    if (grounding.groundingChunks?.length) this.#grounding = grounding
  }

  recite(recited: Recited): void {
    this.#recited.push(recited)
  }

  /** The message is over: `whole` when the model says so itself. */
  end(whole: boolean): void {
    this.#closeText()
    this.#calls.end(whole)
  }

  #text(kind: Kind, text: string, thoughtSignature: string | undefined): void {
    if (text === '') {
      if (thoughtSignature !== undefined) this.#emptyPart(kind, thoughtSignature)
      return
    }
    const open = this.#textOf(kind)
    open.text += text
    this.#push({ type: 'block_delta', index: open.index, delta: { type: kind === 'text' ? 'text' : 'reasoning', text } })
    if (thoughtSignature === undefined) return
    this.#keep(open.index, open.emptyPart ? { thoughtSignature, emptyPart: false } : { thoughtSignature })
    open.emptyPart = false
  }

  /** A signature alone. It stands behind the text of its kind that is open, or for itself. */
  #emptyPart(kind: Kind, thoughtSignature: string): void {
    if (this.#open?.kind === kind) {
      this.#open.emptyPart = true
      return this.#keep(this.#open.index, { thoughtSignature, emptyPart: kind })
    }
    this.#closeText()
    const index = this.#blocks++
    // Not a text block: one without text is sent to nobody.
    this.#push({ type: 'block_start', index, block: { type: 'reasoning' } })
    this.#keep(index, { thoughtSignature, emptyPart: kind })
    this.#push({ type: 'block_stop', index })
  }

  #media(kind: Kind, { mimeType, data, fileUri }: JsonObject, thoughtSignature: string | undefined): void {
    // A sketch that the model made while it thought.
    if (kind === 'thought' || typeof mimeType !== 'string') return
    const source = typeof data === 'string' ? ({ type: 'base64', data } as const) : ({ type: 'url', url: String(fileUri) } as const)
    const index = this.#next()
    this.#push({
      type: 'block_start',
      index,
      block: { type: mimeType.startsWith('image/') ? 'image' : 'document', mediaType: mimeType, source },
    })
    if (thoughtSignature !== undefined) this.#keep(index, { thoughtSignature })
    this.#push({ type: 'block_stop', index })
  }

  #serverTool(part: JsonObject): boolean {
    const block = serverToolBlock(part, `server_${this.#blocks}`, this.#serverCall)
    if (!block) return false
    if (block.type === 'server_tool_use') this.#serverCall = block.id
    const index = this.#next()
    this.#push({ type: 'block_start', index, block })
    this.#push({ type: 'block_stop', index })
    return true
  }

  #keep(index: number, data: { readonly [key: string]: JsonValue }): void {
    this.#push({ type: 'block_delta', index, delta: { type: 'provider', data } })
  }

  /** The open text of this kind; one of the other kind is closed. */
  #textOf(kind: Kind): OpenText {
    if (this.#open?.kind === kind) return this.#open
    const index = this.#next()
    this.#push({ type: 'block_start', index, block: { type: kind === 'text' ? 'text' : 'reasoning' } })
    return (this.#open = { kind, index, text: '', emptyPart: false })
  }

  /** The index of a block of another kind. */
  #next(): number {
    this.#closeText()
    return this.#blocks++
  }

  #closeText(): void {
    if (!this.#open) return
    const { kind, index, text } = this.#open
    this.#open = undefined
    if (kind === 'text') this.#cite(index, text)
    this.#push({ type: 'block_stop', index })
  }

  #cite(index: number, text: string): void {
    const grounded = this.#grounding ? groundedCitations(this.#grounding, text) : []
    for (const citation of [...grounded, ...this.#recited.flatMap((recited) => recitedCitations(recited, text))])
      this.#push({ type: 'block_delta', index, delta: { type: 'citation', citation } })
    this.#grounding = undefined
    this.#recited = []
  }
}
