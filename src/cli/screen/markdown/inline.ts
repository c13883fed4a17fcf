import type { Token, Tokens } from 'marked'
import type { Row, Span } from '../span.ts'
import { looks, within } from '../span.ts'

/** The text of a paragraph with its faces. */
export function inline(tokens: readonly Token[] | undefined, look?: string): Row {
  return (tokens ?? []).flatMap((token) => one(token as Tokens.Generic, look))
}

function one(token: Tokens.Generic, look: string | undefined): Row {
  const inner = (added: string): Row => inline(token.tokens, within(look, added))
  switch (token.type) {
    case 'strong':
      return inner(looks.bold)
    case 'em':
      return inner(looks.italic)
    case 'del':
      return inner(looks.strike)
    case 'codespan':
      return [span(unescaped((token as Tokens.Codespan).text), within(look, looks.cyan))]
    case 'link':
      return link(token as Tokens.Link, look)
    case 'image':
      return [span(`[image: ${(token as Tokens.Image).text || 'no description'}] (${(token as Tokens.Image).href})`, look)]
    case 'br':
      return [span('\n', look)]
    case 'escape':
      return [span((token as Tokens.Escape).text, look)]
    case 'html':
      return [span(token.raw, look)]
    default:
      if (token.tokens) return inline(token.tokens, look)
      return [span(unescaped((token as Tokens.Text).text ?? token.raw), look)]
  }
}

const span = (text: string, look: string | undefined): Span => (look === undefined ? { text } : { text, look })

/** A link that can be opened when its address is plain and safe. What is written and where it leads must not contradict each other. */
function link({ href, tokens, text }: Tokens.Link, look: string | undefined): Row {
  const shown = within(look, looks.underline)
  const spans = inline(tokens, shown)
  const said = spans.map(({ text }) => text).join('')
  const url = safeUrl(href)
  const linked = url === undefined ? spans : spans.map((each) => ({ ...each, url }))
  if (said === href || `mailto:${said}` === href || text === href) return linked
  const contradicts = /^(?:https?:\/\/|www\.)|^[\w-]+(?:\.[\w-]+)+(?:\/|$)/i.test(said.trim()) && hostOf(said) !== hostOf(href)
  return url === undefined || contradicts ? [...linked, span(` (${href})`, look)] : linked
}

/** The address as it is sent, for http and https alone: other programs are not to be started by a click on a text of a model. */
function safeUrl(href: string): string | undefined {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return undefined
  const url = new URL(href)
  if (url.username !== '' || url.password !== '') return undefined
  return /^[\u0021-\u007e]+$/.test(url.href) ? url.href : undefined
}

function hostOf(text: string): string | undefined {
  const url = /^https?:\/\//i.test(text.trim()) ? text.trim() : `http://${text.trim()}`
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : undefined
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The few entities that models write; no other, so that none becomes a control character. */
const unescaped = (text: string): string => text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name]!)
