import { code, shortened } from '../language/english.ts'
import type { Got, Site } from '../site.ts'
import { got, lacking, look, notOffered, refusal } from '../site.ts'
import type { Call, Work } from '../work.ts'
import { keyOf } from '../work.ts'

/** What was read of a text file. */
export type FileText = {
  readonly path: string
  /** The number of the first line that was read, from 1. */
  readonly from: number
  readonly lines: readonly string[]
  /** False when there are lines after these. */
  readonly complete: boolean
  /** False when something is not shown as it is: cut lines, line ends that are not alike, bytes that are no text. */
  readonly exact: boolean
  readonly lineEnd: '\n' | '\r\n'
  readonly endsWithNewline: boolean
  /** How many lines the file has, where that is known. */
  readonly total: number | undefined
}

export type ReadRange = {
  /** Read on to the end of the file; `unless_counted`: only where its first piece does not say how many lines it has. */
  readonly whole?: boolean | 'unless_counted' | undefined
  readonly from?: number | undefined
  readonly count?: number | undefined
}

/** How many pieces of one file are read. With the usual 2,000 lines each that is a file of 40,000 lines. */
const maxPieces = 20

/** Reads a text file with the tool `read_file`. */
export function* readFile(site: Site, path: string, { whole = false, from, count }: ReadRange = {}): Work<Got<FileText>> {
  const aim = `read ${code(path)}`
  if (!site.tools.has('read_file')) return notOffered(['read_file'], aim)
  const all: Call = { tool: 'read_file', input: { path } }
  const isPart = from !== undefined || count !== undefined
  const seen = site.memory.get(keyOf(all))
  if (seen?.status === 'error') return refusal(seen, aim)
  if (isPart && seen) {
    const known = textIn(path, seen.text)
    if (known.complete || known.lines.length >= (from ?? 1) - 1 + (count ?? Infinity)) return got(known)
  }
  const first = yield* look(
    site,
    isPart
      ? { tool: 'read_file', input: { path, ...(from !== undefined && { offset: from }), ...(count !== undefined && { limit: count }) } }
      : all,
  )
  if (first.status === 'error') return refusal(first, aim)
  const picture = /^(?:(.*)\n)?\[(an image|a document), [^\]\n]+\]$/s.exec(first.text)
  if (picture)
    return lacking(
      `${code(path)} is ${picture[2]}, and I can only read text.${picture[1] ? ` The tool says: ${shortened(picture[1], 200)}` : ''}`,
    )
  let file = textIn(path, first.text)
  if (!whole || isPart || (whole === 'unless_counted' && file.total !== undefined)) return got(file)
  for (let piece = 1; piece < maxPieces && !file.complete && file.lines.length > 0; piece++) {
    const offset = file.from + file.lines.length
    const next = yield* look(site, { tool: 'read_file', input: { path, offset } })
    const more = next.status === 'error' ? undefined : textIn(path, next.text)
    // A tool that does not go on where it was told to would give the same lines again and again.
    if (!more || more.lines.length === 0 || more.from !== offset) break
    file = {
      ...more,
      from: file.from,
      lines: [...file.lines, ...more.lines],
      exact: file.exact && more.exact,
      total: more.total ?? file.total,
    }
  }
  return got(file)
}

const numbered = /^ *(\d+)(?:\t|→)(.*)$/s
const lineCut = / \[… the line is cut here; it has \d+ bytes\]$/

/** Reads what `read_file` shows: numbered lines, and notes in lines that have no number. */
function textIn(path: string, shown: string): FileText {
  const lines: string[] = []
  const notes: string[] = []
  let from = 1
  for (const row of shown.split('\n')) {
    const match = numbered.exec(row)
    if (!match) notes.push(row)
    else if (lines.push(match[2]!.replace(lineCut, '')) === 1) from = Number(match[1])
  }
  const note = notes.join('\n').trim()
  if (lines.length === 0 && note !== '' && !/^[[(<]|\bempty\b/i.test(note)) {
    // A tool that shows the text without numbers.
    const plain = shown.replace(/\n$/, '').split('\n')
    return {
      path,
      from: 1,
      lines: plain,
      complete: true,
      exact: true,
      lineEnd: '\n',
      endsWithNewline: shown.endsWith('\n'),
      total: plain.length,
    }
  }
  const more = /<persisted-output|\boffset\b|\blines? (?:are |is )?(?:left|more|remain)|\bmore (?:than \d+ )?lines?\b|\btruncated\b/i.test(
    note,
  )
  const last = from - 1 + lines.length
  return {
    path,
    from,
    lines,
    complete: !more,
    exact: !/<persisted-output|\bcut\b|\bmixed\b|\bbyte-order mark\b|\bnot UTF-8\b|\btruncated\b/i.test(note),
    lineEnd: /\bend in CRLF\b/.test(note) ? '\r\n' : '\n',
    endsWithNewline: !/\bno newline at its end\b/i.test(note),
    total: more ? totalIn(note, last) : last,
  }
}

/** How long the file is, as a note tells: "lines 1-5 of 205", "… 200 lines are left". */
function totalIn(note: string, last: number): number | undefined {
  const whole = /\blines?\b[^.\n]*\bof (\d[\d,]*)\b/i.exec(note)?.[1]
  if (whole !== undefined) return numberIn(whole)
  const left = /(\d[\d,]*) (?:more )?lines? (?:are |is )?(?:left|more|remain)|(\d[\d,]*) more lines?\b/i.exec(note)
  return left ? last + numberIn(left[1] ?? left[2]!) : undefined
}

const numberIn = (digits: string): number => Number(digits.replaceAll(',', ''))
