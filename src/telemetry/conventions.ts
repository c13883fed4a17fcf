/**
 * Names of the OpenTelemetry conventions for generative AI, as constants of our own: the package `@opentelemetry/semantic-conventions`
 * has them too, but marks each one as moved and deprecated.
 *
 * - `core_1_45`: https://github.com/open-telemetry/semantic-conventions, 1.45.0, which tools and dashboards know today.
 * - `genai_0_1`: https://github.com/open-telemetry/semantic-conventions-genai, 0.1.0, to which they moved.
 *
 * Both have the status "Development".
 */
export type Conventions = 'core_1_45' | 'genai_0_1'

export const conventionsKnown: readonly Conventions[] = ['core_1_45', 'genai_0_1']

/** Attributes that both have. */
export const names = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  conversation: 'gen_ai.conversation.id',
  errorType: 'error.type',
  exceptionType: 'exception.type',
  exceptionMessage: 'exception.message',

  agentName: 'gen_ai.agent.name',
  agentDescription: 'gen_ai.agent.description',

  requestModel: 'gen_ai.request.model',
  maxTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  stopSequences: 'gen_ai.request.stop_sequences',
  stream: 'gen_ai.request.stream',
  outputType: 'gen_ai.output.type',

  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',

  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  tokenType: 'gen_ai.token.type',
  tokenModality: 'gen_ai.token.modality',

  toolName: 'gen_ai.tool.name',
  toolDescription: 'gen_ai.tool.description',
  toolType: 'gen_ai.tool.type',
  toolCallId: 'gen_ai.tool.call.id',

  // Contents: only on request.
  systemInstructions: 'gen_ai.system_instructions',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  toolDefinitions: 'gen_ai.tool.definitions',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',

  mcpMethod: 'mcp.method.name',
  mcpProtocolVersion: 'mcp.protocol.version',
} as const

/** Values of these are JSON, and say what was said. */
export const contentNames: ReadonlySet<string> = new Set([
  names.systemInstructions,
  names.inputMessages,
  names.outputMessages,
  names.toolDefinitions,
  names.toolArguments,
  names.toolResult,
])

/** Tells of a call of a model with all that its span has, and its contents. */
export const detailsEvent = 'gen_ai.client.inference.operation.details'

/** Tells of a call of a model that failed. */
export const exceptionEvent = 'gen_ai.client.operation.exception'

/** The one attribute whose name differs. */
export const cacheWriteTokens: Readonly<Record<Conventions, string>> = {
  core_1_45: 'gen_ai.usage.cache_creation.input_tokens',
  genai_0_1: 'gen_ai.usage.cache_write.input_tokens',
}

/** What no convention has a name for. */
export const ownNames = {
  /** Why the run ended. */
  stopReason: 'lena.stop_reason',
  turn: 'lena.turn',
  /** From 1; more than that is a model that is asked again. */
  attempt: 'lena.attempt',
  /** What a call is for that is none of a turn: `context`, of the context manager. */
  purpose: 'lena.purpose',
  /** US dollars, where the price is known. */
  cost: 'lena.cost_usd',
  /** The call asked a person, and begins anew with the answer. */
  interrupted: 'lena.interrupted',
  /** The message with this call was withdrawn by the model. */
  discarded: 'lena.discarded',
} as const

/** Bounds of buckets as the conventions have them. */
export const buckets = {
  seconds: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  firstChunk: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  agentSeconds: [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6],
  tokens: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864],
} as const

/** Names of providers that the conventions spell in another way. Others are as they are. */
const providerNames: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  bedrock: 'aws.bedrock',
  azure: 'azure.ai.openai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
  moonshot: 'moonshot_ai',
  moonshotai: 'moonshot_ai',
  vertex: 'gcp.vertex_ai',
}

/** `google` → `gcp.gemini`; of a model of the AI SDK (`ai-sdk.mistral.chat`) the provider behind it. */
export function providerNameOf(provider: string): string {
  const name = provider.startsWith('ai-sdk.') ? (provider.split('.')[1] ?? provider) : provider
  return Object.hasOwn(providerNames, name) ? providerNames[name]! : name
}
