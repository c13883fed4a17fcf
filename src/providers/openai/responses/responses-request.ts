import type { ModelRequest, ModelSettings, ToolChoice, ToolSpec } from '../../../models/model.ts'
import type { JsonObject, JsonValue } from '../../../util/json.ts'
import { isObject } from '../../../util/json.ts'
import { jsonText } from '../../wire/json-text.ts'
import type { OpenAIOptions } from '../options.ts'
import { strictSchema } from '../strict-schema.ts'

/** The models of OpenAI that do not reason. They refuse a request that asks for what was thought. */
const plainModels = /^(ft:)?(chatgpt-|gpt-3|gpt-4|gpt-5-chat)/

/**
 * The beginning of request bodies, up to `"input":[`; then follow the items of the messages and `]}`. Everything but the
 * messages stands in front, so that it is the same bytes turn after turn, and a turn only adds to the end.
 */
export class ResponsesHead {
  readonly #id: string
  readonly #options: OpenAIOptions
  readonly #tools = new WeakMap<readonly ToolSpec[], string>()
  /** What was made last for a system prompt, and of what. */
  readonly #made = new WeakMap<ModelRequest['system'], { readonly of: ModelRequest; readonly head: string }>()

  constructor(id: string, options: OpenAIOptions) {
    this.#id = id
    this.#options = options
  }

  of(request: ModelRequest): string {
    const made = this.#made.get(request.system)
    if (made && isAlike(made.of, request)) return made.head
    const extra = { ...this.#options.body, ...this.#options.extra, ...request.settings.extra }
    const own = this.#fields(request)
    const fields = jsonText({ ...own, ...extra, ...shared(own, extra), ...reserved }).slice(0, -1)
    const head = `${fields}${this.#toolsJson(request.tools, extra['tools'])},"input":[`
    this.#made.set(request.system, { of: { ...request, messages: [] }, head })
    return head
  }

  #fields({ system, tools, toolChoice, output, settings: own }: ModelRequest): JsonObject {
    const { maxTokens, temperature, topP, thinking } = withDefaults(own, this.#options)
    const texts = system.filter((block) => block.type === 'text').map((block) => block.text)
    return {
      model: this.#id,
      store: false,
      include: plainModels.test(this.#id) ? undefined : ['reasoning.encrypted_content'],
      max_output_tokens: maxTokens,
      temperature,
      top_p: topP,
      // What is thought is shown only in summary, and only when that is asked for.
      reasoning: thinking ? { effort: thinking.effort, summary: 'auto' } : undefined,
      text: output && { format: outputFormat(output) },
      tool_choice: tools.length > 0 ? wireToolChoice(toolChoice) : undefined,
      instructions: texts.length > 0 ? texts.join('\n\n') : undefined,
    }
  }

  /** Ours, and behind them what the user's own fields name: tools that the server runs itself. */
  #toolsJson(specs: readonly ToolSpec[], more: JsonValue | undefined): string {
    let json = this.#tools.get(specs)
    if (json === undefined) {
      json = specs
        .map(({ name, description, inputSchema }) =>
          // Strict would be the default here, and refuses most schemas.
          jsonText({ type: 'function', name, description, parameters: inputSchema, strict: false }),
        )
        .join()
      this.#tools.set(specs, json)
    }
    const all = Array.isArray(more) ? [json, ...more.map(jsonText)].filter((tool) => tool !== '').join() : json
    return all === '' ? '' : `,"tools":[${all}]`
  }
}

/** Would both have the same head? Asked by identity: what stays the same from turn to turn is the same object. */
const isAlike = (a: ModelRequest, b: ModelRequest): boolean =>
  a.tools === b.tools && a.settings === b.settings && a.toolChoice === b.toolChoice && a.output === b.output

/** Fields that hold what we say beside what users may add to it. */
function shared(own: JsonObject, extra: JsonObject): JsonObject {
  const both: Record<string, JsonValue> = {}
  for (const key of ['reasoning', 'text']) {
    const [ours, theirs] = [own[key], extra[key]]
    if (isObject(ours) && isObject(theirs)) both[key] = { ...ours, ...theirs }
  }
  const [ours, theirs] = [own['include'], extra['include']]
  if (Array.isArray(ours) && Array.isArray(theirs)) both['include'] = [...new Set<JsonValue>([...ours, ...(theirs as JsonValue[])])]
  return both
}

/** What is written elsewhere in the body, and what makes the wire what it is. */
const reserved = { input: undefined, tools: undefined, stream: true }

/** The request's settings, and the model's own where it has none. */
function withDefaults(own: ModelSettings, defaults: ModelSettings): ModelSettings {
  return {
    maxTokens: own.maxTokens ?? defaults.maxTokens,
    temperature: own.temperature ?? defaults.temperature,
    topP: own.topP ?? defaults.topP,
    thinking: own.thinking ?? defaults.thinking,
  }
}

function outputFormat({ name, schema }: NonNullable<ModelRequest['output']>): JsonObject {
  const strict = strictSchema(schema)
  return { type: 'json_schema', name, schema: (strict ?? schema) as JsonValue, strict: strict !== undefined }
}

function wireToolChoice(choice: ToolChoice): JsonValue | undefined {
  if (choice === 'auto') return undefined
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.name }
}
