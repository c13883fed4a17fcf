import type { ModelAbilities } from '../../../models/model.ts'
import type { JsonObject } from '../../../util/json.ts'
import { alphanumericId } from './call-id.ts'

/** Where a server departs from Chat Completions as OpenAI speaks it. */
export type Quirks = {
  /** The name of the limit of an answer. Default `max_tokens`, which all know. */
  readonly limitField?: 'max_completion_tokens' | undefined
  /** Fields of the body that it wants, or with `undefined` does not take. */
  readonly body?: JsonObject | undefined
  /** The id of a call as it takes it. */
  readonly callId?: ((id: string) => string) | undefined
  /** It wants back what it thought before it called tools. */
  readonly returnsReasoning?: boolean | undefined
}

/** A server that speaks Chat Completions. */
export type Preset = {
  /** Left out where it differs from user to user. */
  readonly baseURL?: string | undefined
  /** The environment variable that holds the key. Left out where none is needed. */
  readonly variable?: string | undefined
  /** The header that carries the key. Default `authorization`, as a bearer's. */
  readonly keyHeader?: string | undefined
  readonly abilities?: Partial<ModelAbilities> | undefined
  readonly quirks?: Quirks | undefined
}

export type PresetName =
  | 'ollama'
  | 'lmstudio'
  | 'llamacpp'
  | 'vllm'
  | 'openrouter'
  | 'groq'
  | 'deepseek'
  | 'mistral'
  | 'xai'
  | 'together'
  | 'azure'

/** The servers that are known by name. */
export const presets: Readonly<Record<PresetName, Preset>> = {
  // Servers of one's own. A key is sent when one is given. They take text and images, but no files.
  ollama: { baseURL: 'http://127.0.0.1:11434/v1', abilities: { documents: false } },
  lmstudio: { baseURL: 'http://127.0.0.1:1234/v1', abilities: { documents: false } },
  llamacpp: { baseURL: 'http://127.0.0.1:8080/v1', abilities: { documents: false } },
  vllm: { baseURL: 'http://127.0.0.1:8000/v1', abilities: { documents: false } },

  openrouter: { baseURL: 'https://openrouter.ai/api/v1', variable: 'OPENROUTER_API_KEY' },
  groq: {
    baseURL: 'https://api.groq.com/openai/v1',
    variable: 'GROQ_API_KEY',
    // Groq calls `max_tokens` deprecated.
    quirks: { limitField: 'max_completion_tokens' },
  },
  deepseek: {
    baseURL: 'https://api.deepseek.com/v1',
    variable: 'DEEPSEEK_API_KEY',
    // Of output formats it knows JSON alone, not schemas, and it takes no forced tool while it thinks.
    abilities: { output: 'prompt' },
    // A turn that called tools is refused in all later requests when its `reasoning_content` is missing.
    quirks: { returnsReasoning: true },
  },
  mistral: {
    baseURL: 'https://api.mistral.ai/v1',
    variable: 'MISTRAL_API_KEY',
    quirks: {
      // Refused as an unknown field. Usage comes without being asked for.
      body: { stream_options: undefined },
      // Refused otherwise: the id of a call must be nine letters and digits.
      callId: alphanumericId,
    },
  },
  xai: {
    baseURL: 'https://api.x.ai/v1',
    variable: 'XAI_API_KEY',
    // xAI calls `max_tokens` deprecated.
    quirks: { limitField: 'max_completion_tokens' },
  },
  together: { baseURL: 'https://api.together.xyz/v1', variable: 'TOGETHER_API_KEY' },
  azure: {
    variable: 'AZURE_OPENAI_API_KEY',
    keyHeader: 'api-key',
    // The models are OpenAI's, whose newer ones refuse `max_tokens`.
    quirks: { limitField: 'max_completion_tokens' },
  },
}
