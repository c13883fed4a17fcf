import type { ModelRequest, ModelSettings, ToolChoice, ToolSpec } from '../../models/model.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import { isBlank } from '../../util/text.ts'
import { jsonText } from '../wire/json-text.ts'
import type { Family } from './families.ts'
import type { GoogleOptions } from './options.ts'
import { hasParameters, wireSchema } from './schema.ts'
import { thinkingConfig } from './thinking.ts'
import { wireName } from './tool-name.ts'

/**
 * The beginning of request bodies, up to `"contents":[`; then follow the contents and `]}`. Everything but the contents
 * stands in front, so that it is the same bytes turn after turn, and a turn only adds to the end. Cache points are not
 * sent: the API caches by itself what requests begin with.
 */
export class GenerateHead {
  readonly #options: GoogleOptions
  readonly #family: Family
  readonly #tools = new WeakMap<readonly ToolSpec[], string>()
  readonly #system = new WeakMap<ModelRequest['system'], string>()

  constructor(options: GoogleOptions, family: Family) {
    this.#options = options
    this.#family = family
  }

  of(request: ModelRequest): string {
    const { extra: ownExtra, body } = this.#options
    const extra = [body, ownExtra, request.settings.extra].reduce<JsonObject>((all, more) => merged(all, more), {})
    const system = 'systemInstruction' in extra ? '' : this.#systemJson(request.system)
    const fields = jsonText({ ...merged(this.#fields(request), extra), ...reserved }).slice(1, -1)
    const tools = this.#toolsJson(request.tools, extra['tools'])
    return `{${[system, fields, tools, '"contents":['].filter((part) => part !== '').join()}`
  }

  #fields({ tools, toolChoice, output, settings: own }: ModelRequest): JsonObject {
    const settings = withDefaults(own, this.#options)
    const forced = tools.length > 0 && toolChoice !== 'auto' && toolChoice !== 'none'
    const config: JsonObject = {
      maxOutputTokens: settings.maxTokens,
      temperature: settings.temperature,
      topP: settings.topP,
      stopSequences: settings.stopSequences?.length ? settings.stopSequences : undefined,
      thinkingConfig: thinkingConfig(settings.thinking, this.#family),
      // A call that is forced leaves no room for an answer, and the API refuses to be asked for both.
      ...(output && !forced && { responseMimeType: 'application/json', responseJsonSchema: wireSchema(output.schema) }),
    }
    return {
      toolConfig: tools.length > 0 ? toolConfig(toolChoice) : undefined,
      generationConfig: Object.values(config).some((value) => value !== undefined) ? config : undefined,
    }
  }

  /** Ours, and behind them what the user's own fields name: tools that the server runs itself. */
  #toolsJson(specs: readonly ToolSpec[], more: JsonValue | undefined): string {
    let json = this.#tools.get(specs)
    if (json === undefined) {
      json = specs.length === 0 ? '' : jsonText({ functionDeclarations: specs.map(declaration) })
      this.#tools.set(specs, json)
    }
    const all = Array.isArray(more) ? [json, ...(more as readonly JsonValue[]).map(jsonText)].filter((tool) => tool !== '').join() : json
    return all === '' ? '' : `"tools":[${all}]`
  }

  #systemJson(system: ModelRequest['system']): string {
    let json = this.#system.get(system)
    if (json === undefined) {
      const parts = system.flatMap((block) => (block.type === 'text' && !isBlank(block.text) ? [{ text: block.text }] : []))
      json = parts.length === 0 ? '' : `"systemInstruction":${jsonText({ parts })}`
      this.#system.set(system, json)
    }
    return json
  }
}

/** What is written elsewhere in the body. */
const reserved = { contents: undefined, tools: undefined }

const declaration = ({ name, description, inputSchema }: ToolSpec): JsonObject => ({
  name: wireName(name),
  description,
  ...(hasParameters(inputSchema) && { parametersJsonSchema: wireSchema(inputSchema) }),
})

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

function toolConfig(choice: ToolChoice): JsonObject | undefined {
  if (choice === 'auto') return undefined
  if (choice === 'none') return { functionCallingConfig: { mode: 'NONE' } }
  return { functionCallingConfig: { mode: 'ANY', ...(choice !== 'required' && { allowedFunctionNames: [wireName(choice.name)] }) } }
}

/** The fields of both; objects are merged in turn, anything else is replaced by the latter. */
function merged(ours: JsonObject, more: JsonObject | undefined): JsonObject {
  const fields: Record<string, JsonValue | undefined> = { ...ours }
  for (const [key, value] of Object.entries(more ?? {})) {
    const own = fields[key]
    fields[key] = isObject(own) && isObject(value) ? merged(own, value) : value
  }
  return fields
}
