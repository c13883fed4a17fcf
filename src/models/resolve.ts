import { ModelNotFoundError } from '../errors.ts'
import { didYouMean } from '../util/text.ts'
import { modelInfo, modelsCalled } from './catalogue.ts'
import { providers } from './catalogue/providers.ts'
import { findLocalServers, pickLocalModel } from './local-servers.ts'
import type { LocalServer } from './local-servers.ts'
import type { Model, ModelAbilities } from './model.ts'

/** What the catalogue tells a provider that does not know it itself. */
type Known = { readonly contextWindow?: number | undefined; readonly abilities?: Partial<ModelAbilities> | undefined }

/** How each provider is loaded. One of the two places that import across the layers, and only when a name asks for it. */
const loaders: Readonly<Record<string, (id: string, known: Known) => Promise<Model>>> = {
  // These know their own models.
  anthropic: async (id) => (await import('../providers/anthropic/index.ts')).anthropic(id),
  google: async (id) => (await import('../providers/google/index.ts')).google(id),
  bedrock: async (id) => (await import('../providers/bedrock/index.ts')).bedrock(id),
  openai: async (id, known) => (await import('../providers/openai/index.ts')).openai(id, known),
}

export type ResolveOptions = {
  /** What finds the servers on this machine, for the names that begin with `local`. */
  readonly findServers?: (() => Promise<readonly LocalServer[]>) | undefined
}

/**
 * A model by its name:
 *
 * - `provider/model`, of one of the `providers`. Only the first slash divides: `openrouter/vendor/model`.
 * - `local`, the first model of the first server on this machine that answers, or `local/model`.
 * - `offline`, the built-in one.
 *
 * Any id is taken as it is: whether the provider has such a model shows in its first request, and so does a missing key.
 * Keys come from the environment alone.
 *
 * @throws {ModelNotFoundError} that says what there is.
 */
export async function resolveModel(name: string, { findServers = findLocalServers }: ResolveOptions = {}): Promise<Model> {
  if (name === 'offline') return (await import('./offline/index.ts')).offline()
  const slash = name.indexOf('/')
  const provider = slash < 0 ? name : name.slice(0, slash)
  const id = slash < 0 ? '' : name.slice(slash + 1)
  if (provider === 'local') return await localModel(id, await findServers())
  const info = providers.find((candidate) => candidate.name === provider)
  if (!info) throw unknownName(name, provider)
  if (id === '') {
    const example = info.defaultModel === undefined ? '' : `, for example "${provider}/${info.defaultModel}"`
    throw new ModelNotFoundError(`"${name}" names a provider but no model. Write it as "${provider}/model-id"${example}.`)
  }
  const { contextWindow, abilities } = modelInfo(name) ?? {}
  const known: Known = { ...(contextWindow !== undefined && { contextWindow }), ...(abilities && { abilities }) }
  return await (loaders[provider] ? loaders[provider](id, known) : compatibleModel(provider, id, known))
}

/** Of a server that speaks OpenAI's API. */
async function compatibleModel(provider: string, id: string, options: Known & { readonly baseURL?: string }): Promise<Model> {
  const { compatible, presets } = await import('../providers/openai/index.ts')
  return compatible(provider as keyof typeof presets, id, options)
}

async function localModel(id: string, servers: readonly LocalServer[]): Promise<Model> {
  const picked = pickLocalModel(servers, id === '' ? undefined : id)
  if (picked) return await compatibleModel(picked.server.name, picked.id, { baseURL: picked.server.baseURL })
  throw new ModelNotFoundError(
    servers.length === 0
      ? 'No server of models answers on this machine. Start Ollama, LM Studio, llama.cpp or vLLM on its usual port; or use "offline", or "provider/model".'
      : `${servers.map(({ name, baseURL }) => `${name} at ${baseURL}`).join(' and ')} answers, but has no model to talk to. Load one there, and try again.`,
  )
}

function unknownName(name: string, provider: string): ModelNotFoundError {
  const known = providers.map((candidate) => candidate.name)
  const called = modelsCalled(name)
  const meant = called.length > 0 ? ` Did you mean "${called[0]}"?` : didYouMean(provider, [...known, 'offline', 'local'])
  return new ModelNotFoundError(
    `There is no model "${name}".${meant} Use "offline", "local", or "provider/model" with one of the providers ${known.join(', ')}; or pass a model object.`,
  )
}
