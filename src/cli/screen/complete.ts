import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { showControls } from '../sanitise.ts'
import { lastWord } from './editor.ts'
import type { Completions } from './editor.ts'

const most = 200

export type CompletionSources = {
  /** The whole lines that a line may become: commands, and what belongs behind them. */
  readonly lines: (text: string) => readonly string[]
  readonly workspace: string
}

/** Lines as they may go on, and files behind `@` and in commands of the shell. */
export function completionsFor({ lines, workspace }: CompletionSources): Completions {
  return (text) => {
    const from = lastWord(text) ?? text.length
    const word = text.slice(from)
    if (word.startsWith('@')) return filesFor(word.slice(1), workspace).map((path) => `@${path}`)
    const before = text.slice(0, from)
    // Behind a command of the shell stand files, most likely.
    if (text.startsWith('!') && from > 0) return filesFor(word, workspace)
    return lines(text)
      .filter((line) => line.startsWith(before))
      .map((line) => line.slice(from))
  }
}

/** Paths that begin so, folders with `/` at their end. Hidden ones only when a dot was typed; none with a space, which would end the word. */
function filesFor(begun: string, workspace: string): readonly string[] {
  const folder = begun.slice(0, begun.lastIndexOf('/') + 1)
  const name = begun.slice(folder.length)
  try {
    return readdirSync(folder.startsWith('/') ? folder : join(workspace, folder), { withFileTypes: true })
      .filter((entry) => entry.name.startsWith(name) && (name.startsWith('.') || !entry.name.startsWith('.')))
      .filter((entry) => !/\s/.test(entry.name) && showControls(entry.name) === entry.name)
      .slice(0, most)
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .sort()
  } catch {
    return []
  }
}
