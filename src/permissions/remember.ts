import { relative, sep } from 'node:path'
import type { Touched } from './match.ts'
import { escaped } from './glob.ts'
import { isInside } from '../host/paths.ts'
import type { Rule } from './rules.ts'

/** Commands of one line that are remembered at once. */
const maxCommands = 5

/**
 * The rules that `always` stands for: the very commands, file or host, and never more. None where the call cannot be named as narrowly;
 * a tool whose input names nothing is allowed as a whole.
 */
export function rulesFor(tool: string, { access, paths, ground: { workspace } }: Touched): readonly Rule[] {
  const allow = (pattern?: string): Rule => ({ decision: 'allow', tool, ...(pattern !== undefined && { pattern }) })
  if (access.isOpaque) return []
  if (access.commands) {
    const isNarrow = access.commands.every(({ isOpen, text }) => !isOpen && text.length <= 500) && !paths.some(({ writes }) => writes)
    const texts = [...new Set(access.commands.map(({ text }) => text))]
    return isNarrow && texts.length <= maxCommands ? texts.map((text) => allow(escaped(text))) : []
  }
  if (paths.length > 0) {
    const ends = paths.flatMap(({ located }) => (located ? [located.entry, located.end] : []))
    if (ends.some((end) => !isInside(workspace, end) || end === workspace)) return []
    return [...new Set(ends)].map((end) => allow(escaped(relative(workspace, end).split(sep).join('/'))))
  }
  if (access.url !== undefined) {
    try {
      const { protocol, host, username } = new URL(access.url)
      return host === '' || username !== '' ? [] : [allow(`${protocol}//${escaped(host)}/*`)]
    } catch {
      return []
    }
  }
  return [allow()]
}
