import { resolveEntities } from './entities.ts'

export type Token =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'start'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly type: 'end'; readonly name: string }

/** What stands in these is text up to their end, whatever it looks like. */
const raw = new Map(
  ['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [
    name,
    new RegExp(`</${name}(?=[\\s/>]|$)`, 'gi'),
  ]),
)
const hasEntities = new Set(['textarea', 'title'])

const tagName = /[a-z][^\s/>]*/iy
const attribute = /([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y
const space = /[\s/=]*/y

/**
 * The pieces of a page, in one pass: the time it takes grows with its length and with nothing else, whatever stands in it. Comments and
 * declarations are left out.
 */
export function* tokensOf(html: string): Generator<Token> {
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open !== at) yield { type: 'text', text: resolveEntities(html.slice(at, open < 0 ? undefined : open)) }
    if (open < 0) return
    const isEnd = html[open + 1] === '/'
    tagName.lastIndex = open + (isEnd ? 2 : 1)
    const name = tagName.exec(html)?.[0].toLowerCase()
    if (name === undefined) {
      at = afterOther(html, open)
      if (at === open + 1) yield { type: 'text', text: '<' }
      continue
    }
    const attributes = new Map<string, string>()
    at = afterAttributes(html, tagName.lastIndex, attributes)
    yield isEnd ? { type: 'end', name } : { type: 'start', name, attributes }
    const ending = isEnd ? undefined : raw.get(name)
    if (!ending) continue
    ending.lastIndex = at
    const close = ending.exec(html)?.index ?? html.length
    const text = html.slice(at, close)
    if (text !== '') yield { type: 'text', text: hasEntities.has(name) ? resolveEntities(text) : text }
    at = close
  }
}

/** Behind a comment or a declaration; one character on for a `<` that is only that. What is not ended goes on to the end. */
function afterOther(html: string, open: number): number {
  const next = html[open + 1]
  if (next !== '!' && next !== '?' && next !== '/') return open + 1
  const end = html.startsWith('<!--', open) ? '-->' : html.startsWith('<![CDATA[', open) ? ']]>' : '>'
  const close = html.indexOf(end, open + 2)
  return close < 0 ? html.length : close + end.length
}

function afterAttributes(html: string, from: number, attributes: Map<string, string>): number {
  let at = from
  for (;;) {
    space.lastIndex = at
    space.exec(html)
    at = space.lastIndex
    if (at >= html.length) return html.length
    if (html[at] === '>') return at + 1
    attribute.lastIndex = at
    const [whole = '', name = '', double, single, bare] = attribute.exec(html)!
    const key = name.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, resolveEntities(double ?? single ?? bare ?? ''))
    at += whole.length
  }
}
