import type { JsonObject, JsonValue, ToolResultBlock } from '../../index.ts'
import { showControls } from '../sanitise.ts'
import type { Style } from '../style.ts'
import { counted, fitted, linesOf } from '../tool-line.ts'
import { diffLine } from './markdown/highlight.ts'
import { painted } from './span.ts'

export type PreviewOptions = { readonly width: number; readonly style: Style }

/** Lines of output of a command that are shown: the first, and the last, where commands say how they ended. */
const [headLines, tailLines] = [3, 5]
const diffLines = 40

/** A few rows of what a call gave, for those results that a person wants to see: a difference, the output of a command, a plan. */
export function previewOf(
  input: JsonObject,
  result: ToolResultBlock,
  plan: JsonValue | undefined,
  options: PreviewOptions,
): readonly string[] {
  const items = planOf(plan)
  if (items) return items.map(({ text, status }) => row(`${options.style.steps[status]} ${text}`, options))
  const lines = linesOf(result)
  const diff = lines.findIndex((line) => /^@@ .* @@/.test(line))
  if (diff >= 0) return diffRows(lines.slice(diff), { ...options, most: diffLines })
  return typeof input['command'] === 'string' ? outputRows(withoutCode(lines), options) : []
}

/** A difference in colour, its beginning when it is long. */
function diffRows(lines: readonly string[], { width, style, most }: PreviewOptions & { readonly most: number }): readonly string[] {
  const shown = lines.length > most ? lines.slice(0, most - 1) : lines
  const rows = shown.map((line) => {
    const text = fitted(showControls(line.replaceAll('\t', '    ')), width - 4, style.ellipsis)
    return `    ${style.isRich ? painted([diffLine(text)]) : text}`
  })
  return shown.length === lines.length
    ? rows
    : [...rows, row(`${style.ellipsis} ${counted(lines.length - shown.length, 'more line')}, not shown`, { width, style })]
}

function outputRows(all: readonly string[], options: PreviewOptions): readonly string[] {
  const { lines, chars } = withoutGap(all)
  const leftOut = chars === 0 ? '' : `, and ${counted(chars, 'character')} that nobody kept`
  if (lines.length <= headLines + tailLines + 1) return lines.map((line) => row(line, options))
  const hidden = lines.length - headLines - tailLines
  return [
    ...lines.slice(0, headLines).map((line) => row(line, options)),
    row(`${options.style.ellipsis} ${counted(hidden, 'more line')}${leftOut}`, options),
    ...lines.slice(-tailLines).map((line) => row(line, options)),
  ]
}

const row = (line: string, { width, style }: PreviewOptions): string =>
  `    ${style.dim(fitted(showControls(line.replaceAll('\t', '    ')), Math.max(4, width - 4), style.ellipsis))}`

/** The output of a command without the line that says how it ended, which the row above says. */
const withoutCode = (lines: readonly string[]): readonly string[] => (lines[0]?.startsWith('exit_code: ') ? lines.slice(1) : lines)

/** The lines of an output whose middle may be missing, and how many characters that were. */
export function withoutGap(lines: readonly string[]): { readonly lines: readonly string[]; readonly chars: number } {
  const gap = /^\[… (\d+) characters left out …\]$/
  const at = lines.findIndex((line) => gap.test(line))
  return at < 0 ? { lines, chars: 0 } : { lines: lines.toSpliced(at, 1), chars: Number(gap.exec(lines[at]!)![1]) }
}

type Step = { readonly text: string; readonly status: 'pending' | 'in_progress' | 'done' }

/** The steps of a plan, when a tool has told one: `{ todo: [...] }`. */
function planOf(value: JsonValue | undefined): readonly Step[] | undefined {
  const todo = value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject)['todo'] : undefined
  if (!Array.isArray(todo)) return undefined
  const isStep = (item: JsonValue): boolean => {
    const { text, status } = (item ?? {}) as { readonly text?: unknown; readonly status?: unknown }
    return typeof text === 'string' && (status === 'pending' || status === 'in_progress' || status === 'done')
  }
  return todo.every(isStep) ? (todo as readonly Step[]) : undefined
}
