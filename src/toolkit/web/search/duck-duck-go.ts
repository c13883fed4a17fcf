import { anAddress, checkOptions } from '../../../util/check-options.ts'
import type { RulesOf } from '../../../util/check-options.ts'
import type { SearchProvider } from './provider.ts'

export type DuckDuckGoOptions = {
  /** Where its page of results is. Default: `https://html.duckduckgo.com/html/`. */
  readonly baseURL?: string | undefined
}

/** DuckDuckGo, without a key: its page of results for browsers without scripts is read. It may refuse many searches one after another. */
export function duckDuckGo(options: DuckDuckGoOptions = {}): SearchProvider {
  checkOptions('duckDuckGo', options, { baseURL: anAddress } satisfies RulesOf<DuckDuckGoOptions>)
  const { baseURL = 'https://html.duckduckgo.com/html/' } = options
  const name = 'DuckDuckGo'
  return {
    name,
    async search(search) {
      const [{ askService }, { resultsIn, isRefusal, saysNone }] = await Promise.all([
        import('./ask-service.ts'),
        import('./result-page.ts'),
      ])
      const url = new URL(baseURL)
      url.searchParams.set('q', search.query)
      const headers = { 'user-agent': 'Mozilla/5.0 (compatible; lena-agent)', accept: 'text/html', 'accept-language': 'en, *;q=0.5' }
      const { status, text } = await askService({ name, url, headers }, search)
      const results = resultsIn(text, url)
      if (results.length > 0 || (status === 200 && saysNone(text))) return results
      if (status === 202 || status === 403 || status === 429 || isRefusal(text))
        throw new Error(
          `${name} takes no more searches from here for now (${status}). Go on with what you have, or fetch a page that you know; the user can set up a search provider with a key.`,
        )
      throw new Error(`${name} answered ${status} with a page that has no results and does not say that there are none.`)
    },
  }
}
