import type { Tool } from '../index.ts'
import type { Settings } from './config/load-settings.ts'

/** The tools that the settings leave. */
export function toolsChosen<T extends Pick<Tool, 'name'>>(tools: readonly T[], { values }: Pick<Settings, 'values'>): readonly T[] {
  const { 'tools.on': on, 'tools.off': off = [] } = values
  return tools.filter(
    ({ name }) => (on === undefined || on.some((pattern) => isLike(name, pattern))) && !off.some((pattern) => isLike(name, pattern)),
  )
}

/** `*` stands for any letters. */
function isLike(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return name === pattern
  const last = rest.pop()!
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found < 0 || found + piece.length > name.length - last.length) return false
    at = found + piece.length
  }
  return true
}
