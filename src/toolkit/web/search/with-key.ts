import { InputError } from '../../../errors.ts'
import type { SearchProvider, SearchRequest, SearchResult } from './provider.ts'
import type { ServiceRequest, entriesAt, textAt } from './ask-service.ts'

export type KeyedSearchOptions = {
  /** The key of the service. */
  readonly key: string
  /** Where the service is. Default: its own address. */
  readonly baseURL?: string | undefined
}

type Reading = { readonly entriesAt: typeof entriesAt; readonly textAt: typeof textAt }

/** What tells one service from another: how it is asked, and where its results stand. */
type Service = {
  readonly name: string
  readonly baseURL: string
  readonly request: (base: string, key: string, search: SearchRequest) => Omit<ServiceRequest, 'name'>
  readonly results: (answer: unknown, reading: Reading) => readonly SearchResult[]
}

function withKey({ name, baseURL, request, results }: Service, { key, baseURL: other }: KeyedSearchOptions): SearchProvider {
  if (typeof key !== 'string' || key.trim() === '' || /[^\x21-\x7e]/.test(key.trim()))
    throw new InputError(`The search provider ${name} needs its key, as in { key: '…' }, in one line without spaces.`)
  if (other !== undefined && !URL.canParse(other))
    throw new InputError(`\`baseURL\` of the search provider ${name} must be an address, got ${JSON.stringify(other)}.`)
  const base = (other ?? baseURL).replace(/\/$/, '')
  return {
    name,
    // What asks is loaded when it is first used.
    async search(search) {
      const reading = await import('./ask-service.ts')
      return results(await reading.askJsonService({ name, ...request(base, key.trim(), search) }, search), reading)
    },
  }
}

/** Brave Search: https://brave.com/search/api. @throws {InputError} without a key. */
export const brave = (options: KeyedSearchOptions): SearchProvider =>
  withKey(
    {
      name: 'Brave Search',
      baseURL: 'https://api.search.brave.com',
      request: (base, key, { query, maxResults }) => {
        const url = new URL(`${base}/res/v1/web/search`)
        url.searchParams.set('q', query)
        url.searchParams.set('count', String(maxResults))
        // Without marks around the words that were found.
        url.searchParams.set('text_decorations', 'false')
        return { url, headers: { accept: 'application/json', 'x-subscription-token': key } }
      },
      results: (answer, { entriesAt, textAt }) =>
        entriesAt(answer, 'web', 'results').map((entry) => ({
          title: textAt(entry, 'title'),
          url: textAt(entry, 'url'),
          snippet: textAt(entry, 'description'),
        })),
    },
    options,
  )

/** Tavily: https://tavily.com. @throws {InputError} without a key. */
export const tavily = (options: KeyedSearchOptions): SearchProvider =>
  withKey(
    {
      name: 'Tavily',
      baseURL: 'https://api.tavily.com',
      request: (base, key, { query, maxResults }) => ({
        url: new URL(`${base}/search`),
        headers: { authorization: `Bearer ${key}` },
        json: { query, max_results: maxResults },
      }),
      results: (answer, { entriesAt, textAt }) =>
        entriesAt(answer, 'results').map((entry) => ({
          title: textAt(entry, 'title'),
          url: textAt(entry, 'url'),
          snippet: textAt(entry, 'content'),
        })),
    },
    options,
  )

/** Exa: https://exa.ai. @throws {InputError} without a key. */
export const exa = (options: KeyedSearchOptions): SearchProvider =>
  withKey(
    {
      name: 'Exa',
      baseURL: 'https://api.exa.ai',
      request: (base, key, { query, maxResults }) => ({
        url: new URL(`${base}/search`),
        headers: { 'x-api-key': key },
        json: { query, numResults: maxResults, contents: { text: { maxCharacters: 500 } } },
      }),
      results: (answer, { entriesAt, textAt }) =>
        entriesAt(answer, 'results').map((entry) => ({
          title: textAt(entry, 'title'),
          url: textAt(entry, 'url'),
          snippet: textAt(entry, 'text'),
        })),
    },
    options,
  )
