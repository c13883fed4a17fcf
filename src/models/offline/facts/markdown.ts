import { code, plural, shortened } from '../language/english.ts'
import { countsOf } from './plain-text.ts'

export type Heading = { readonly level: number; readonly text: string }

/** The headings of a Markdown text; what looks like one in fenced code is none. */
export function headingsOf(text: string): readonly Heading[] {
  const headings: Heading[] = []
  let fence: string | undefined
  let previous = ''
  for (const line of text.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
    } else if (mark !== undefined) fence = mark
    else {
      const heading = /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line)
      if (heading) headings.push({ level: heading[1]!.length, text: heading[2]! })
      else if (/^=+\s*$/.test(line) && previous.trim() !== '') headings.push({ level: 1, text: previous.trim() })
    }
    previous = fence === undefined ? line : ''
  }
  return headings
}

/** The first paragraph that is neither heading, list, badge, table nor code. */
export function leadOf(text: string): string | undefined {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '').replaceAll(/<!--[\s\S]*?-->/g, '')
  let inFence = false
  for (const block of body.split(/\n\s*\n/)) {
    const fences = (block.match(/^ {0,3}(?:```|~~~)/gm) ?? []).length
    const closed = inFence
    if (fences % 2 === 1) inFence = !inFence
    if (closed || fences > 0) continue
    const lines = block
      .split('\n')
      .filter((line) => !/^\s*(?:#|=+\s*$|-+\s*$|[-*+>|]\s|\||\d+[.)]\s|!\[|\[!\[|<|\[[^\]]+\]:)/.test(line) && line.trim() !== '')
    // A line that "===" underlines is a heading.
    if (lines.length > 0 && !/\n=+\s*$/.test(block)) return lines.join(' ').trim()
  }
  return undefined
}

export function describeMarkdown(path: string, text: string): string {
  const { lines, words } = countsOf(text)
  const headings = headingsOf(text)
  const lead = leadOf(text)
  const said = [
    `${code(path)} is Markdown with ${plural(lines, 'line')} and ${plural(words, 'word')}${headings.length === 0 ? ', and no headings' : `, under ${plural(headings.length, 'heading')}`}.`,
  ]
  if (lead !== undefined) said.push(`It begins: “${shortened(lead, 400)}”`)
  if (headings.length > 0) {
    const top = Math.min(...headings.map(({ level }) => level))
    const shown = headings.slice(0, 30).map(({ level, text: heading }) => `${'  '.repeat(Math.min(level - top, 4))}- ${heading}`)
    if (headings.length > shown.length) shown.push(`- and ${headings.length - shown.length} more`)
    said.push(`Its headings:\n\n${shown.join('\n')}`)
  }
  return said.join('\n\n')
}
