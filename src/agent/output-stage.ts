import { OutputError } from '../errors.ts'
import type { ToolUseBlock } from '../messages/content.ts'
import { textOf } from '../messages/content.ts'
import type { AssistantMessage } from '../messages/message.ts'
import type { MessageEvent } from '../models/message-events.ts'
import type { Model, ModelRequest } from '../models/model.ts'
import { answerIn } from '../output/answer-text.ts'
import { answerFaults, answerTool } from '../output/answer-tool.ts'
import { isBindable } from '../output/bound-schema.ts'
import type { OutputSpec } from '../output/output-spec.ts'
import { PartialOutput } from '../output/partial-output.ts'
import type { Tool } from '../tools/tool.ts'
import { ToolSet } from '../tools/tool-set.ts'
import { reasonOf } from '../util/abort.ts'
import { settleBounded } from '../util/bounded.ts'
import type { JsonValue } from '../util/json.ts'
import type { Emit } from './events.ts'
import type { Run } from './run.ts'
import { ownMessage, storeMessage } from './store-message.ts'

/** How a run comes to an answer of a given shape. */
export class OutputStage {
  readonly spec: OutputSpec
  /** Set once there is a valid answer. */
  answer: { readonly value: unknown } | undefined
  /** Has the model been asked for nothing but the answer? */
  #forced = false
  #attempts = 0
  #tool: Tool | undefined
  /** Asked once: schemas are large, and this is asked in every turn. */
  #bindable: { readonly provider: string; readonly is: boolean } | undefined
  #offered: { readonly given: ToolSet; readonly forced: boolean; readonly set: ToolSet } | undefined

  constructor(spec: OutputSpec) {
    this.spec = spec
  }

  /** The tools of a turn, with the one that gives the answer; that alone once nothing else is on offer. */
  toolsFor(given: ToolSet): ToolSet {
    const known = this.#offered
    if (known?.given === given && known.forced === this.#forced) return known.set
    let { name } = this.spec
    for (let n = 2; given.get(name); n++) name = `${this.spec.name}_${n}`
    if (this.#tool?.name !== name) this.#tool = answerTool(this.spec, name)
    const set = new ToolSet(this.#forced ? [this.#tool] : [...given.tools, this.#tool], known?.set)
    this.#offered = { given, forced: this.#forced, set }
    return set
  }

  /** The request, asking for the answer in the way that this model can. */
  shape(request: ModelRequest, model: Model): ModelRequest {
    const { name, jsonSchema } = this.spec
    if (this.isNative(model)) {
      const tools = request.tools.filter((tool) => tool.name !== this.#tool?.name)
      return { ...request, tools, output: { name, schema: jsonSchema } }
    }
    return this.#forced ? { ...request, toolChoice: this.#choice(model) } : request
  }

  isNative(model: Model): boolean {
    const { mode } = this.spec
    if (mode !== 'auto') return mode === 'native'
    if (model.abilities?.output !== 'native') return false
    if (this.#bindable?.provider !== model.provider)
      this.#bindable = { provider: model.provider, is: isBindable(this.spec.jsonSchema, model.provider) }
    return this.#bindable.is
  }

  #choice(model: Model): ModelRequest['toolChoice'] {
    const byPrompt = this.spec.mode === 'prompt' || (this.spec.mode === 'auto' && model.abilities?.output === 'prompt')
    return byPrompt ? 'auto' : { name: this.#tool!.name }
  }

  /** After the results of a turn are stored: was the answer among its calls? */
  async afterTools(run: Run, calls: readonly ToolUseBlock[]): Promise<'answered' | 'open'> {
    const own = calls.filter(({ name }) => name === this.#tool?.name)
    for (const call of own) {
      const result = await this.#validate(run, call.input)
      if (!result.issues && run.results.get(call.id)?.status === 'success') this.answer = { value: result.value }
    }
    if (this.answer) return 'answered'
    const last = own.at(-1)
    if (last) await this.#countFailure(run, last.input)
    return 'open'
  }

  /** After the model has ended its turn: the text is the answer where the provider holds it to the schema; else it is asked for. */
  async afterMessage(run: Run, message: AssistantMessage): Promise<'answered' | 'open'> {
    const model = run.model!
    const isText = this.isNative(model) || this.#forced
    const text = textOf(message)
    if (isText) {
      const found = answerIn(text)
      const result = found && (await this.#validate(run, found.value))
      if (result && !result.issues) {
        this.answer = { value: result.value }
        return 'answered'
      }
      if (!this.isNative(model)) throw this.#givenUp('The model did not give it, though it was asked for nothing else.', text)
      await this.#countFailure(run, (found?.value as JsonValue) ?? text)
      const faults = found
        ? answerFaults(this.spec, found.value, result?.issues ?? [])
        : 'Your answer is not valid JSON. Give it again, as JSON and nothing else.'
      await storeMessage(run, ownMessage(run, 'user', [{ type: 'text', text: faults }], 'output'))
      return 'open'
    }
    this.#forced = true
    await storeMessage(run, ownMessage(run, 'user', [{ type: 'text', text: this.spec.prompt }], 'output'))
    return 'open'
  }

  /** A schema is somebody else's code: it may not keep a cancelled run. */
  async #validate(run: Run, answer: unknown): Promise<Awaited<ReturnType<OutputSpec['validate']>>> {
    const settled = await settleBounded(this.spec.validate(answer), run.bound)
    if (!settled) throw reasonOf(run.signal)
    if (!settled.ok) throw settled.error
    return settled.value
  }

  async #countFailure(run: Run, answer: JsonValue): Promise<void> {
    if (++this.#attempts < this.spec.attempts) return
    const result = await this.#validate(run, answer)
    throw this.#givenUp(
      `${this.#attempts} answers were not valid.`,
      answer,
      result.issues?.map(({ message }) => message),
    )
  }

  #givenUp(why: string, lastAnswer: JsonValue, issues: readonly string[] = []): OutputError {
    return new OutputError(`There is no answer of the shape that was asked for. ${why}`, { lastAnswer, issues })
  }

  /** Events that tell of the answer as it grows, between those of its message. */
  listen(run: Run, emit: Emit | undefined): ((event: MessageEvent) => void | Promise<void>) | undefined {
    if (!emit) return undefined
    const native = this.isNative(run.model!)
    const partials = new Map<string, PartialOutput>()
    return (event) => {
      const heard = emit(event)
      if (event.type === 'tool_input_start' && event.name === this.#tool?.name) partials.set(event.callId, new PartialOutput(this.spec))
      if (native && event.type === 'text_start') partials.set(event.blockId, new PartialOutput(this.spec))
      const partial =
        event.type === 'tool_input_delta'
          ? partials.get(event.callId)?.push(event.text)
          : event.type === 'text_delta'
            ? partials.get(event.blockId)?.push(event.text)
            : undefined
      if (partial === undefined) return heard
      const { messageId } = event as { readonly messageId: string }
      const told = emit({ type: 'output_delta', ...run.base, messageId, partial })
      return heard && told ? Promise.all([heard, told]).then(() => {}) : (heard ?? told)
    }
  }
}
