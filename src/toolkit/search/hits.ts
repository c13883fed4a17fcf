import type { FileSystem } from '../../host/file-system.ts'
import { headOf } from '../../util/text.ts'
import { maxLineChars } from './text-lines.ts'

/** What is looked for, and where. */
export type LineQuery = {
  readonly pattern: string
  /** The pattern is the text itself. */
  readonly isLiteral: boolean
  readonly ignoresCase: boolean
  /** Lines to show before and after each that matches. */
  readonly context: number
  /** Matching lines of one file that are kept; the others are counted. */
  readonly maxRows: number
}

/** A folder, or one single file. Links are resolved. */
export type Place = {
  readonly files: FileSystem
  readonly folder: string
  /** Name of the one file in the folder. */
  readonly file?: string | undefined
  readonly isInRepository: boolean
  /** Which of the files, by their paths from the folder. */
  readonly wants: (path: string) => boolean
  /** Options of ripgrep that say a part of that. */
  readonly ripgrepArgs: readonly string[]
}

export type Row = { readonly line: number; readonly text: string; readonly isMatch: boolean }

/** What was found in one file. */
export type FileHits = {
  /** From the folder. */
  readonly path: string
  readonly rows: readonly Row[]
  /** Lines that match, kept or not. */
  readonly matches: number
}

/** Characters of a line that are shown. */
export const maxShownChars = 500
/** What is shown of a long line before its match. */
const leadChars = 100

/** A line as it is shown: of a long one what stands around the match. */
export function excerptOf(line: string, matchAt: number): string {
  const text = line.replaceAll('\0', '\ufffd')
  if (text.length <= maxShownChars) return text
  const from = Math.max(0, Math.min(matchAt - leadChars, text.length - maxShownChars))
  const start = from > 0 && /[\udc00-\udfff]/.test(text[from]!) ? from + 1 : from
  const shown = headOf(text.slice(start), maxShownChars)
  const length = text.length < maxLineChars ? text.length : `${maxLineChars} or more`
  return `${start > 0 ? '…' : ''}${shown}${start + shown.length < text.length ? '…' : ''} [cut: the line has ${length} characters]`
}
