import { tokensOf } from './tokens.ts'
import type { Token } from './tokens.ts'
import { Writer } from './writer.ts'

export type PageText = {
  readonly title: string
  readonly text: string
  /** Not all of the page is in the text: it was too long, or took too long. */
  readonly isCut: boolean
}

export type PageOptions = {
  /** What relative links start from. */
  readonly base: URL
  /** Asked now and then: is the time up? */
  readonly isLate: () => boolean
  readonly maxChars: number
}

const blocks = new Set(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)
const apart = new Set('p h1 h2 h3 h4 h5 h6 pre blockquote table ul ol dl figure hr section article'.split(' '))
/** Nothing of these is the text of a page. */
const skipped = new Set(
  'script style template svg canvas iframe frameset object audio video select datalist nav footer noembed noframes textarea'.split(' '),
)
const empty = new Set('area base br col embed hr img input link meta source track wbr param'.split(' '))
/** An element that begins ends the one before it that was left open: a list item the item before, a block the paragraph. */
const closes: Readonly<Record<string, readonly string[]>> = {
  li: ['li', 'p'],
  dt: ['dt', 'dd', 'p'],
  dd: ['dt', 'dd', 'p'],
  tr: ['tr', 'td', 'th', 'p'],
  td: ['td', 'th', 'p'],
  th: ['td', 'th', 'p'],
  tbody: ['tr', 'td', 'th', 'thead', 'tbody', 'p'],
  tfoot: ['tr', 'td', 'th', 'thead', 'tbody', 'p'],
}
const paragraph = ['p']
/** What of that ends at these, for lists and tables lie in each other. */
const bounds = new Set(['ul', 'ol', 'menu', 'dl', 'table', 'html', 'body'])
/** Deeper lists and quotes begin no further in. */
const maxMarks = 8
const maxImplied = 20
const maxUrl = 500
/** Shorter than this a `main` is not what the page is about. */
const minMain = 200

type Open = { readonly name: string; readonly isSkipped: boolean; readonly onClose: (() => void) | undefined }

/**
 * A page as text with the marks of Markdown: headings, links, lists, code, tables by their rows. Menus, scripts and what is not shown are
 * left out; where a page says which its main part is, that is all that is given.
 */
export function htmlToText(html: string, { base, isLate, maxChars }: PageOptions): PageText {
  const page = new Page(base)
  let isCut = false
  let count = 0
  for (const token of tokensOf(html)) {
    page.take(token)
    isCut = page.length > maxChars || (++count % 1000 === 0 && isLate())
    if (isCut) break
  }
  return { ...page.result(), isCut }
}

class Page {
  readonly #writer = new Writer()
  readonly #stack: Open[] = []
  readonly #counts = new Map<string, number>()
  #base: URL
  #title = ''
  #skips = 0
  #marks = 0
  #pre = 0
  #main: { readonly from: number; to: number | undefined } | undefined

  constructor(base: URL) {
    this.#base = base
  }

  get length(): number {
    return this.#writer.length
  }

  result(): { readonly title: string; readonly text: string } {
    const all = this.#writer.end()
    const { from = 0, to = all } = this.#main ?? {}
    const main = this.#writer.lines.slice(from, to).join('\n').trim()
    const text = main.length >= minMain ? main : this.#writer.lines.join('\n').trim()
    return { title: this.#title.replace(/\s+/g, ' ').trim(), text }
  }

  take(token: Token): void {
    if (token.type === 'start') this.#start(token.name, token.attributes)
    else if (token.type === 'end') this.#end(token.name)
    else this.#text(token.text)
  }

  #text(text: string): void {
    if (this.#skips > 0) return
    if (this.#stack.at(-1)?.name === 'title') this.#title ||= text
    else if (this.#pre > 0) this.#writer.code(text)
    else this.#writer.text(text)
  }

  #start(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#implied(name)
    const isEmpty = empty.has(name)
    const isSkipped = skipped.has(name) || isHidden(attributes)
    if (isSkipped || this.#skips > 0) {
      if (!isEmpty) this.#push({ name, isSkipped, onClose: undefined })
      return
    }
    if (blocks.has(name)) this.#writer.break(apart.has(name) ? 2 : 1)
    const onClose = this.#begin(name, attributes)
    if (!isEmpty) this.#push({ name, isSkipped, onClose })
  }

  /** What an element writes at its beginning; gives what it writes at its end. */
  #begin(name: string, attributes: ReadonlyMap<string, string>): (() => void) | undefined {
    const writer = this.#writer
    switch (name) {
      case 'base':
        this.#base = urlOf(attributes.get('href'), this.#base) ?? this.#base
        return undefined
      case 'br':
        if (this.#pre > 0) writer.code('\n')
        else writer.break(1)
        return undefined
      case 'hr':
        writer.text('---')
        writer.break(2)
        return undefined
      case 'img': {
        const alt = attributes.get('alt')?.trim() ?? ''
        if (alt !== '') writer.text(`[image: ${alt}]`)
        return undefined
      }
      case 'a':
        return this.#link(attributes.get('href'))
      case 'pre':
        return this.#code()
      case 'code':
        return this.#pre > 0 ? undefined : writer.around('`', '`')
      case 'ul':
      case 'ol':
      case 'menu':
        return () => writer.break(2)
      case 'li':
        return this.#marked(this.#bullet(), '  ')
      case 'blockquote':
        return this.#marked('> ', '> ')
      case 'td':
      case 'th':
        if (!writer.isAtStart) writer.glue(' | ')
        return undefined
      case 'main':
        if (this.#main) return undefined
        this.#main = { from: writer.end(), to: undefined }
        return () => (this.#main!.to = writer.end())
      default:
        return /^h[1-6]$/.test(name) ? writer.around(`${'#'.repeat(Number(name[1]))} `, '') : undefined
    }
  }

  readonly #numbers = new WeakMap<Open, number>()

  /** In a numbered list its number. */
  #bullet(): string {
    const list = this.#stack.findLastIndex(({ name }) => name === 'ul' || name === 'ol' || name === 'menu')
    const open = this.#stack[list]
    if (open?.name !== 'ol') return '- '
    const number = (this.#numbers.get(open) ?? 0) + 1
    this.#numbers.set(open, number)
    return `${number}. `
  }

  #marked(first: string, rest: string): (() => void) | undefined {
    if (this.#marks >= maxMarks) return undefined
    this.#marks++
    this.#writer.mark(first, rest)
    return () => {
      this.#marks--
      this.#writer.break(1)
      this.#writer.unmark()
    }
  }

  #link(href: string | undefined): (() => void) | undefined {
    const url = href === undefined || href.startsWith('#') || this.#pre > 0 ? undefined : urlOf(href, this.#base)
    if (!url || url.href.length > maxUrl) return undefined
    return this.#writer.around('[', `](${url.href})`)
  }

  #code(): () => void {
    if (this.#pre++ === 0) this.#writer.fence()
    return () => {
      if (--this.#pre === 0) this.#writer.fence()
    }
  }

  /** Ends what the element leaves no room for. Looked for in a few levels only: what nests deeper is no page that somebody wrote. */
  #implied(name: string): void {
    const ends = closes[name] ?? (blocks.has(name) ? paragraph : undefined)
    if (!ends) return
    for (;;) {
      const from = Math.max(0, this.#stack.length - maxImplied)
      let at = this.#stack.length - 1
      while (at >= from && !ends.includes(this.#stack[at]!.name) && !bounds.has(this.#stack[at]!.name)) at--
      if (at < from || bounds.has(this.#stack[at]!.name)) return
      while (this.#stack.length > at) this.#pop()
    }
  }

  #end(name: string): void {
    // Looked up first: a page of ends without a beginning must not cost a search each.
    if ((this.#counts.get(name) ?? 0) === 0) {
      if (this.#skips === 0 && blocks.has(name)) this.#writer.break(1)
      return
    }
    while (this.#stack.at(-1)!.name !== name) this.#pop()
    this.#pop()
  }

  #push(open: Open): void {
    this.#stack.push(open)
    this.#counts.set(open.name, (this.#counts.get(open.name) ?? 0) + 1)
    if (open.isSkipped) this.#skips++
  }

  #pop(): void {
    const open = this.#stack.pop()!
    this.#counts.set(open.name, this.#counts.get(open.name)! - 1)
    if (open.isSkipped) this.#skips--
    open.onClose?.()
    if (this.#skips === 0 && blocks.has(open.name)) this.#writer.break(apart.has(open.name) ? 2 : 1)
  }
}

const isHidden = (attributes: ReadonlyMap<string, string>): boolean =>
  attributes.has('hidden') ||
  attributes.get('aria-hidden') === 'true' ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.get('style') ?? '')

function urlOf(href: string | undefined, base: URL): URL | undefined {
  if (href === undefined) return undefined
  try {
    const url = new URL(href, base)
    return /^(https?|mailto):$/.test(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}
