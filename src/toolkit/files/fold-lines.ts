import type { OpenedFile } from '../../host/file-system.ts'
import { headOf } from '../../util/text.ts'

export type FoldWindow = {
  /** Number of the first row wanted; the first is 1. */
  readonly from: number
  readonly limit: number
  /** Characters of a row. */
  readonly width: number
  /** Of all rows together, their numbers included. */
  readonly maxChars: number
}

export type Rows = {
  readonly rows: readonly { readonly number: number; readonly text: string }[]
  readonly total: number
  /** Is any line of the file longer than a row? */
  readonly isFolded: boolean
}

const chunkBytes = 256 * 1024

/**
 * Some rows of an open UTF-8 file: its lines, those longer than `width` folded into several, so that all of it can be reached
 * by row numbers. What is kept in memory is the wanted rows and one chunk.
 */
export async function foldLines(handle: OpenedFile, window: FoldWindow, signal: AbortSignal): Promise<Rows> {
  const { from, limit, width, maxChars } = window
  const rows: { number: number; text: string }[] = []
  let total = 0
  let chars = 0
  let full = false
  let isFolded = false
  const add = (text: string): void => {
    total++
    if (full || total < from) return
    const cost = text.length + String(total).length + 2
    full = rows.length > 0 && chars + cost > maxChars
    if (full) return
    chars += cost
    full = rows.push({ number: total, text: text.replaceAll('\0', '\ufffd') }) >= limit
  }
  /** Rows of a line but for its last; where that begins. */
  const fold = (text: string, begin: number, end: number): number => {
    let at = begin
    while (end - at > width) {
      const row = headOf(text.slice(at, at + width + 1), width)
      add(row)
      at += row.length
      isFolded = true
    }
    return at
  }

  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const chunk = Buffer.allocUnsafe(chunkBytes)
  let rest = ''
  for (let bytes = 0; ;) {
    signal.throwIfAborted()
    const bytesRead = await handle.read(chunk, bytes)
    bytes += bytesRead
    rest += decoder.decode(chunk.subarray(0, bytesRead), { stream: bytesRead > 0 })
    let at = 0
    for (let end = rest.indexOf('\n', at); end >= 0; end = rest.indexOf('\n', at)) {
      at = fold(rest, at, end)
      add(rest.slice(at, rest[end - 1] === '\r' && end > at ? end - 1 : end))
      at = end + 1
    }
    // A whole row is held back: its line may end with it.
    rest = rest.slice(fold(rest, at, rest.length))
    if (bytesRead === 0) break
  }
  if (rest !== '') add(rest)
  return { rows, total, isFolded }
}
