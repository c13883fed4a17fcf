import { appendFileSync, chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** What was typed before. */
export interface History {
  /** Oldest first. */
  entries(): readonly string[]
  add(text: string): void
}

/** How many are kept. */
const most = 1000
/** A text longer than this was pasted, and is not typed again. */
const longest = 10_000
const largestFile = 8 * 1024 * 1024

/** Of this process alone. */
export function memoryHistory(): History {
  const entries: string[] = []
  return {
    entries: () => entries,
    add: (text) => void addTo(entries, text),
  }
}

/**
 * Kept in a file of the user, for all folders: one JSON text a line, readable by nobody else. What begins with a space is not kept,
 * as in shells. Several processes may add to it. Without a file that can be used, what is typed is known to this process alone:
 * a history is no reason to fail.
 */
export function fileHistory(path: string): History {
  let entries: string[] | undefined
  const load = (): string[] => (entries ??= read(path))
  return {
    entries: load,
    add(text) {
      if (!addTo(load(), text)) return
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
        if (!isPlain(path)) return
        appendFileSync(path, `${JSON.stringify(text)}\n`, { mode: 0o600 })
        chmodSync(path, 0o600)
      } catch {
        // A disk that is full, a home that is read-only.
      }
    },
  }
}

function addTo(entries: string[], text: string): boolean {
  if (text.startsWith(' ') || text.trim() === '' || text.length > longest || entries.at(-1) === text) return false
  entries.push(text)
  if (entries.length > most) entries.shift()
  return true
}

function read(path: string): string[] {
  try {
    if (!isPlain(path) || lstatSync(path).size > largestFile) return []
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
    const entries = lines.flatMap(parsed)
    if (lines.length > most * 2) shorten(path, entries.slice(-most))
    return entries.slice(-most)
  } catch {
    return []
  }
}

/** No link and no pipe: it is written to. A file that is not there yet will do. */
function isPlain(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats === undefined || stats.isFile()
}

/** A line that another process has cut short is left out. */
function parsed(line: string): string[] {
  try {
    const text: unknown = JSON.parse(line)
    return typeof text === 'string' ? [text] : []
  } catch {
    return []
  }
}

function shorten(path: string, entries: readonly string[]): void {
  const other = `${path}.${process.pid}`
  writeFileSync(other, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600, flag: 'wx' })
  renameSync(other, path)
}
