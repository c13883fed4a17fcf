import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { reasonOf } from '../../util/abort.ts'

/** Pieces grow, in bytes: a list of sessions wants a line of each alone. */
const firstPiece = 1 << 12
const largestPiece = 1 << 20

/** A line, where the one behind it begins, and whether it has an end. */
export type RawLine = { readonly text: string; readonly start: number; readonly next: number; readonly ended: boolean }

/** The lines of a file from a byte on, in pieces: a long session is not read whole before the first line is there. */
export async function* readLines(path: string, from: number, signal: AbortSignal): AsyncGenerator<RawLine> {
  const handle = await openForReading(path)
  if (!handle) return
  try {
    // Shorter than what was read already: it is another file now.
    const { size } = await handle.stat()
    let start = from > size ? 0 : from
    let position = start
    let pieces: Buffer[] = []
    for (let pieceSize = firstPiece; ; pieceSize = Math.min(pieceSize * 4, largestPiece)) {
      if (signal.aborted) throw reasonOf(signal)
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceSize), 0, pieceSize, position)
      if (bytesRead === 0) break
      position += bytesRead
      let piece = buffer.subarray(0, bytesRead)
      for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10)) {
        const line = Buffer.concat([...pieces, piece.subarray(0, end)])
        const next = start + line.length + 1
        yield { text: line.toString(), start, next, ended: true }
        start = next
        pieces = []
        piece = piece.subarray(end + 1)
      }
      if (piece.length > 0) pieces.push(piece)
    }
    const rest = Buffer.concat(pieces)
    if (rest.length > 0) yield { text: rest.toString(), start, next: start + rest.length, ended: false }
  } finally {
    await handle.close()
  }
}

async function openForReading(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
