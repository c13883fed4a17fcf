import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { JsonObject } from '../../index.ts'

/** What a call would change in a file. */
export type Change = {
  readonly path: string
  /** `new file`, `+3 -1`, or why there is no difference to be shown. */
  readonly summary: string
  /** Of a unified difference, without its header. */
  readonly lines: readonly string[]
}

/** Of larger files no difference is shown. */
const maxBytes = 2 * 1024 * 1024
/** Two texts that have little in common take long to compare, and their difference tells nobody anything. */
const bounds = { context: 3, timeout: 500, maxEditLength: 5000 } as const

/**
 * The difference that `write_file` or `edit_file` would make; nothing for other tools, and for what cannot be compared. It only looks:
 * whether the tool will take the file is its own decision, made when it runs.
 */
export async function changeOf(tool: string, input: JsonObject, workspace: string): Promise<Change | undefined> {
  const { path, content } = input
  if (typeof path !== 'string') return undefined
  const edits = tool === 'edit_file' ? editsOf(input) : undefined
  if (!edits && !(tool === 'write_file' && typeof content === 'string')) return undefined
  const old = await textOf(resolve(workspace, path))
  if (old === undefined)
    return edits ? await differenceOf(path, edits.map((edit) => edit.old).join('\n'), edits.map((edit) => edit.new).join('\n')) : undefined
  if (!edits) return await differenceOf(path, old === 'missing' ? '' : old.text, content as string, old === 'missing')
  if (old === 'missing') return undefined
  const changed = applied(old.text, edits)
  if (changed !== undefined) return await differenceOf(path, old.text, changed)
  // Where the old text does not stand exactly once the tool finds out what is meant. What it is to become can be shown all the same.
  return await differenceOf(path, edits.map((edit) => edit.old).join('\n'), edits.map((edit) => edit.new).join('\n'))
}

type Edit = { readonly old: string; readonly new: string; readonly all: boolean }

function editsOf({ old, new: text, all, edits }: JsonObject): readonly Edit[] | undefined {
  const given = Array.isArray(edits) ? edits : [{ old: old ?? null, new: text ?? null, all: all ?? false }]
  const found = given.flatMap((edit) => {
    const { old, new: text, all } = (edit ?? {}) as JsonObject
    return typeof old === 'string' && typeof text === 'string' && old !== ''
      ? [{ old: plain(old), new: plain(text), all: all === true }]
      : []
  })
  return found.length === given.length && found.length > 0 ? found : undefined
}

/** The text with all edits, each found in it as it was; nothing when one is not there exactly once, or two overlap. */
function applied(text: string, edits: readonly Edit[]): string | undefined {
  const places: { readonly from: number; readonly to: number; readonly text: string }[] = []
  for (const edit of edits) {
    let from = text.indexOf(edit.old)
    if (from < 0 || (!edit.all && text.includes(edit.old, from + 1))) return undefined
    for (; from >= 0; from = edit.all ? text.indexOf(edit.old, from + edit.old.length) : -1)
      places.push({ from, to: from + edit.old.length, text: edit.new })
  }
  places.sort((a, b) => a.from - b.from)
  let changed = ''
  let at = 0
  for (const place of places) {
    if (place.from < at) return undefined
    changed += text.slice(at, place.from) + place.text
    at = place.to
  }
  return changed + text.slice(at)
}

async function differenceOf(path: string, before: string, after: string, isNew = false): Promise<Change> {
  const { structuredPatch } = await import('diff')
  const patch = structuredPatch('', '', plain(before), plain(after), undefined, undefined, bounds)
  if (!patch) return { path, summary: 'changed nearly everywhere: too much to be compared', lines: [] }
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ])
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length
  if (isNew) return { path, summary: `new file, ${count('+')} line${count('+') === 1 ? '' : 's'}`, lines: lines.slice(1) }
  return { path, summary: lines.length === 0 ? 'no change' : `+${count('+')} -${count('-')}`, lines }
}

/** A text file of a size that can be compared. Opened so that a pipe does not keep it waiting. */
async function textOf(path: string): Promise<{ readonly text: string } | 'missing' | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stats = await handle.stat()
      if (!stats.isFile() || stats.size > maxBytes) return undefined
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(stats.size), 0, stats.size, 0)
      const text = new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead))
      return text.includes('\0') ? undefined : { text: plain(text) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : undefined
  }
}

const plain = (text: string): string => text.replaceAll('\r\n', '\n')
