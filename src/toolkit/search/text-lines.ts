import type { OpenedFile } from '../../host/file-system.ts'

/** Characters of one line that are kept; the rest of a longer one is not looked at. */
export const maxLineChars = 4 * 1024 * 1024
const chunkBytes = 256 * 1024

/**
 * The lines of an open file, some at a time, without their ends. UTF-8, and UTF-16 if a byte-order mark says so.
 *
 * @returns `false` at the first NUL: the file is binary.
 */
export async function* textLines(handle: OpenedFile, signal: AbortSignal): AsyncGenerator<readonly string[], boolean> {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  let decoder: TextDecoder | undefined
  let rest = ''
  for (let offset = 0; ;) {
    signal.throwIfAborted()
    const bytesRead = await handle.read(chunk, offset)
    offset += bytesRead
    const part = chunk.subarray(0, bytesRead)
    decoder ??= new TextDecoder(encodingOf(part))
    const text = decoder.decode(part, { stream: bytesRead > 0 })
    if (text.includes('\0')) return false
    const lines = (rest + text).split('\n')
    rest = lines.pop()!.slice(0, maxLineChars)
    if (bytesRead === 0 && rest !== '') lines.push(rest)
    if (lines.length > 0) yield lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    if (bytesRead === 0) return true
  }
}

const encodingOf = (start: Buffer): string =>
  start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8'
