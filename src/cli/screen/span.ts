import { displayWidth } from './width.ts'

/** A piece of text that looks the same from its beginning to its end. */
export type Span = {
  readonly text: string
  /** The numbers of the colours and faces, as a terminal takes them: `1;36`. Absent: plain. */
  readonly look?: string | undefined
  /** Where it leads. Only addresses that were found safe. */
  readonly url?: string | undefined
}

/** What stands on one row of the screen. */
export type Row = readonly Span[]

export const looks = {
  bold: '1',
  dim: '2',
  italic: '3',
  underline: '4',
  strike: '9',
  red: '31',
  green: '32',
  yellow: '33',
  blue: '34',
  magenta: '35',
  cyan: '36',
} as const

/** A look within another one. */
export const within = (outer: string | undefined, inner: string): string => (outer === undefined ? inner : `${outer};${inner}`)

export const spansWidth = (row: Row): number => row.reduce((width, { text }) => width + displayWidth(text), 0)

/** The row as a terminal takes it. Each piece begins and ends its own look, so that none leaks into what follows. */
export function painted(row: Row): string {
  let all = ''
  for (const { text, look, url } of merged(row)) {
    const seen = look === undefined ? text : `\u001b[${look}m${text}\u001b[0m`
    all += url === undefined ? seen : `\u001b]8;;${url}\u001b\\${seen}\u001b]8;;\u001b\\`
  }
  return all
}

function merged(row: Row): Row {
  const spans: Span[] = []
  for (const span of row) {
    const last = spans.at(-1)
    if (span.text === '') continue
    if (last && last.look === span.look && last.url === span.url) spans[spans.length - 1] = { ...last, text: last.text + span.text }
    else spans.push(span)
  }
  return spans
}
