/** What is no part of a page's words. */
const unseen = /<(style|script|svg|noscript)\b[^>]*>[\s\S]*?<\/\1>|<!--[\s\S]*?-->/gi
/** How much of a page is looked at, in characters: what it has to say stands at its beginning. */
const maxPage = 8192
const entities: Readonly<Record<string, string>> = { '&nbsp;': ' ', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }

/** The words of a text that may be a page of something in between; of what is no page, the text itself. */
export function plainText(text: string): string {
  const trimmed = text.trim()
  if (!/^<(!doctype|html|head|body|\?xml|[a-z]+:?[a-z]*>)/i.test(trimmed)) return trimmed
  const page = trimmed.slice(0, maxPage)
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(page)?.[1]?.trim() ?? ''
  const words = wordsOf(page.replace(unseen, ' ').replace(/<title[\s\S]*?<\/title>/i, ' '))
  if (title === '' || words.startsWith(title)) return words
  return words === '' ? title : `${title}: ${words}`
}

const wordsOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(nbsp|lt|gt|quot|#39|amp);/g, (entity) => entities[entity]!)
    .replaceAll(/\s+/g, ' ')
    .trim()
