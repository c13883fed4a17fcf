import type { JsonObject, JsonValue, ToolResultBlock } from '../index.ts'
import { showControls } from './sanitise.ts'
import { clip, displayWidth } from './screen/width.ts'

/** The inputs that say best what a call is about, the first that is there. Any other tool shows its first text. */
const telling = ['command', 'path', 'pattern', 'query', 'url', 'task', 'prompt']

/** What a call does, in one line: the tool, what it is about, and the short rest of its input. */
export function titleOf(name: string, input: JsonObject): string {
  const about = telling.find((key) => typeof input[key] === 'string') ?? Object.keys(input).find((key) => typeof input[key] === 'string')
  const parts = [name]
  if (about !== undefined) parts.push((input[about] as string).trim())
  for (const [key, value] of Object.entries(input)) if (key !== about && isShort(value)) parts.push(`${key}=${String(value)}`)
  return showControls(parts.join(' '))
}

const isShort = (value: JsonValue | undefined): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= 30 && !value.includes('\n'))

export type CallEnd = { readonly ok: boolean; readonly text: string }

/** How a call ended, in one line: what it gave, or why not. */
export function endOf(result: ToolResultBlock): CallEnd {
  const lines = linesOf(result)
  if (result.status === 'error')
    return { ok: false, text: [wordFor(result), showControls(withoutName(lines[0] ?? ''))].filter((part) => part !== '').join(': ') }
  const media = result.content.filter(({ type }) => type === 'image' || type === 'document')
  const parts = [
    lines.length === 0
      ? ''
      : lines.length === 1 && lines[0]!.length <= 80
        ? showControls(lines[0]!.replaceAll('\t', ' ').trim())
        : counted(lines.length, 'line'),
    ...media.map(({ type }) => `1 ${type}`),
  ]
  return { ok: true, text: parts.filter((part) => part !== '').join(', ') || 'nothing to show' }
}

/** What a result says, line by line, without the empty ones at both ends. */
export function linesOf({ content }: ToolResultBlock): readonly string[] {
  const texts: string[] = []
  for (const block of content) {
    if (block.type === 'text') texts.push(block.text)
    else if (block.type === 'json') texts.push(JSON.stringify(block.value))
  }
  const text = texts.join('\n').trim()
  return text === '' ? [] : text.split(/\r\n|\r|\n/)
}

const words: Readonly<Record<string, string>> = {
  cancelled: 'cancelled',
  denied: 'denied',
  timeout: 'timed out',
  not_found: 'no such tool',
  invalid_input: 'wrong input',
}

export const wordFor = ({ code }: ToolResultBlock): string => words[code ?? ''] ?? 'failed'

/** Without what the row says already, and what its reader knows: they have answered themselves. */
const withoutName = (line: string): string =>
  line
    .replace(/^Error: /, '')
    .replace(/^The user did not allow this call of [\w-]+\.(?: They said: )?/, '')
    .trim()

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** At most `width` columns, with a sign where something is left out; never half a character. */
export function fitted(text: string, width: number, ellipsis: string): string {
  return displayWidth(text) <= width ? text : `${clip(text, Math.max(1, width - ellipsis.length))}${ellipsis}`
}
