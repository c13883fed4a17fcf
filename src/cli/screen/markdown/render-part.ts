import type { Lexer, Token, Tokens } from 'marked'
import type { Row, Span } from '../span.ts'
import { looks, spansWidth } from '../span.ts'
import { chop, leastWidth, wrap } from '../wrap.ts'
import { highlight } from './highlight.ts'
import { inline } from './inline.ts'
import type { Part } from './parts.ts'
import { columnWidths, tableRows } from './table.ts'
import type { TableRows } from './table.ts'

type Links = Lexer['tokens']['links']

/** What earlier parts leave for later ones. */
type Known = { readonly links: Links; readonly columns: readonly number[] | undefined; readonly width: number }

const indent: Span = { text: '  ' }
const quoted: Span = { text: '│ ', look: looks.dim }

/** Makes rows of parts, in their order. */
export class PartRenderer {
  readonly #Lexer: typeof Lexer
  #known: Known = { links: {}, columns: undefined, width: 0 }

  constructor(lexer: typeof Lexer) {
    this.#Lexer = lexer
  }

  /** @param keep whether later parts are to know of it: not for one that is still open. */
  rows(part: Part, width: number, { keep }: { readonly keep: boolean }): readonly Row[] {
    return this.#rowsOf(part, width, keep).flatMap((row) => chop(row, width).map(withoutEnd))
  }

  #rowsOf(part: Part, width: number, keep: boolean): readonly Row[] {
    if (part.kind === 'code') return code([expanded(part.source)], part.language ?? '', width)
    const lexer = new this.#Lexer({ gfm: true })
    Object.assign(lexer.tokens.links, this.#known.links)
    const tokens: readonly Token[] = lexer.lex(expanded(part.source))
    let { columns } = this.#known
    let rows: readonly Row[]
    const table = tokens[0]?.type === 'table' ? tableOf(tokens[0] as Tokens.Table) : undefined
    if (table) {
      const isMore = part.kind === 'more_table' && this.#known.width === width
      if (!isMore) columns = columnWidths(table, width)
      rows = [...tableRows(table, columns, width, { withHead: part.kind !== 'more_table' }), ...blocks(tokens.slice(1), width)]
    } else rows = blocks(part.number === undefined ? tokens : tokens.map((token) => numbered(token, part.number!)), width)
    if (keep) this.#known = { links: { ...lexer.tokens.links }, columns, width }
    return rows
  }
}

/** A row without the spaces at its end, which are not seen and would be copied. */
function withoutEnd(row: Row): Row {
  const last = row.at(-1)
  if (last === undefined || last.look !== undefined || !last.text.endsWith(' '))
    return last?.text === '' ? withoutEnd(row.slice(0, -1)) : row
  return withoutEnd([...row.slice(0, -1), { ...last, text: last.text.trimEnd() }])
}

const numbered = (token: Token, start: number): Token => (token.type === 'list' ? { ...token, start } : token)

/** Blocks with an empty row between those that stand apart. */
function blocks(tokens: readonly Token[], width: number, tight = false): readonly Row[] {
  const rows: Row[] = []
  for (const token of tokens) {
    const some = block(token, width)
    if (some.length === 0) continue
    if (rows.length > 0 && !tight) rows.push([])
    rows.push(...some)
  }
  return rows
}

function block(token: Tokens.Generic, width: number): readonly Row[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return wrap(inline(token.tokens, (token as Tokens.Heading).depth === 1 ? `${looks.bold};${looks.underline}` : looks.bold), width)
    case 'code': {
      const { text, lang } = token as Tokens.Code
      return code(text.split('\n'), /^\S*/.exec(lang ?? '')![0].toLowerCase(), width)
    }
    case 'hr':
      return [[{ text: '─'.repeat(Math.min(width, 40)), look: looks.dim }]]
    case 'blockquote':
      return before([quoted], [quoted], width, (room) => blocks(token.tokens ?? [], room))
    case 'list':
      return list(token as Tokens.List, width)
    case 'table': {
      const table = tableOf(token as Tokens.Table)
      return tableRows(table, columnWidths(table, width), width, { withHead: true })
    }
    case 'html':
      return wrap([{ text: token.raw.trimEnd() }], width)
    default:
      return wrap(token.tokens ? inline(token.tokens) : [{ text: token.raw.trimEnd() }], width)
  }
}

function list({ items, ordered, start, loose }: Tokens.List, width: number): readonly Row[] {
  const rows: Row[] = []
  items.forEach((item, index) => {
    const box = item.task ? (item.checked ? '☑ ' : '☐ ') : ''
    const mark = box !== '' && !ordered ? box : `${ordered ? `${(start || 1) + index}.` : '•'} ${box}`
    const first: Span = { text: mark, look: looks.cyan }
    const rest: Span = { text: ' '.repeat(mark.length) }
    const tokens = item.tokens.filter(({ type }) => type !== 'checkbox')
    const some = before([first], [rest], width, (room) => blocks(tokens, room, !item.loose))
    if (loose && rows.length > 0) rows.push([])
    rows.push(...(some.length === 0 ? [[first]] : some))
  })
  return rows
}

/** What is made for the room that is left, with something before its first row and its others. */
function before(first: Row, rest: Row, width: number, make: (room: number) => readonly Row[]): readonly Row[] {
  const room = width - spansWidth(first)
  if (room < leastWidth) return make(width).map((row, index) => (index === 0 ? [...first, ...row] : row))
  return make(room).map((row, index) => [...(index === 0 ? first : rest), ...row])
}

function code(lines: readonly string[], language: string, width: number): readonly Row[] {
  const room = width - spansWidth([indent])
  return lines.flatMap((line) => {
    const spans = highlight(line, language)
    return room < leastWidth ? chop(spans, width) : chop(spans, room).map((row) => (spansWidth(row) === 0 ? [] : [indent, ...row]))
  })
}

/** A tab is as wide as the terminal finds, so there is none. */
const expanded = (text: string): string => text.replaceAll('\t', '    ')

function tableOf({ header, rows, align }: Tokens.Table): TableRows {
  return {
    head: header.map(({ tokens }) => inline(tokens)),
    rows: rows.map((row) => row.map(({ tokens }) => inline(tokens))),
    align,
  }
}
