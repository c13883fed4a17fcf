import { join, posix } from 'node:path'
import { jsonSchema } from '../tools/schema.ts'
import { tool } from '../tools/tool.ts'
import { systemClock } from '../util/clock.ts'
import { counted } from './counted.ts'
import { readableName } from './files/readable-name.ts'
import { groundOf } from './ground.ts'
import { checkToolkitOptions } from './options.ts'
import type { ToolkitOptions } from './options.ts'
import { ripgrepOf } from './search/find-ripgrep.ts'
import type { grepInProcess } from './search/grep-in-process.ts'
import { grepWithRipgrep } from './search/grep-with-ripgrep.ts'
import { maxShownChars } from './search/hits.ts'
import type { FileHits, LineQuery, Place } from './search/hits.ts'
import { pathPattern } from './search/path-pattern.ts'
import { searchPlace } from './search/search-place.ts'
import { searchSeconds, takeUntil } from './search/take-until.ts'
import type { SearchEnd } from './search/take-until.ts'

type Show = 'lines' | 'files' | 'counts'

type GrepInput = {
  readonly pattern: string
  readonly path?: string | undefined
  readonly glob?: string | undefined
  readonly literal?: boolean | undefined
  readonly ignoreCase?: boolean | undefined
  readonly context?: number | undefined
  readonly show?: Show | undefined
  readonly limit?: number | undefined
}

const defaultLimit = 250
const maxLimit = 1000
const maxContext = 20
/** Leaves room for the last lines within the default budget of a result. */
const maxChars = 28_000

const description = `Searches the contents of files with a regular expression (syntax of ripgrep: no look-around, no back-references), line by line. \
Gives each file with its lines as "number:line", lines of context as "number-line", in the order of the paths. Hidden files are searched; \
links are not followed, binary files and what ignore files (.gitignore) name are left out unless "path" leads into it. Lines are cut at ${maxShownChars} characters.`

/**
 * The tool `grep`: lines that fit a regular expression, by ripgrep where there is one, else by the same rules without it. At most
 * 250 lines or files (`limit`, up to 1,000), for at most 30 seconds.
 */
export function grep(options: ToolkitOptions = {}) {
  checkToolkitOptions('grep', options)
  const ground = groundOf(options)
  const { clock = systemClock } = options
  const findProgram = ripgrepOf(options)
  return tool({
    name: 'grep',
    description,
    inputSchema: jsonSchema<GrepInput>({
      type: 'object',
      properties: {
        pattern: { type: 'string', minLength: 1, description: 'What to look for.' },
        path: { type: 'string', minLength: 1, description: 'A folder, or one file. Default: ".", the workspace.' },
        glob: { type: 'string', minLength: 1, description: 'Only files whose path fits, as in the tool glob: "*.ts", "src/**".' },
        literal: { type: 'boolean', description: 'The pattern is the text itself. Default: false.' },
        ignoreCase: { type: 'boolean', description: 'Default: false.' },
        context: { type: 'integer', minimum: 0, maximum: maxContext, description: 'Lines to show around each match. Default: 0.' },
        show: {
          type: 'string',
          enum: ['lines', 'files', 'counts'],
          description: 'The lines, only the files that have any, or how many lines of each file match. Default: "lines".',
        },
        limit: { type: 'integer', minimum: 1, maximum: maxLimit, description: `Lines or files at most. Default: ${defaultLimit}.` },
      },
      required: ['pattern'],
    }),
    isReadOnly: true,
    isConcurrencySafe: true,
    execute: async (input, { signal, isWithheld }): Promise<string> => {
      const { path: given = '.', show = 'lines', limit = defaultLimit, context = 0 } = input
      checkRange('limit', limit, 1, maxLimit)
      checkRange('context', context, 0, maxContext)
      const wanted = input.glob === undefined ? everything : pathPattern(input.glob)
      const found = await searchPlace(ground, given)
      // What is found in them must not even be counted.
      const wants = (path: string): boolean => wanted.matches(path) && !isWithheld?.(join(found.folder, path))
      const place: Place = { ...found, wants, ripgrepArgs: wanted.ripgrepArgs }
      const query: LineQuery = {
        pattern: input.pattern,
        isLiteral: input.literal ?? false,
        ignoresCase: input.ignoreCase ?? false,
        context: show === 'lines' ? context : 0,
        maxRows: show === 'lines' ? limit : 0,
      }
      const program = await findProgram()
      const search: typeof grepInProcess =
        program === undefined ? (await import('./search/grep-in-process.ts')).grepInProcess : (...what) => grepWithRipgrep(program, ...what)
      const report = reportOf(show, limit, (path) => readableName(place.file === undefined ? posix.join(given, path) : given))
      const end = await takeUntil((until) => search(query, place, until), report.take, { clock, signal })
      return report.text(end, isWithheld !== undefined)
    },
  })
}

const everything = { matches: () => true, ripgrepArgs: [] }

function checkRange(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Error(`${name} must be a whole number from ${min} to ${max}, got ${value}.`)
}

function reportOf(show: Show, limit: number, pathOf: (path: string) => string) {
  const lines: string[] = []
  let chars = 0
  /** Lines or files that are shown. */
  let shown = 0
  let isFull = false
  const add = (line: string): boolean => {
    isFull ||= chars + line.length + 1 > maxChars
    if (isFull) return false
    chars += line.length + 1
    lines.push(line)
    return true
  }
  const takeFile = ({ path, matches }: FileHits): boolean => {
    isFull ||= shown >= limit
    if (!add(show === 'counts' ? `${pathOf(path)}: ${matches}` : pathOf(path))) return false
    shown++
    return true
  }
  const takeLines = ({ path, rows, matches }: FileHits): boolean => {
    const start = lines.length
    add(lines.length > 0 ? `\n${pathOf(path)}` : pathOf(path))
    const hasContext = rows.some(({ isMatch }) => !isMatch)
    let here = 0
    let last: number | undefined
    for (const { line, text, isMatch } of rows) {
      // Between the two stand lines that are not shown.
      if (hasContext && last !== undefined && line > last + 1 && !add('--')) break
      if (isMatch && shown >= limit) isFull = true
      if (!add(`${line === 0 ? '?' : line}${isMatch ? ':' : '-'}${text}`)) break
      last = line
      if (isMatch) {
        shown++
        here++
      }
    }
    if (here === 0) lines.length = start
    isFull ||= here < matches
    return !isFull
  }
  return {
    take: show === 'lines' ? takeLines : takeFile,
    text(end: SearchEnd, isPartial: boolean): string {
      if (shown === 0 && end === 'all')
        return `[Nothing matches. Binary files${isPartial ? ',' : ' and'} what ignore files name${isPartial ? ' and what rules hold back' : ''} are not searched.]`
      const notes: string[] = []
      if (isFull)
        notes.push(
          `[There is more: ${counted(shown, show === 'lines' ? 'matching line' : 'file')} ${shown === 1 ? 'is' : 'are'} shown. Narrow it down with path, glob or the pattern${show === 'lines' ? ', or see the files first with show="files"' : ''}.]`,
        )
      if (end === 'timeout')
        notes.push(`[The search was ended after ${searchSeconds} s and is not complete. Give a folder as path, or a glob.]`)
      return [...lines, ...notes].join('\n')
    },
  }
}
