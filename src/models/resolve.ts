import { ModelNotFoundError } from '../errors.ts'
import { didYouMean } from '../util/text.ts'
import type { Model } from './model.ts'

/** How each provider is loaded. One of the two places that import across the layers, and only when a name asks for it. */
const providers: Record<string, (id: string) => Promise<Model>> = {
  anthropic: async (id) => (await import('../providers/anthropic/index.ts')).anthropic(id),
  google: async (id) => (await import('../providers/google/index.ts')).google(id),
  openai: async (id) => (await import('../providers/openai/index.ts')).openai(id),
}

/**
 * A model by its name: `provider/model`, or `offline`.
 *
 * @throws {ModelNotFoundError} that says what there is.
 */
export async function resolveModel(name: string): Promise<Model> {
  if (name === 'offline') return (await import('./offline/index.ts')).offline()
  const slash = name.indexOf('/')
  const provider = slash < 0 ? name : name.slice(0, slash)
  const id = slash < 0 ? '' : name.slice(slash + 1)
  const load = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  const known = Object.keys(providers)
  if (!load) throw new ModelNotFoundError(`There is no model "${name}".${didYouMean(provider, [...known, 'offline'])} Use "offline", or "provider/model" with one of the providers ${known.join(', ')}; or pass a model object.`)
  if (id === '') throw new ModelNotFoundError(`"${name}" names a provider but no model. Write it as "${provider}/model-id".`)
  return load(id)
}
