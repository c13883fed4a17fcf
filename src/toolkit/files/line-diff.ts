import { headOf } from '../../util/text.ts'
import { shortestEdit } from './shortest-edit.ts'

/** What becomes of one line: kept, taken away, added. Numbers count from 1. */
type Step = { readonly kind: ' ' | '-' | '+'; readonly text: string; readonly oldLine: number; readonly newLine: number }

const context = 3
const maxLines = 80
const maxLineChars = 200
/** Cells of the table below; above it only what differs little is compared, and the rest shown as replaced as a whole. */
const maxCells = 4_000_000

/**
 * What changed between two texts, in the unified form, bounded: at most 80 lines of 200 characters, the rest is counted. Empty
 * when nothing changed.
 */
export function lineDiff(before: string, after: string): string {
  const steps = stepsOf(splitLines(before), splitLines(after))
  const shown: string[] = []
  let hidden = 0
  for (const hunk of hunksOf(steps)) {
    for (const line of [headerOf(hunk), ...hunk.map(lineOf)]) {
      if (shown.length < maxLines) shown.push(line)
      else if (line[0] !== ' ' && line[0] !== '@') hidden++
    }
  }
  if (hidden > 0) shown.push(`[${hidden} more changed lines are not shown.]`)
  return shown.join('\n')
}

/** The end of the last line is no line of its own. */
export function splitLines(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function stepsOf(before: readonly string[], after: readonly string[]): readonly Step[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  // All but a few lines around the change are left out: they are not shown.
  const from = Math.max(0, start - context)
  const steps: Step[] = []
  let oldLine = from
  let newLine = from
  const step = (kind: Step['kind']): void => {
    if (kind !== '+') oldLine++
    if (kind !== '-') newLine++
    steps.push({ kind, text: kind === '-' ? before[oldLine - 1]! : after[newLine - 1]!, oldLine, newLine })
  }
  for (let i = from; i < start; i++) step(' ')
  for (const kind of changes(before.slice(start, before.length - end), after.slice(start, after.length - end))) step(kind)
  for (let i = 0; i < Math.min(end, context); i++) step(' ')
  return steps
}

/** The shortest way from one list to the other, by their longest common subsequence. */
function changes(before: readonly string[], after: readonly string[]): readonly Step['kind'][] {
  const [rows, columns] = [before.length, after.length]
  if ((rows + 1) * (columns + 1) > maxCells)
    return shortestEdit(before, after) ?? [...Array<'-'>(rows).fill('-'), ...Array<'+'>(columns).fill('+')]
  const width = columns + 1
  const common = new Uint32Array((rows + 1) * width)
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      common[i * width + j] =
        before[i] === after[j] ? common[(i + 1) * width + j + 1]! + 1 : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
    }
  }
  const kinds: Step['kind'][] = []
  for (let i = 0, j = 0; i < rows || j < columns;) {
    if (i < rows && j < columns && before[i] === after[j]) {
      kinds.push(' ')
      i++
      j++
    } else if (j >= columns || (i < rows && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      kinds.push('-')
      i++
    } else {
      kinds.push('+')
      j++
    }
  }
  return kinds
}

/** Changes that stand close together, with the lines around them. */
function hunksOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const hunks: Step[][] = []
  let takenTo = 0
  steps.forEach(({ kind }, index) => {
    if (kind === ' ') return
    const from = Math.max(takenTo, index - context)
    const to = Math.min(steps.length, index + context + 1)
    const isNear = hunks.length > 0 && from <= takenTo
    if (isNear) hunks.at(-1)!.push(...steps.slice(takenTo, to))
    else hunks.push(steps.slice(from, to))
    takenTo = to
  })
  return hunks
}

function headerOf(hunk: readonly Step[]): string {
  const first = hunk[0]!
  const span = (line: number, skipped: Step['kind']): string => {
    const count = hunk.filter(({ kind }) => kind !== skipped).length
    // `line` is already the first step's own, unless that step is on the other side only.
    return `${first.kind === skipped && count > 0 ? line + 1 : line},${count}`
  }
  return `@@ -${span(first.oldLine, '+')} +${span(first.newLine, '-')} @@`
}

function lineOf({ kind, text }: Step): string {
  const visible = text.endsWith('\r') ? `${text.slice(0, -1)}\\r` : text
  return kind + (visible.length > maxLineChars ? `${headOf(visible, maxLineChars)}…` : visible)
}
