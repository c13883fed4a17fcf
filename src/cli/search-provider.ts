import { brave, duckDuckGo, exa, tavily } from '../toolkit/index.ts'
import type { SearchProvider } from '../toolkit/index.ts'
import { valueOf } from './named-model.ts'
import type { SearchName } from './config/setting-table.ts'
import type { Environment } from './io.ts'
import { UsageError } from './usage-error.ts'

const keyed = { brave: ['BRAVE_API_KEY', brave], tavily: ['TAVILY_API_KEY', tavily], exa: ['EXA_API_KEY', exa] } as const

/**
 * Who searches the web, as the settings say; nothing leaves it to the keys that are set.
 *
 * @throws {UsageError} when its key is not set.
 */
export function searchProvider(name: SearchName | undefined, env: Environment): SearchProvider | undefined {
  if (name === undefined) return undefined
  if (name === 'duckduckgo') return duckDuckGo()
  const [variable, make] = keyed[name]
  const key = valueOf(env, variable)
  if (key === undefined)
    throw new UsageError(`webSearch.provider is ${name}, which needs the variable ${variable}. Set it, or another provider.`)
  return make({ key })
}
