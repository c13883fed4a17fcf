import type { BedrockRuntimeClient, BedrockRuntimeClientConfig } from '@aws-sdk/client-bedrock-runtime'
import { fetchHandler } from './fetch-handler.ts'
import type { BedrockOptions } from './options.ts'
import { keyVariable } from './options.ts'
import type { Sdk } from './sdk.ts'

/** What a request shows of who asks. */
export type Credential = 'api_key' | 'environment_key' | 'credentials'

const defaultRegion = 'us-east-1'

/** The key of the environment is sent to AWS alone, and not where other credentials were named. */
export function credentialOf(options: BedrockOptions): Credential {
  if (options.apiKey !== undefined) return 'api_key'
  const isNamed = options.client !== undefined || options.credentials !== undefined || options.profile !== undefined
  if (isNamed || (options.endpoint !== undefined && !isOfAws(options.endpoint))) return 'credentials'
  return variable(keyVariable) ? 'environment_key' : 'credentials'
}

/** The client that the options describe. It tries once: the loop does the retries, and tells of them. */
export async function createClient(sdk: Sdk, id: string, options: BedrockOptions): Promise<BedrockRuntimeClient> {
  const { credentials, profile, endpoint, fetch } = options
  const credential = credentialOf(options)
  const key = credential === 'api_key' ? options.apiKey?.trim() : credential === 'environment_key' ? variable(keyVariable) : undefined
  const config: BedrockRuntimeClientConfig = {
    ...(endpoint !== undefined && { endpoint: endpoint.replace(/\/+$/, '') }),
    ...(profile !== undefined && { profile }),
    ...(credentials !== undefined && { credentials }),
    ...(key !== undefined && { token: { token: key } }),
    ...(key !== undefined ? { authSchemePreference: ['httpBearerAuth'] } : variable(keyVariable) && { authSchemePreference: ['sigv4'] }),
    maxAttempts: 1,
    retryMode: 'standard',
    requestHandler: fetchHandler((url, init) => (fetch ?? globalThis.fetch)(url, init)),
  }
  const region =
    options.region ?? /^arn:[^:]*:bedrock:([a-z0-9-]+):/.exec(id)?.[1] ?? variable('AWS_REGION') ?? variable('AWS_DEFAULT_REGION')
  if (region !== undefined) return new sdk.BedrockRuntimeClient({ ...config, region })
  const client = new sdk.BedrockRuntimeClient(config)
  const ofProfile = await client.config.region().catch(() => undefined)
  return ofProfile ? client : new sdk.BedrockRuntimeClient({ ...config, region: defaultRegion })
}

const isOfAws = (endpoint: string): boolean =>
  /^https:\/\/([^/]+\.)?bedrock-runtime[^/]*\.(amazonaws\.(com(\.cn)?|eu)|api\.aws)$/.test(new URL(endpoint).origin)

const variable = (name: string): string | undefined => globalThis.process?.env[name]?.trim() || undefined
