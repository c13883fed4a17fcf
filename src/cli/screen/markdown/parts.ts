/**
 * Cuts markdown into parts that can be shown for good before the rest is there. Where it cuts follows from the lines alone, never
 * from how they came in, so a text that was streamed looks like the same text in one piece. It reads just enough to find the cuts;
 * what a part means is the lexer's business.
 */
export type Part = {
  readonly kind: 'flow' | 'heading' | 'item' | 'table' | 'more_table' | 'code'
  readonly source: string
  /** An empty row stands before it. */
  readonly gap: boolean
  /** Of an item of an ordered list: its number, whatever the source says. */
  readonly number?: number | undefined
  /** Of a line of code. */
  readonly language?: string | undefined
}

type Open = {
  readonly kind: 'paragraph' | 'quote' | 'html' | 'indented' | 'table' | 'item'
  readonly lines: string[]
  readonly gap: boolean
  chars: number
  /** Of an item: the column where its text begins. */
  readonly indent?: number | undefined
  readonly number?: number | undefined
  /** Of a table: its first rows were shown. */
  readonly isMore?: boolean | undefined
}

type Fence = { readonly mark: string; readonly indent: number; readonly language: string; isNew: boolean; readonly gap: boolean }
type List = { readonly mark: string; readonly next: number | undefined }

/** A paragraph longer than this is cut, so that what is still open stays small. */
export const longestPart = 4000
/** Rows of a table that decide how wide its columns are; the others follow them. */
const tableRows = 60
const longestQuote = 200

const blank = /^\s*$/
const fenceStart = /^( {0,3})(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/
const heading = /^ {0,3}#{1,6}(\s|$)/
const rule = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const underline = /^ {0,3}(=+|-+)\s*$/
const quote = /^ {0,3}>/
const html = /^ {0,3}<(?:[a-z][a-z0-9-]*[\s/>]|\/[a-z]|!--)/i
const item = /^( {0,3})([-*+]|(\d{1,9})([.)]))( +|\t|$)/
const delimiter = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/

/** Where the cutting stands after some lines. */
export class Parts {
  #open: Open | undefined
  #fence: Fence | undefined
  #list: List | undefined
  /** The first two lines of a table whose beginning was shown. */
  #table: readonly string[] | undefined
  #blank = false
  #isFirst = true
  /** What was shown last wants an empty row behind it. */
  #wantsGap = false

  copy(): Parts {
    const copy = new Parts()
    copy.#open = this.#open && { ...this.#open, lines: [...this.#open.lines] }
    copy.#fence = this.#fence && { ...this.#fence }
    copy.#list = this.#list
    copy.#table = this.#table
    copy.#blank = this.#blank
    copy.#isFirst = this.#isFirst
    copy.#wantsGap = this.#wantsGap
    return copy
  }

  /** Takes a complete line. Gives the parts that it ends. */
  line(text: string): readonly Part[] {
    const done: Part[] = []
    if (this.#fence) this.#inFence(this.#fence, text, done)
    else if (blank.test(text)) this.#atBlank(text, done)
    else if (!this.#continues(text, done)) this.#begin(text, done)
    return done
  }

  /** The text is over: gives what is still open. */
  end(): readonly Part[] {
    const done: Part[] = []
    this.#close(done)
    return done
  }

  #inFence(fence: Fence, text: string, done: Part[]): void {
    const closing = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(text)?.[1]
    if (closing?.startsWith(fence.mark)) {
      this.#fence = undefined
      this.#wantsGap = true
      return
    }
    const spaces = /^ */.exec(text)![0].length
    done.push({ kind: 'code', source: text.slice(Math.min(spaces, fence.indent)), language: fence.language, gap: fence.isNew && fence.gap })
    fence.isNew = false
    this.#isFirst = false
  }

  #atBlank(text: string, done: Part[]): void {
    const open = this.#open
    if (open?.kind === 'item') {
      // What is indented below it belongs to it still.
      open.lines.push(text)
    } else this.#close(done)
    this.#blank = true
    this.#table = undefined
  }

  /** Does the line belong to what is open? */
  #continues(text: string, done: Part[]): boolean {
    const open = this.#open
    if (!open) return this.#table !== undefined && this.#rowOfTable(text)
    const append = (): true => {
      open.lines.push(text)
      open.chars += text.length
      return true
    }
    switch (open.kind) {
      case 'paragraph': {
        if (underline.test(text) && open.lines.length > 0) {
          append()
          this.#close(done)
          this.#wantsGap = true
          return true
        }
        if (delimiter.test(text) && open.lines.at(-1)!.includes('|')) {
          const head = open.lines.pop()!
          const gap = open.gap
          if (open.lines.length > 0) this.#close(done)
          else this.#open = undefined
          this.#openWith('table', [head, text], { gap: gap || !this.#isFirst })
          return true
        }
        if (interrupts(text)) return false
        append()
        if (open.chars > longestPart) this.#cut(done, 'paragraph')
        return true
      }
      case 'table':
        if (interrupts(text)) return false
        append()
        if (open.lines.length >= tableRows + 2) {
          this.#table = open.lines.slice(0, 2)
          this.#close(done)
          this.#wantsGap = true
        }
        return true
      case 'quote':
        if (!quote.test(text) && interrupts(text)) return false
        append()
        if (open.lines.length >= longestQuote && quote.test(text)) this.#cut(done, 'quote')
        return true
      case 'html':
        return append()
      case 'indented':
        return /^(?: {4}|\t)/.test(text) && append()
      case 'item': {
        const indent = /^[ \t]*/.exec(text)![0].replaceAll('\t', '    ').length
        if (indent >= Math.min(open.indent!, 2)) {
          // A marker of its own, not deep enough to stand below this one, begins the next item.
          if (item.test(text) && indent < open.indent! && indent < 2) return false
          this.#blank = false
          return append()
        }
        // A line right below a paragraph goes on with it, wherever it begins.
        if (this.#blank || interrupts(text) || item.test(text)) return false
        return append()
      }
    }
  }

  /** A line of a table whose beginning was shown. */
  #rowOfTable(text: string): boolean {
    if (interrupts(text)) {
      this.#table = undefined
      return false
    }
    this.#openWith('table', [...this.#table!, text], { gap: false, isMore: true })
    return true
  }

  #begin(text: string, done: Part[]): void {
    this.#close(done)
    const after = !this.#isFirst && (this.#blank || this.#wantsGap)
    const begun = item.exec(text)
    if (!begun || rule.test(text)) this.#list = undefined
    this.#blank = false
    this.#wantsGap = false
    const fence = fenceStart.exec(text)
    if (fence) {
      this.#fence = { mark: fence[2]!, indent: fence[1]!.length, language: fence[3]!.toLowerCase(), isNew: true, gap: !this.#isFirst }
      return
    }
    if (heading.test(text)) return this.#whole('heading', text, done)
    if (rule.test(text)) return this.#whole('flow', text, done)
    if (begun) return this.#beginItem(text, begun, after)
    if (quote.test(text)) return this.#openWith('quote', [text], { gap: after })
    if (html.test(text)) return this.#openWith('html', [text], { gap: after })
    if (/^(?: {4}|\t)/.test(text)) return this.#openWith('indented', [text], { gap: after })
    this.#openWith('paragraph', [text], { gap: after })
    if (text.length > longestPart) this.#cut(done, 'paragraph')
  }

  #beginItem(text: string, [, spaces, marker, digits, closer, gap]: RegExpExecArray, after: boolean): void {
    const mark = closer ?? marker!
    const number = digits === undefined ? undefined : this.#list?.mark === mark ? this.#list.next : Number(digits)
    this.#list = { mark, next: number === undefined ? undefined : number + 1 }
    const width = gap === '' || gap!.length > 4 ? 1 : gap!.length
    this.#openWith('item', [text], { gap: after, indent: spaces!.length + marker!.length + width, number })
  }

  /** A line that is a part by itself. */
  #whole(kind: Part['kind'], text: string, done: Part[]): void {
    done.push({ kind, source: text, gap: !this.#isFirst })
    this.#isFirst = false
    this.#wantsGap = true
  }

  #openWith(kind: Open['kind'], lines: string[], { gap, ...rest }: Pick<Open, 'gap' | 'indent' | 'number' | 'isMore'>): void {
    this.#open = { kind, lines, gap, chars: lines.reduce((sum, line) => sum + line.length, 0), ...rest }
    this.#blank = false
  }

  /** Shows what there is of something long; the rest goes on below it without an empty row. */
  #cut(done: Part[], kind: Open['kind']): void {
    this.#close(done)
    this.#wantsGap = false
    this.#openWith(kind, [], { gap: false })
  }

  #close(done: Part[]): void {
    const open = this.#open
    this.#open = undefined
    if (!open) return
    const { kind, gap, number, isMore } = open
    const source = open.lines.join('\n')
    if (source.trim() === '') return
    done.push({
      kind: kind === 'item' ? 'item' : kind === 'table' ? (isMore ? 'more_table' : 'table') : 'flow',
      source,
      gap,
      ...(number !== undefined && { number }),
    })
    this.#isFirst = false
    this.#wantsGap = kind === 'table'
  }
}

/** Ends a paragraph without an empty line before it. */
function interrupts(text: string): boolean {
  if (fenceStart.test(text) || heading.test(text) || rule.test(text) || quote.test(text)) return true
  const found = item.exec(text)
  // A number at the beginning of a line is more often a number: only 1 begins a list there.
  return (
    found !== null && found[5] !== '' && text.slice(found[0].length).trim() !== '' && (found[3] === undefined || Number(found[3]) === 1)
  )
}
