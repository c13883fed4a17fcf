import type { ConverseStreamCommandInput } from '@aws-sdk/client-bedrock-runtime'
import type { SendableMessage } from '../../messages/normalise.ts'
import type { ModelRequest, ModelSettings } from '../../models/model.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject, wellFormed } from '../../util/json.ts'
import { outputSchema } from '../anthropic/output-schema.ts'
import { asksToThink } from '../anthropic/thinking.ts'
import { jsonText } from '../wire/json-text.ts'
import { maxPoints } from './cache-points.ts'
import type { Family } from './families.ts'
import { guardrailConfig } from './guardrail.ts'
import type { BedrockOptions } from './options.ts'
import { inferenceConfig } from './sampling.ts'
import { systemPrompt } from './system-prompt.ts'
import type { ThinkingWish } from './thinking.ts'
import { isAmidPlainTurn, thinkingWish } from './thinking.ts'
import { ToolConfigs } from './tool-config.ts'
import { merged, userFields } from './user-fields.ts'

/** A request without its messages. */
type Asked = Omit<ModelRequest, 'messages'>

/** What is sent but for the messages, and what it leaves to them. */
export type RequestHead = {
  readonly input: Omit<ConverseStreamCommandInput, 'messages'>
  /** How many cache points the messages may hold. */
  readonly room: number
  /** How the model goes on from a last message of the assistant. */
  readonly goesOn: Family['goesOn']
}

/** What the messages mean for the rest of the request. */
type Bearing = {
  /** They end amid a turn that began without thinking. */
  readonly amid: boolean
  readonly holdCalls: boolean
}

/** Makes everything but the messages. While all that it is made of stays the same from turn to turn, so does it. */
export class ConverseHead {
  readonly #id: string
  readonly #options: BedrockOptions
  readonly #family: Family
  readonly #tools: ToolConfigs
  /** The last head for each system prompt. */
  readonly #made = new WeakMap<ModelRequest['system'], { readonly of: Asked; readonly bearing: Bearing; readonly head: RequestHead }>()

  constructor(id: string, options: BedrockOptions, family: Family) {
    this.#id = id
    this.#options = options
    this.#family = family
    this.#tools = new ToolConfigs(family)
  }

  of({ messages, ...request }: ModelRequest): RequestHead {
    const bearing = { amid: isAmidPlainTurn(messages, this.#family.maker), holdCalls: messages.some(holdsCalls) }
    const made = this.#made.get(request.system)
    if (made && isAlike(made.of, request) && made.bearing.amid === bearing.amid && made.bearing.holdCalls === bearing.holdCalls)
      return made.head
    const head = this.#make(request, bearing)
    this.#made.set(request.system, { of: request, bearing, head })
    return head
  }

  #make(request: Asked, { amid, holdCalls }: Bearing): RequestHead {
    const family = this.#family
    const {
      toolConfig: theirs,
      additionalModelRequestFields: ownFields,
      ...more
    } = userFields(this.#options.body, this.#options.extra, request.settings.extra)
    const theirFields = isObject(ownFields) ? ownFields : {}
    const settings = withDefaults(request.settings, this.#options)
    const wish = 'thinking' in theirFields ? { fields: {} } : this.#wish(settings.thinking, amid)
    const fields = merged(wish.fields, theirFields)
    const thinks = asksToThink(fields['thinking'])
    const { system, before, points } = systemPrompt(request.system, family)
    const { toolConfig, isMarked } = this.#tools.of(request, {
      holdsCalls: holdCalls,
      thinks: thinks || family.claude?.alwaysThinks === true,
      theirs,
      mark: before,
    })
    const ours: JsonObject = {
      inferenceConfig: inferenceConfig(settings, fields, thinks, family),
      outputConfig: outputConfig(request.output, wish.effort, family),
      guardrailConfig: guardrailConfig(this.#options.guardrail),
    }
    const input = {
      ...(system.length > 0 && { system }),
      ...merged(ours, more),
      toolConfig,
      additionalModelRequestFields: Object.keys(fields).length > 0 ? fields : undefined,
      modelId: this.#id,
    }
    return {
      // What the user adds is his own affair, and the service's to refuse.
      input: wellFormed(input) as unknown as RequestHead['input'],
      room: maxPoints - points - (isMarked ? 1 : 0),
      // Amid an answer no model begins to think.
      goesOn: family.goesOn === 'itself' && thinks ? 'asked' : family.goesOn,
    }
  }

  #wish(thinking: ModelSettings['thinking'], amid: boolean): ThinkingWish {
    const wish = thinkingWish(thinking, this.#family)
    const asked = wish.fields['thinking']
    return amid && isObject(asked) && asked['type'] === 'enabled' ? { fields: {} } : wish
  }
}

const holdsCalls = ({ content }: SendableMessage): boolean => content.some(({ type }) => type === 'tool_use' || type === 'tool_result')

/** Would both have the same head? Asked by identity: what stays the same from turn to turn is the same object. */
const isAlike = (a: Asked, b: Asked): boolean =>
  a.tools === b.tools && a.settings === b.settings && a.toolChoice === b.toolChoice && a.output === b.output

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

function outputConfig(output: ModelRequest['output'], effort: string | undefined, { claude }: Family): JsonObject | undefined {
  if (!output && effort === undefined) return undefined
  const schema = output && (claude ? outputSchema(output.schema as JsonValue) : output.schema)
  return {
    ...(effort !== undefined && { effort }),
    ...(output && { textFormat: { type: 'json_schema', structure: { jsonSchema: { name: output.name, schema: jsonText(schema) } } } }),
  }
}
