import type { Environment } from '../proxy.ts'
import { duckDuckGo } from './duck-duck-go.ts'
import type { SearchProvider } from './provider.ts'
import { brave, exa, tavily } from './with-key.ts'

const byKey = [
  ['BRAVE_API_KEY', brave],
  ['TAVILY_API_KEY', tavily],
  ['EXA_API_KEY', exa],
] as const

/** The provider whose key the environment has, the first of Brave, Tavily and Exa; DuckDuckGo without one. */
export function providerFrom(env: Environment): SearchProvider {
  for (const [name, provider] of byKey) {
    const key = env[name]?.trim()
    if (key) return provider({ key })
  }
  return duckDuckGo()
}
