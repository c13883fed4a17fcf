import { isObject } from '../../util/json.ts'
import { excerptOf } from './hits.ts'
import type { FileHits, LineQuery, Place, Row } from './hits.ts'
import { PatternError } from './pattern-error.ts'
import { maxRecordBytes, runRipgrep } from './run-ripgrep.ts'

/** Searches with ripgrep. Files are given in the order of their paths; those that turn out to be binary are left out. */
export async function* grepWithRipgrep(program: string, query: LineQuery, place: Place, signal: AbortSignal): AsyncGenerator<FileHits> {
  const records = runRipgrep({
    program,
    args: [
      '--json',
      // Without it a file that is mapped is looked through for NUL bytes at its beginning alone.
      '--no-mmap',
      // A `\r` before the line end is no part of the line.
      '--crlf',
      ...(query.isLiteral ? ['--fixed-strings'] : []),
      ...(query.ignoresCase ? ['--ignore-case'] : []),
      ...(query.context > 0 ? [`--context=${query.context}`] : []),
      ...place.ripgrepArgs,
      '-e',
      query.pattern,
      '--',
      place.file === undefined ? './' : `./${place.file}`,
    ],
    cwd: place.folder,
    isInRepository: place.isInRepository,
    separator: '\n',
    signal,
  })
  let open: (FileHits & { readonly rows: Row[] }) | undefined
  for await (const record of explained(records)) {
    if (record.length >= maxRecordBytes) {
      if (open) open = withHuge(open, record, query)
      continue
    }
    const { type, data } = JSON.parse(record.toString('utf8')) as Message
    if (type === 'begin') {
      const path = textOf(data.path).replace(/^\.\//, '')
      open = place.wants(path) ? { path, rows: [], matches: 0 } : undefined
    } else if (type === 'end') {
      if (open && data.binary_offset === null) yield open
      open = undefined
    } else if (open && (type === 'match' || type === 'context')) open = withLine(open, type === 'match', data, query)
  }
}

/** What ripgrep says of a pattern begins with a drawing of it; the reason comes last. */
async function* explained(records: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* records
  } catch (error) {
    const said = error instanceof Error ? error.message : ''
    const reason = /^error: (.*)$/m.exec(said)?.[1] ?? /^rg: (.*(?:regex|pattern).*)$/m.exec(said)?.[1]
    throw reason === undefined ? error : new PatternError(reason.replace(/\.$/, ''))
  }
}

type Text = { readonly text?: string | undefined; readonly bytes?: string | undefined }
type Message = {
  readonly type: string
  readonly data: {
    readonly path?: Text
    readonly lines?: Text
    readonly line_number?: number
    readonly submatches?: readonly { readonly start: number }[]
    readonly binary_offset?: number | null
  }
}

/** What is no UTF-8 comes as base64. */
const textOf = (value: Text | undefined): string =>
  isObject(value) ? (value.text ?? Buffer.from(value.bytes ?? '', 'base64').toString('utf8')) : ''

type Open = FileHits & { readonly rows: Row[] }

function withLine(open: Open, isMatch: boolean, { lines, line_number: line = 0, submatches }: Message['data'], query: LineQuery): Open {
  const matches = open.matches + (isMatch ? 1 : 0)
  if (matches > query.maxRows || (!isMatch && isBeforeLeftOut(open, line, query))) return { ...open, matches }
  const text = textOf(lines).replace(/\r?\n$/, '')
  const start = submatches?.[0]?.start ?? 0
  open.rows.push({ line, text: excerptOf(text, isMatch ? charsIn(text, start) : 0), isMatch })
  return { ...open, matches }
}

/** A line before a match that is not kept itself. */
function isBeforeLeftOut({ rows, matches }: Open, line: number, { context, maxRows }: LineQuery): boolean {
  return matches >= maxRows && line > (rows.findLast(({ isMatch }) => isMatch)?.line ?? 0) + context
}

/** Positions are counted in bytes. */
const charsIn = (text: string, bytes: number): number => Buffer.from(text).subarray(0, bytes).toString('utf8').length

/** A line of megabytes: that it matches is known, and how it begins. */
function withHuge(open: Open, record: Buffer, query: LineQuery): Open {
  if (!record.subarray(0, 20).includes('"match"')) return open
  const matches = open.matches + 1
  if (matches <= query.maxRows) open.rows.push({ line: 0, text: '[a line of several megabytes matches; it is not shown]', isMatch: true })
  return { ...open, matches }
}
