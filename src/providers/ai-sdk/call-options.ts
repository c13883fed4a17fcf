import type { ModelRequest, ModelSettings, ToolChoice } from '../../models/model.ts'
import type { JsonObject, JsonValue } from '../../util/json.ts'
import { isObject } from '../../util/json.ts'
import { mergedMetadata } from './metadata.ts'
import type { AiSdkOptions } from './options.ts'
import { promptOf } from './prompt.ts'
import type { PromptForm } from './prompt-types.ts'
import type { Metadata } from './spec.ts'

/** What a model is called with for a request, without its signal. */
export function callOptions(request: ModelRequest, options: AiSdkOptions, form: PromptForm): Record<string, unknown> {
  const extra = { ...options.extra, ...request.settings.extra }
  const tools = toolsOf(request, extra['tools'])
  const headers = { ...options.headers, ...(isObject(extra['headers']) && extra['headers']) }
  const providerOptions = [options.extra, request.settings.extra].reduce<Metadata | undefined>(
    (merged, more) => mergedMetadata(merged, more?.['providerOptions'] as Metadata | undefined),
    options.providerOptions,
  )
  return defined({
    ...settingsOf(withDefaults(request.settings, options), form.version),
    toolChoice: tools && toolChoiceOf(request.toolChoice),
    responseFormat: request.output && { type: 'json', name: request.output.name, schema: request.output.schema },
    ...extra,
    tools,
    headers: Object.keys(headers).length > 0 ? headers : undefined,
    providerOptions,
    prompt: promptOf(request, form),
  })
}

function settingsOf(settings: ModelSettings, version: PromptForm['version']): JsonObject {
  const { maxTokens, temperature, topP, stopSequences, thinking } = settings
  return {
    maxOutputTokens: maxTokens,
    temperature,
    topP,
    stopSequences: stopSequences?.length ? [...stopSequences] : undefined,
    reasoning: version === 'v4' ? reasoningOf(thinking) : undefined,
  }
}

type Effort = 'low' | 'medium' | 'high'

function reasoningOf(wish: ModelSettings['thinking']): Effort | 'none' | undefined {
  if (wish === undefined) return undefined
  if (wish === false) return 'none'
  const { effort, budgetTokens } = wish
  return effort ?? (budgetTokens === undefined ? 'medium' : effortWorth(budgetTokens))
}

/** The effort that a budget is worth, in tokens. */
const effortWorth = (budget: number): Effort => (budget <= 4096 ? 'low' : budget <= 10_240 ? 'medium' : 'high')

/** Ours, and behind them those that the provider runs itself. */
function toolsOf({ tools }: ModelRequest, more: JsonValue | undefined): readonly unknown[] | undefined {
  const own = tools.map(({ name, description, inputSchema, ...rest }) => ({
    type: 'function',
    name,
    ...(description && { description }),
    inputSchema,
    ...rest,
  }))
  const all = [...own, ...(Array.isArray(more) ? (more as readonly unknown[]) : [])]
  return all.length > 0 ? all : undefined
}

const toolChoiceOf = (choice: ToolChoice): JsonObject =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name }

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

const defined = (options: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
