import type { ModelRequest, ModelSettings, ToolChoice, ToolSpec } from '../../models/model.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import { jsonText } from '../wire/json-text.ts'
import { withPlainKeys } from '../wire/plain-keys.ts'
import { maxMarks } from './cache-points.ts'
import type { Family } from './families.ts'
import type { AnthropicOptions } from './options.ts'
import { outputSchema } from './output-schema.ts'
import { systemPrompt } from './system-prompt.ts'
import { asksToThink, isAmidPlainTurn, thinkingFields } from './thinking.ts'
import type { Effort } from './thinking.ts'

/** A request without its messages. */
type Asked = Omit<ModelRequest, 'messages'>

/** The beginning of a request body, up to `"messages":[`, and what it leaves to them. */
export type RequestHead = {
  readonly json: string
  /** How many cache marks the messages may carry. */
  readonly room: number
  /** How the model goes on from a last message of the assistant. */
  readonly goesOn: Family['goesOn']
}

/**
 * Writes everything but the messages, in front of them, so that it is the same bytes turn after turn, and a turn only adds
 * to the end.
 */
export class MessagesHead {
  readonly #id: string
  readonly #options: AnthropicOptions
  readonly #family: Family
  readonly #tools = new WeakMap<readonly ToolSpec[], readonly string[]>()
  /** The last head for each system prompt. */
  readonly #made = new WeakMap<ModelRequest['system'], { readonly of: Asked; readonly amid: boolean; readonly head: RequestHead }>()

  constructor(id: string, options: AnthropicOptions, family: Family) {
    this.#id = id
    this.#options = options
    this.#family = family
  }

  of({ messages, ...request }: ModelRequest): RequestHead {
    const amid = isAmidPlainTurn(messages, this.#family.signs)
    const made = this.#made.get(request.system)
    if (made && made.amid === amid && isAlike(made.of, request)) return made.head
    const head = this.#write(request, amid)
    this.#made.set(request.system, { of: request, amid, head })
    return head
  }

  #write(request: Asked, amid: boolean): RequestHead {
    const extra = { ...this.#options.body, ...this.#options.extra, ...request.settings.extra }
    const own = this.#fields(request, extra, amid)
    // Effort and format share a field with what users may add to it.
    const shared = isObject(own['output_config']) &&
      isObject(extra['output_config']) && { output_config: { ...own['output_config'], ...extra['output_config'] } }
    const fields: JsonObject = { ...own, ...extra, ...shared, ...reserved }
    const moreTools = Array.isArray(extra['tools']) ? (extra['tools'] as readonly JsonValue[]) : []
    const tools = [...this.#toolsOf(request.tools), ...moreTools.map(jsonText)]
    const taken = [...request.tools, ...moreTools, extra].filter(
      (item) => isObject(item) && isObject((item as JsonObject)['cache_control']),
    ).length
    const system = systemPrompt(request.system, maxMarks - taken, tools.length > 0)
    if (system.before) tools.push(`${tools.pop()!.slice(0, -1)},"cache_control":${jsonText(system.before)}}`)
    const parts = [jsonText(fields).slice(0, -1)]
    if (tools.length > 0) parts.push(`"tools":[${tools.join()}]`)
    if (system.blocks.length > 0 && extra['system'] === undefined) parts.push(`"system":${jsonText(system.blocks)}`)
    return {
      json: `${parts.join()},"messages":[`,
      room: maxMarks - taken - system.marks,
      // Amid an answer no model begins to think.
      goesOn: this.#family.goesOn === 'itself' && asksToThink(fields['thinking']) ? 'asked' : this.#family.goesOn,
    }
  }

  #fields(request: Asked, extra: JsonObject, amid: boolean): JsonObject {
    const settings = withDefaults(request.settings, this.#options)
    const asked = 'thinking' in extra ? { thinking: extra['thinking'] } : this.#thinking(settings.thinking, amid)
    const { thinking, effort } = asked as { readonly thinking?: JsonValue | undefined; readonly effort?: Effort | undefined }
    const thinks = asksToThink(thinking)
    const output = request.output && { type: 'json_schema', schema: outputSchema(request.output.schema as JsonValue) }
    const hasTools = request.tools.length > 0 || Array.isArray(extra['tools'])
    return {
      model: this.#id,
      max_tokens: this.#maxTokens(settings.maxTokens, thinking),
      ...sampling(settings, this.#family.samplers, thinks),
      stop_sequences: settings.stopSequences?.length ? settings.stopSequences : undefined,
      thinking,
      output_config: effort || output ? { effort, format: output } : undefined,
      tool_choice: hasTools ? wireToolChoice(request.toolChoice, thinks || this.#family.alwaysThinks) : undefined,
    }
  }

  #thinking(wish: ModelSettings['thinking'], amid: boolean): ReturnType<typeof thinkingFields> {
    const fields = thinkingFields(wish, this.#family)
    return fields.thinking?.['type'] === 'enabled' && amid ? {} : fields
  }

  /** What is thought counts in the limit, so a budget must leave room for the answer. */
  #maxTokens(set: number | undefined, thinking: JsonValue | undefined): number {
    const wanted = set ?? this.#family.maxTokens
    const budget = isObject(thinking) ? Number(thinking['budget_tokens'] ?? 0) : 0
    return budget >= wanted ? budget + wanted : wanted
  }

  #toolsOf(specs: readonly ToolSpec[]): readonly string[] {
    let tools = this.#tools.get(specs)
    if (!tools) {
      // What a tool says beside these three is meant for the provider.
      tools = specs.map(({ name, description, inputSchema, ...more }) =>
        jsonText({ name, ...(description && { description }), input_schema: withPlainKeys(inputSchema), ...more }),
      )
      this.#tools.set(specs, tools)
    }
    return tools
  }
}

/** Would both have the same head? Asked by identity: what stays the same from turn to turn is the same object. */
const isAlike = (a: Asked, b: Asked): boolean =>
  a.tools === b.tools && a.settings === b.settings && a.toolChoice === b.toolChoice && a.output === b.output

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

/** What the model takes of them; thinking lets only a high top_p through. */
function sampling({ temperature, topP }: ModelSettings, samplers: Family['samplers'], thinks: boolean): JsonObject {
  if (samplers === 'none') return {}
  if (thinks) return { top_p: topP !== undefined && topP >= 0.95 ? topP : undefined }
  return { temperature, top_p: samplers === 'one' && temperature !== undefined ? undefined : topP }
}

/** A model that thinks cannot be forced. */
function wireToolChoice(choice: ToolChoice, thinks: boolean): JsonObject {
  if (choice === 'none') return { type: 'none' }
  if (choice === 'auto' || thinks) return { type: 'auto' }
  return choice === 'required' ? { type: 'any' } : { type: 'tool', name: choice.name }
}
