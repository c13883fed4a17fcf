import { tokensOf } from '../html/tokens.ts'
import type { SearchResult } from './provider.ts'

/** The results on a page of DuckDuckGo for browsers without scripts; advertisements are left out. */
export function resultsIn(html: string, base: URL): readonly SearchResult[] {
  const results: { title: string; url: string; snippet: string }[] = []
  let reading: 'title' | 'snippet' | undefined
  let readingEnd = ''
  for (const token of tokensOf(html)) {
    if (token.type === 'start') {
      const classes = (token.attributes.get('class') ?? '').split(/\s+/)
      const url = classes.includes('result__a') ? targetOf(token.attributes.get('href') ?? '', base) : undefined
      if (url !== undefined) {
        results.push({ title: '', url, snippet: '' })
        reading = 'title'
      } else if (classes.includes('result__a')) {
        // An advertisement: what follows is not the snippet of the result before.
        results.push({ title: '', url: '', snippet: '' })
        reading = undefined
      } else if (classes.includes('result__snippet')) reading = results.length > 0 ? 'snippet' : undefined
      else continue
      readingEnd = token.name
    } else if (token.type === 'end') {
      if (token.name === readingEnd) reading = undefined
    } else if (reading !== undefined) results.at(-1)![reading] += token.text
  }
  const seen = new Set<string>()
  return results.filter(({ url }) => url !== '' && !seen.has(url) && seen.add(url))
}

/** Where a result leads: links go through a page of the service, which has the address in its query. Nothing for advertisements. */
function targetOf(href: string, base: URL): string | undefined {
  if (!URL.canParse(href, base.href)) return undefined
  const url = new URL(href, base)
  const isOwn = url.host === base.host || /(^|\.)duckduckgo\.com$/.test(url.hostname)
  if (isOwn && url.pathname.endsWith('/y.js')) return undefined
  const target = isOwn && url.pathname.startsWith('/l/') ? url.searchParams.get('uddg') : url.href
  if (target === null || !URL.canParse(target)) return undefined
  const found = new URL(target)
  return /^https?:$/.test(found.protocol) && found.pathname !== '/y.js' ? found.href : undefined
}

export const saysNone = (html: string): boolean => /class=["'][^"']*\bno-results\b/i.test(html) || /No\s+results\./i.test(html)

/** The page that asks whether a person is there. */
export const isRefusal = (html: string): boolean => /anomaly-modal|anomaly\.js|challenge-form/i.test(html)
