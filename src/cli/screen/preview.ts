import type { JsonObject, JsonValue, ToolResultBlock } from '../../index.ts'
import { showControls } from '../sanitise.ts'
import type { Style } from '../style.ts'
import { counted, fitted, linesOf } from '../tool-line.ts'
import { diffLine } from './markdown/highlight.ts'
import type { SeenChanges } from './seen-changes.ts'
import { painted } from './span.ts'

export type PreviewOptions = {
  readonly width: number
  readonly style: Style
  /** What was shown before the call ran. */
  readonly seen?: SeenChanges | undefined
}

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
  const diff = differenceIn(lines)
  if (diff) return options.seen?.has(input, diff) ? [] : diffRows(diff, { ...options, most: diffLines })
  return typeof input['command'] === 'string' ? outputRows(withoutCode(lines), options) : []
}

/** The lines of the difference that a result ends with. */
function differenceIn(lines: readonly string[]): readonly string[] | undefined {
  const at = lines.findIndex((line) => /^@@ .* @@/.test(line))
  return at < 0 ? undefined : lines.slice(at)
}

/** How much a call has changed in a file, when its result shows it: `+3 -1`. */
export function changesIn(lines: readonly string[]): string | undefined {
  const diff = differenceIn(lines)
  if (!diff) return undefined
  const count = (sign: string): number => diff.filter((line) => line.startsWith(sign)).length
  const more = Number(/^\[(\d+) more changed lines are not shown\.\]$/.exec(diff.at(-1)!)?.[1] ?? 0)
  return more === 0 ? `+${count('+')} -${count('-')}` : counted(count('+') + count('-') + more, 'changed line')
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
  const { lines, chars, path } = withoutGap(all)
  const leftOut = chars === 0 ? '' : `, and ${counted(chars, 'character')}${path === undefined ? ' that nobody kept' : ''}`
  // Whole, though the window may be narrower: whoever wants it copies it.
  const kept = path === undefined ? [] : [`    ${options.style.dim(`the whole output: ${showControls(path)}`)}`]
  if (lines.length <= headLines + tailLines + 1) return [...lines.map((line) => row(line, options)), ...kept]
  const hidden = lines.length - headLines - tailLines
  return [
    ...lines.slice(0, headLines).map((line) => row(line, options)),
    row(`${options.style.ellipsis} ${counted(hidden, 'more line')}${leftOut}`, options),
    ...lines.slice(-tailLines).map((line) => row(line, options)),
    ...kept,
  ]
}

const row = (line: string, { width, style }: PreviewOptions): string =>
  `    ${style.dim(fitted(showControls(line.replaceAll('\t', '    ')), Math.max(4, width - 4), style.ellipsis))}`

/** The output of a command without the line that says how it ended, which the row above says. */
const withoutCode = (lines: readonly string[]): readonly string[] => (lines[0]?.startsWith('exit_code: ') ? lines.slice(1) : lines)

export type ShownOutput = {
  readonly lines: readonly string[]
  /** Characters that are missing in the middle. */
  readonly chars: number
  /** Where all of it is kept. */
  readonly path: string | undefined
}

/** The lines of an output without what was written into it for the model: how much is missing in its middle, and where that is. */
export function withoutGap(all: readonly string[]): ShownOutput {
  const gap = /^\[… (\d+) characters left out …\]$/
  const at = all.findIndex((line) => gap.test(line))
  if (at < 0) return { lines: all, chars: 0, path: undefined }
  const place = /^\[The output is kept: <persisted-output path="([^"]+)">\. .*\]$/
  // The text of a command could say the same: what was added stands behind it.
  const placeAt = all.findLastIndex((line) => place.test(line))
  const lines = all.filter((_, index) => index !== at && (index !== placeAt || placeAt < at))
  return { lines, chars: Number(gap.exec(all[at]!)![1]), path: placeAt > at ? place.exec(all[placeAt]!)![1] : undefined }
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
