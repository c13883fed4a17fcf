import { code, fenced } from '../language/english.ts'
import { gap } from '../language/quotes.ts'
import type { Finding, Site } from '../site.ts'
import { failed, look, notOffered, refusal } from '../site.ts'
import type { Work } from '../work.ts'
import type { Intent } from './intent.ts'

const address =
  /^\W*(?:fetch|get|open|read|show(?: me)?|download|visit|load|what(?:'s|’s| is) (?:at|on))\s+(?:the\s+)?(?:(?:page|site|website|url|address)\s+)?(?:at\s+)?(\uE000\d+\uE001|https?:\/\/\S+?)[.?!]*$/is
const words =
  /^\W*(?:search|look up|google|find)\s+(?:(?:on|in)\s+)?(?:the\s+)?(?:web|internet|online)\s+(?:for\s+)?(.+?)[.?!]*$|^\W*(?:search|look)\s+(?:for\s+)?(.+?)\s+(?:on|in)\s+the\s+(?:web|internet)[.?!]*$|^\W*(?:web search|google)\s+(?:for\s+)?(.+?)[.?!]*$/is

const maxShown = 4000

/** Pages and searches: what the tools bring is shown, for this model cannot say what it means. */
export const web: Intent = {
  name: 'web',
  examples: ['search the web for node release dates', 'fetch https://example.com'],
  group: 'Find and count',
  tools: ['web_search', 'web_fetch'],
  starts: 'search (?:the )?(?:web|internet)|fetch https?:|web search|google',
  recognise: (phrase) => {
    const said = phrase.text.replaceAll(gap, ' ').trim()
    const url = phrase.plain(address.exec(said)?.[1] ?? '').trim()
    if (/^https?:\/\/\S+$/.test(url)) {
      phrase.takeAll()
      return { aim: `fetch ${code(url)}`, work: (site) => bring(site, 'web_fetch', { url }, `fetch ${code(url)}`, code(url)) }
    }
    const found = words.exec(said)
    const query = phrase.plain(found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim()
    if (query === '') return undefined
    phrase.takeAll()
    const aim = `search the web for ${code(query)}`
    return { aim, work: (site) => bring(site, 'web_search', { query }, aim, `The web on ${code(query)}`) }
  },
}

function* bring(site: Site, tool: string, input: Readonly<Record<string, string>>, aim: string, head: string): Work<Finding> {
  if (!site.tools.has(tool)) {
    const lacking = notOffered([tool], aim)
    return failed(lacking.ok ? '' : lacking.said)
  }
  const outcome = yield* look(site, { tool, input })
  if (outcome.status === 'error') {
    const refused = refusal(outcome, aim)
    return failed(refused.ok ? '' : refused.said)
  }
  const text = outcome.text.trim()
  const left = text.length - maxShown
  return {
    say: `${head}:\n\n${fenced(text.slice(0, maxShown))}${left > 0 ? `\n\nAnd ${left} more characters.` : ''}`,
    value: text,
    partial: left > 0,
  }
}
