import type { FileHandle } from 'node:fs/promises'
import { pageOf } from './page.ts'
import type { ResultPage } from './result-store.ts'

const chunkBytes = 256 * 1024

/**
 * `length` characters of an open UTF-8 file from `from` on. The bytes before them must be read through, for they say where a
 * character stands, unless there are as many bytes as characters. What is kept in memory is the piece and one chunk.
 */
async function decode(handle: FileHandle, from: number, length: number, isAscii: boolean, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, isAscii ? Math.max(length, 1) : chunkBytes))
  let at = isAscii ? from : 0
  let bytes = at
  let text = ''
  while (text.length < length) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, bytes)
    bytes += bytesRead
    const part = decoder.decode(chunk.subarray(0, bytesRead), { stream: bytesRead > 0 })
    text += part.slice(Math.max(0, from - at), Math.max(0, from - at) + length - text.length)
    at += part.length
    if (bytesRead === 0) break
  }
  return text
}

/** A page of the file, as `pageOf` gives it of a text. */
export async function readPage(
  handle: FileHandle,
  { offset, limit, chars, bytes, signal }: { offset: number; limit: number; chars: number; bytes: number; signal: AbortSignal },
): Promise<ResultPage> {
  // One more on each side: the other halves of what may be cut there.
  const before = offset > 0 && offset < chars ? 1 : 0
  const from = Math.min(offset, chars) - before
  const read = await decode(handle, from, Math.min(limit, chars) + before + 1, chars === bytes, signal)
  const page = pageOf(read, before, limit)
  return { text: page.text, offset: from + page.offset, chars }
}
