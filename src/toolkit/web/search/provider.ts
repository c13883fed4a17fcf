import type { Clock } from '../../../util/clock.ts'
import type { Environment } from '../proxy.ts'

export type SearchResult = {
  readonly title: string
  readonly url: string
  /** Some words of the page, or about it. */
  readonly snippet: string
}

export type SearchRequest = {
  readonly query: string
  /** More are not used. */
  readonly maxResults: number
  /** Fires when nobody waits any more, after 10 s at the latest. */
  readonly signal: AbortSignal
  /** For the proxy that it names. */
  readonly env: Environment
}

/** Who searches the web: `duckDuckGo()`, `brave()`, `tavily()`, `exa()`, or one of your own. */
export interface SearchProvider {
  /** For messages. */
  readonly name: string
  /** The results, the best first. What it throws is what the model reads. */
  search(request: SearchRequest): Promise<readonly SearchResult[]>
}

export type SearchOptions = {
  readonly provider: SearchProvider
  readonly env: Environment
  readonly clock: Clock
  readonly signal: AbortSignal
}
