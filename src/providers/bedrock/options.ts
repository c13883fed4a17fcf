import type { BedrockRuntimeClient, BedrockRuntimeClientConfig } from '@aws-sdk/client-bedrock-runtime'
import { InputError } from '../../errors.ts'
import type { ModelSettings } from '../../models/model.ts'
import type { Clock } from '../../util/clock.ts'
import type { JsonObject } from '../../util/json.ts'

/**
 * Where requests go, who asks, and what they carry. The settings are the model's own; those of a request win.
 *
 * What `body` and `extra` name goes where it belongs: a field of the Converse API (`serviceTier`, `requestMetadata`,
 * `toolConfig` …) into the request, any other into `additionalModelRequestFields`, for the model itself (`top_k`,
 * `anthropic_beta` …). Objects are merged field by field, a list of tools is put behind ours.
 *
 * Thinking is asked for where it is known how: of Claude, of Nova from 2 on, and of gpt-oss. What Claude refuses while it thinks
 * (a temperature, a forced tool) is left out.
 *
 * Cache points are sent to Claude and Nova, at most 4, the newest; other models refuse them. Bedrock fetches no addresses but
 * `s3://…`: any other is sent as a link.
 */
export type BedrockOptions = ModelSettings & {
  /** Default: the region in the ARN, then the environment variables `AWS_REGION`, `AWS_DEFAULT_REGION`, then the profile's, then `us-east-1`. */
  readonly region?: string | undefined
  /** Keys of AWS, or what gives them. Default: the SDK's own chain (environment, files, sign-in, the machine's role). */
  readonly credentials?: BedrockRuntimeClientConfig['credentials']
  /** The profile in the files of AWS to take the credentials from. */
  readonly profile?: string | undefined
  /** An API key of Bedrock, instead of credentials. Default: the environment variable `AWS_BEARER_TOKEN_BEDROCK`, for the addresses of AWS only. */
  readonly apiKey?: string | undefined
  /** Where requests go instead of the region's own address. */
  readonly endpoint?: string | undefined
  /** A client that is ready, with its own region, credentials, transport and retries. */
  readonly client?: Pick<BedrockRuntimeClient, 'send'> | undefined
  /** Used instead of the global one: for a proxy, or to look on. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** The id of the model behind an ARN that does not name it, such as `anthropic.claude-sonnet-4-6`. */
  readonly baseModel?: string | undefined
  /** Fields to put into every request; they win over ours. `undefined` takes a field away. */
  readonly body?: JsonObject | undefined
  readonly guardrail?: GuardrailOptions | undefined
  /** How long the answer may take to begin, in milliseconds. Default 5 minutes, which is also the most that Node's own `fetch` allows. */
  readonly headersTimeoutMs?: number | undefined
  /** How long the answer may then be silent, in milliseconds. Default 5 minutes, as above. */
  readonly idleTimeoutMs?: number | undefined
  /** Tokens that a request and its answer may have together. Default: what is known of the model. */
  readonly contextWindow?: number | undefined
  readonly clock?: Clock | undefined
}

/** A guardrail of Bedrock, which looks at what goes in and what comes out. */
export type GuardrailOptions = {
  /** Its id or ARN. */
  readonly id: string
  /** Such as `1`, or `DRAFT`. */
  readonly version: string
  /** What it tells of its findings. Default `enabled` where something is to be replaced, for it needs them; else what Bedrock does. */
  readonly trace?: 'enabled' | 'disabled' | 'enabled_full' | undefined
  /** Whether the answer waits for its verdict (`sync`, Bedrock's default) or is told at once. */
  readonly mode?: 'sync' | 'async' | undefined
  /** What the user's words are replaced by in the history when it blocks them. Default: they stay. */
  readonly redactInput?: string | undefined
  /** What the model's words are replaced by when it blocks them. Default: the guardrail's own message stays. */
  readonly redactOutput?: string | undefined
}

/** The key of this provider's data in blocks, and its name in errors. */
export const providerName = 'bedrock'
export const keyVariable = 'AWS_BEARER_TOKEN_BEDROCK'
export const defaultTimeoutMs = 300_000
/** What a client that is ready has decided itself. */
const clientsOwn = ['region', 'credentials', 'profile', 'apiKey', 'endpoint', 'fetch'] as const

/** @throws {InputError} that names the option, what was expected and what came. */
export function checkOptions(id: string, options: BedrockOptions): void {
  const { client, endpoint, apiKey, credentials, profile, guardrail } = options
  refuseBlank('', 'the id of a model, such as "us.anthropic.claude-sonnet-4-6"', id)
  for (const name of ['region', 'profile', 'apiKey', 'baseModel'] as const)
    if (options[name] !== undefined) refuseBlank(`{ ${name} }`, 'a string that is not empty', options[name])
  if (endpoint !== undefined && !(URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol)))
    throw new InputError(
      `bedrock({ endpoint }): expected a URL such as "https://bedrock-runtime.us-east-1.amazonaws.com", got ${JSON.stringify(endpoint)}.`,
    )
  if (apiKey !== undefined && (credentials !== undefined || profile !== undefined))
    throw new InputError('bedrock({ apiKey }): an API key stands for credentials. Leave `credentials` and `profile` out, or the key.')
  if (guardrail)
    for (const name of ['id', 'version'] as const) refuseBlank(`{ guardrail.${name} }`, 'a string that is not empty', guardrail[name])
  const ignored = client && clientsOwn.filter((name) => options[name] !== undefined)
  if (ignored?.length)
    throw new InputError(
      `bedrock({ client }): a client that is ready has its own ${ignored.join(', ')}. Leave ${ignored.length === 1 ? 'it' : 'them'} out.`,
    )
}

function refuseBlank(option: string, expected: string, got: unknown): void {
  if (typeof got !== 'string' || got.trim() === '')
    throw new InputError(`bedrock(${option}): expected ${expected}, got ${JSON.stringify(got)}.`)
}
