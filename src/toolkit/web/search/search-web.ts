import { fromTheWeb } from '../untrusted.ts'
import { withinTime } from '../within-time.ts'
import type { SearchOptions } from './provider.ts'

export const searchSeconds = 10
const maxResults = 10
const maxQuery = 400
const maxTitle = 200
const maxSnippet = 500

/** @throws {Error} for the model. */
export async function searchWeb(query: string, { provider, env, clock, signal: outer }: SearchOptions): Promise<string> {
  const wanted = typeof query === 'string' ? query.trim() : ''
  if (wanted === '') throw new Error('The query is empty. Give some words to search for.')
  if (wanted.length > maxQuery)
    throw new Error(`The query has ${wanted.length} characters; ${maxQuery} are allowed. A few words find more.`)
  const found = await withinTime(searchSeconds, `${provider.name} did not answer`, { clock, signal: outer }, (signal) =>
    provider.search({ query: wanted, maxResults, signal, env }),
  )
  const results = found
    .filter(
      (result) =>
        [result?.title, result?.url, result?.snippet].every((part) => typeof part === 'string') && /^https?:\/\//i.test(result.url),
    )
    .slice(0, maxResults)
  if (results.length === 0) return `[${provider.name} found nothing for ${JSON.stringify(wanted)}. Try other words.]`
  const list = results.map(({ title, url, snippet }, index) => {
    const about = inOneLine(snippet, maxSnippet)
    return `${index + 1}. ${inOneLine(title, maxTitle) || '(no title)'}\n   ${inOneLine(url, 2000)}${about === '' ? '' : `\n   ${about}`}`
  })
  return fromTheWeb(`Results of ${provider.name} for ${JSON.stringify(wanted)}; web_fetch reads a page.`, list.join('\n'))
}

function inOneLine(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= max ? line : `${line.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…`
}
