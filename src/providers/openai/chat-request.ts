import type { ModelRequest, ModelSettings, ToolChoice, ToolSpec } from '../../models/model.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { jsonText } from '../wire/json-text.ts'
import { defaultBaseURL } from './options.ts'
import type { OpenAIOptions } from './options.ts'
import { isStrictSchema } from './strict-schema.ts'

/**
 * The beginning of request bodies, up to the system prompt; then follow the messages and `]}`. Everything but the
 * messages stands in front, so that it is the same bytes turn after turn, and a turn only adds to the end.
 */
export class ChatHead {
  readonly #id: string
  readonly #options: OpenAIOptions
  /** Servers of others mostly know the older name alone; OpenAI's newer models refuse it. */
  readonly #maxTokensField: 'max_completion_tokens' | 'max_tokens'
  readonly #tools = new WeakMap<readonly ToolSpec[], string>()
  /** What was made last for a system prompt, and of what. */
  readonly #made = new WeakMap<ModelRequest['system'], { readonly of: ModelRequest; readonly head: string }>()

  constructor(id: string, options: OpenAIOptions) {
    this.#id = id
    this.#options = options
    this.#maxTokensField = /(^|\.)openai\.(com|azure\.com)$/.test(new URL(options.baseURL ?? defaultBaseURL).hostname)
      ? 'max_completion_tokens'
      : 'max_tokens'
  }

  of(request: ModelRequest): string {
    const made = this.#made.get(request.system)
    if (made && isAlike(made.of, request)) return made.head
    const extra = { ...this.#options.body, ...this.#options.extra, ...request.settings.extra }
    const fields = jsonText({ ...this.#fields(request), ...extra, ...reserved }).slice(0, -1)
    const head = `${fields}${this.#toolsJson(request.tools, extra['tools'])},"messages":[${systemJson(request.system)}`
    this.#made.set(request.system, { of: { ...request, messages: [] }, head })
    return head
  }

  #fields({ tools, toolChoice, output, settings: own }: ModelRequest): JsonObject {
    const settings = withDefaults(own, this.#options)
    const { thinking } = settings
    return {
      model: this.#id,
      stream_options: { include_usage: true },
      [this.#maxTokensField]: settings.maxTokens,
      temperature: settings.temperature,
      top_p: settings.topP,
      stop: settings.stopSequences?.length ? settings.stopSequences : undefined,
      reasoning_effort: thinking ? thinking.effort : undefined,
      tool_choice: tools.length > 0 ? wireToolChoice(toolChoice) : undefined,
      response_format: output && {
        type: 'json_schema',
        json_schema: { name: output.name, schema: output.schema as JsonValue, ...(isStrictSchema(output.schema) && { strict: true }) },
      },
    }
  }

  /** Ours, and behind them what the user's own fields name: tools that the server runs itself. */
  #toolsJson(specs: readonly ToolSpec[], more: JsonValue | undefined): string {
    let json = this.#tools.get(specs)
    if (json === undefined) {
      json = specs
        .map(({ name, description, inputSchema }) =>
          jsonText({ type: 'function', function: { name, description, parameters: inputSchema } }),
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

function systemJson(system: ModelRequest['system']): string {
  const texts = system.filter((block) => block.type === 'text').map((block) => block.text)
  return texts.length === 0 ? '' : jsonText({ role: 'system', content: texts.join('\n\n') })
}

/** What is written elsewhere in the body, and what makes the wire what it is. */
const reserved = { messages: undefined, tools: undefined, stream: true }

/** The request's settings, and the model's own where it has none. */
function withDefaults(own: ModelSettings, defaults: ModelSettings): ModelSettings {
  return {
    maxTokens: own.maxTokens ?? defaults.maxTokens,
    temperature: own.temperature ?? defaults.temperature,
    topP: own.topP ?? defaults.topP,
    stopSequences: own.stopSequences ?? defaults.stopSequences,
    thinking: own.thinking ?? defaults.thinking,
  }
}

function wireToolChoice(choice: ToolChoice): JsonValue | undefined {
  if (choice === 'auto') return undefined
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}
