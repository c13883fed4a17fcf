import type { FileSystem } from '../host/file-system.ts'
import { judging } from '../host/judging.ts'
import { localFiles } from '../host/local-files.ts'
import { resolveLinks } from '../host/paths.ts'
import { image } from '../messages/content.ts'
import type { ToolResultContent } from '../messages/content.ts'
import { looksLikeResult } from '../results/result-path.ts'
import { jsonSchema } from '../tools/schema.ts'
import { tool } from '../tools/tool.ts'
import { counted } from './counted.ts'
import { fileLog } from './files/file-log.ts'
import type { FileLog } from './files/file-log.ts'
import { foldLines } from './files/fold-lines.ts'
import { imageKindOf, imageTypeOf } from './files/image-kind.ts'
import { openRegular } from './files/open-regular.ts'
import type { OpenFile } from './files/open-regular.ts'
import { locate, shellWord } from './files/paths.ts'
import { hashOf, readLines } from './files/read-lines.ts'
import type { LinesRead } from './files/read-lines.ts'
import { readStart } from './files/read-bytes.ts'
import { kindOfBytes, sampleBytes } from './files/text-kind.ts'
import { groundOf } from './ground.ts'
import { checkToolkitOptions } from './options.ts'
import type { ToolkitOptions } from './options.ts'

type ReadFileInput = { readonly path: string; readonly offset?: number | undefined; readonly limit?: number | undefined }

const defaultLines = 2000
const maxLineChars = 2000
const maxChars = 100_000
/** 5 MB as base64, what the strictest provider takes. */
const maxImageBytes = 3_750_000
const maxImageSide = 8000

const description = `Reads a file. Text comes as numbered lines, "number<TAB>line"; the numbers are not part of the file. \
Shows ${defaultLines} lines from "offset" on and says how many are left: go on with the next offset. Long lines are cut at ${maxLineChars} characters. \
Images (PNG, JPEG, GIF, WebP) are shown as images. For folders use list_dir.`

/**
 * The tool `read_file`: some lines of a text file, numbered, or an image.
 *
 * Gives up to 2,000 lines (`limit`), 2,000 characters of each and 100,000 in all, and says what was left out. Reads regular
 * files only, as a stream: a file may be larger than memory. It bounds its own result and takes no part in the result budget.
 * A stored result, such as `persisted-output` refers to, is shown with its long lines folded instead of cut: all of it can be read.
 */
export function readFile(options: ToolkitOptions = {}) {
  checkToolkitOptions('readFile', options)
  const ground = groundOf(options)
  const log = options.files ?? fileLog()
  return tool({
    name: 'read_file',
    description,
    inputSchema: jsonSchema<ReadFileInput>({
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'Relative to the workspace, or absolute.' },
        offset: { type: 'integer', minimum: 1, description: 'Number of the first line to show. Default: 1.' },
        limit: { type: 'integer', minimum: 1, description: `Lines to show at most. Default: ${defaultLines}.` },
      },
      required: ['path'],
    }),
    isReadOnly: true,
    isConcurrencySafe: true,
    maxResultChars: Infinity,
    execute: async ({ path: given, offset = 1, limit = defaultLines }, { signal }): Promise<string | readonly ToolResultContent[]> => {
      for (const [name, value] of [
        ['offset', offset],
        ['limit', limit],
      ] as const) {
        if (!Number.isInteger(value) || value < 1)
          throw new Error(`${name} must be a whole number of at least 1, got ${value}. The first line is line 1.`)
      }
      const path = locate(ground, given)
      signal.throwIfAborted()
      const files = (await isKeptHere(path, options)) ? localFiles : ground.files
      const file = await openRegular(files, path, given)
      try {
        return await show(file, { given, path, offset, limit, files, log, signal })
      } finally {
        await file.handle.close()
      }
    },
  })
}

/** What the store keeps it keeps on this machine, wherever the tools work. */
const isKeptHere = async (path: string, { host, results }: ToolkitOptions): Promise<boolean> =>
  host !== undefined && results !== undefined && looksLikeResult(path) && (await results.owns(path))

type Request = {
  readonly given: string
  readonly path: string
  readonly offset: number
  readonly limit: number
  readonly files: FileSystem
  readonly log: FileLog
  readonly signal: AbortSignal
}

async function show(file: OpenFile, request: Request): Promise<string | readonly ToolResultContent[]> {
  const { given, signal } = request
  if (looksLikeResult(request.path)) return await showResult(file, request)
  const sample = await readStart(file.handle, sampleBytes)
  if (imageTypeOf(sample)) return await showImage(file, request)
  const kind = kindOfBytes(sample)
  const shown = JSON.stringify(given)
  if (kind.type === 'foreign') {
    throw new Error(
      `${shown} is text, but its encoding is ${kind.encoding}; read_file shows UTF-8. Convert it with shell: iconv -f ${kind.iconv} -t UTF-8 ${shellWord(given)}`,
    )
  }
  if (kind.type === 'binary') {
    throw new Error(
      `${shown} is a binary file of ${counted(Number(file.stats.size), 'byte')} (${kind.why}), which read_file does not show. Look at it with shell, for example: file ${shellWord(given)}`,
    )
  }
  const read = await readLines(file.handle, file.stats.size, { from: request.offset, limit: request.limit, maxLineChars, maxChars }, signal)
  return await showLines(read, kind.bom, file, request)
}

/** What a store wrote is text, and often one single line. */
async function showResult({ handle }: OpenFile, { given, offset, limit, signal }: Request): Promise<string> {
  const { rows, total, isFolded } = await foldLines(handle, { from: offset, limit, width: maxLineChars, maxChars }, signal)
  const first = rows[0]
  const last = rows.at(-1)
  if (!first || !last) {
    if (total > 0) throw new Error(`offset=${offset} is past the end: ${JSON.stringify(given)} has ${counted(total, 'line')}.`)
    return '[The file is empty.]'
  }
  const left = total - last.number
  const notes = [
    ...(isFolded ? [`[Lines of more than ${maxLineChars} characters are folded: each piece has a number of its own.]`] : []),
    ...(left > 0
      ? [
          `[Lines ${first.number}-${last.number} of ${total}. ${left === 1 ? '1 line is' : `${left} lines are`} left: go on with offset=${last.number + 1}.]`,
        ]
      : first.number > 1
        ? [`[Lines ${first.number}-${last.number} of ${total}: the end of the file.]`]
        : []),
  ]
  return [...rows.map(({ number, text }) => `${number}\t${text}`), ...notes].join('\n')
}

async function showLines(read: LinesRead, bom: boolean, { stats }: OpenFile, request: Request): Promise<string> {
  const { given, offset, log } = request
  const { lines, total } = read
  const first = lines[0]
  const last = lines.at(-1)
  if (!first || !last) {
    if (total !== 0) throw new Error(`offset=${offset} is past the end: ${JSON.stringify(given)} has ${counted(read.counted, 'line')}.`)
    log.sawAll(await endOf(request), { size: stats.size, mtimeNs: stats.mtimeNs, hash: read.hash })
    return bom ? '[The file is empty but for a byte-order mark.]' : '[The file is empty.]'
  }
  log.sawLines(
    await endOf(request),
    { size: stats.size, mtimeNs: stats.mtimeNs, hash: read.hash },
    { from: first.number, to: last.number, lines: total },
  )
  const shown = lines.map(
    ({ number, text, cutFrom }) => `${number}\t${text}${cutFrom === undefined ? '' : ` [… the line is cut here; it has ${cutFrom} bytes]`}`,
  )
  return [...shown, ...notesOn(read, first.number, last.number, bom, given)].join('\n')
}

/** The path without links: by that the log knows a file. */
const endOf = async ({ files, path }: Request): Promise<string> => await judging(files, (look) => resolveLinks(look, path))

/** What else there is to know, each in a line that cannot be taken for one of the file: those begin with a number. */
function notesOn(
  { lines, total, counted: atLeast, crlf, lf, endsWithNewline }: LinesRead,
  from: number,
  to: number,
  bom: boolean,
  given: string,
): string[] {
  const notes: string[] = []
  if (total === undefined) notes.push(`[Lines ${from}-${to}; the file has more than ${atLeast} lines. Go on with offset=${to + 1}.]`)
  else if (to < total)
    notes.push(
      `[Lines ${from}-${to} of ${total}. ${total - to === 1 ? '1 line is' : `${total - to} lines are`} left: go on with offset=${to + 1}.]`,
    )
  else if (from > 1) notes.push(`[Lines ${from}-${to} of ${total}: the end of the file.]`)
  const cut = lines.find(({ cutFrom }) => cutFrom !== undefined)
  if (cut)
    notes.push(
      `[Lines are cut at ${maxLineChars} characters. The rest of one can be had with shell, for example: sed -n ${cut.number}p ${shellWord(given)} | cut -c ${maxLineChars + 1}-${maxLineChars * 2}]`,
    )
  if (bom) notes.push('[The file begins with a byte-order mark (BOM), which is not shown.]')
  if (crlf > 0) notes.push(lf > 0 ? `[The line ends are mixed: ${crlf} CRLF, ${lf} LF.]` : '[The lines end in CRLF.]')
  const damaged = lines.filter(({ isDamaged }) => isDamaged).length
  if (damaged > 0) notes.push(`[${counted(damaged, 'line holds', 'lines hold')} bytes that are not UTF-8 text, shown as \ufffd.]`)
  if (to === total && !endsWithNewline) notes.push('[The last line has no newline at its end.]')
  return notes
}

async function showImage(file: OpenFile, request: Request): Promise<readonly ToolResultContent[]> {
  const { given, log } = request
  const shown = JSON.stringify(given)
  const size = Number(file.stats.size)
  if (size > maxImageBytes)
    throw new Error(
      `${shown} is an image of ${size} bytes; read_file shows images of up to ${maxImageBytes} bytes. Make a smaller copy of it first.`,
    )
  const bytes = await readStart(file.handle, size)
  const kind = imageKindOf(bytes)
  if (!kind) throw new Error(`${shown} begins like an image (${imageTypeOf(bytes)}) but is cut or damaged, and is not shown.`)
  const { mediaType, width, height } = kind
  if (Math.max(width, height) > maxImageSide)
    throw new Error(
      `${shown} is an image of ${width} x ${height} pixels; read_file shows images of up to ${maxImageSide} pixels a side. Make a smaller copy of it first.`,
    )
  log.sawAll(await endOf(request), { size: file.stats.size, mtimeNs: file.stats.mtimeNs, hash: await hashOf(bytes) })
  return [
    { type: 'text', text: `${given}: ${mediaType}, ${width} x ${height} pixels, ${size} bytes` },
    image(bytes.toString('base64'), mediaType),
  ]
}
