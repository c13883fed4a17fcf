import type { OpenedFile } from '../../host/file-system.ts'
import { headOf } from '../../util/text.ts'
import type { FileVersion } from './file-log.ts'

export type LineWindow = {
  /** Number of the first line wanted; the first of a file is 1. */
  readonly from: number
  readonly limit: number
  readonly maxLineChars: number
  /** Of all lines together, their numbers included. */
  readonly maxChars: number
}

export type LinesRead = {
  readonly lines: readonly Line[]
  /** Lines of the whole file; `undefined` when it is too large to count to its end. */
  readonly total: number | undefined
  /** Lines that were counted, all or not. */
  readonly counted: number
  readonly crlf: number
  readonly lf: number
  readonly endsWithNewline: boolean
  /** Of all bytes; only where all were read and they are not too many. */
  readonly hash: string | undefined
}

export type Line = {
  readonly number: number
  readonly text: string
  /** Bytes of the whole line, when `text` is only its beginning. */
  readonly cutFrom?: number | undefined
  /** It holds bytes that are no text, shown as U+FFFD. */
  readonly isDamaged: boolean
}

const chunkBytes = 256 * 1024
/** Beyond this a file is identified by size and time alone. */
const maxHashedBytes = 64 * 1024 * 1024
/** Once the wanted lines are there, the rest is counted up to here. */
const maxCountedBytes = 1024 * 1024 * 1024

const newline = 0x0a
const carriageReturn = 0x0d

/**
 * Reads some lines of an open file, and counts the others. What is kept in memory is the wanted lines, each up to its limit, and
 * one chunk, however large the file or a line is.
 */
export async function readLines(handle: OpenedFile, size: bigint, window: LineWindow, signal: AbortSignal): Promise<LinesRead> {
  const hash = size <= maxHashedBytes ? await sha256() : undefined
  const collector = collect(window)
  const chunk = Buffer.allocUnsafe(chunkBytes)
  let bytes = 0
  for (;;) {
    signal.throwIfAborted()
    const bytesRead = await handle.read(chunk, bytes)
    if (bytesRead === 0) return collector.end(hash && bytes <= maxHashedBytes ? hash.digest('hex') : undefined)
    const part = chunk.subarray(0, bytesRead)
    hash?.update(part)
    collector.take(part, bytes === 0)
    bytes += bytesRead
    if (collector.isFull() && bytes > maxCountedBytes) return collector.stop()
  }
}

function collect({ from, limit, maxLineChars, maxChars }: LineWindow) {
  const lines: Line[] = []
  // UTF-8 has at most three bytes for one UTF-16 unit.
  const maxKept = maxLineChars * 3 + 4
  let number = 1
  let chars = 0
  let full = false
  let crlf = 0
  let lf = 0
  /** The line under way: its first bytes if it is wanted, its length so far, and the byte before the chunk. */
  let kept: Buffer[] = []
  let keptBytes = 0
  let length = 0
  let last = -1

  const isWanted = (): boolean => !full && number >= from
  const add = (part: Buffer): void => {
    length += part.length
    if (!isWanted() || keptBytes >= maxKept) return
    const copy = Buffer.from(part.subarray(0, maxKept - keptBytes))
    kept.push(copy)
    keptBytes += copy.length
  }
  const finish = (): void => {
    if (isWanted()) {
      const line = lineOf(number, Buffer.concat(kept), length, maxLineChars)
      const cost = line.text.length + String(number).length + 2
      if (lines.length > 0 && chars + cost > maxChars) full = true
      else {
        chars += cost
        full = lines.push(line) >= limit
      }
    }
    number++
    kept = []
    keptBytes = length = 0
  }
  const result = (rest: Pick<LinesRead, 'total' | 'endsWithNewline' | 'hash'>): LinesRead => ({
    lines,
    counted: number - 1,
    crlf,
    lf,
    ...rest,
  })

  return {
    isFull: () => full,
    take(part: Buffer, isFirst: boolean): void {
      let at = isFirst && part[0] === 0xef && part[1] === 0xbb && part[2] === 0xbf ? 3 : 0
      for (let end = part.indexOf(newline, at); end >= 0; end = part.indexOf(newline, at)) {
        if ((end > 0 ? part[end - 1] : last) === carriageReturn) crlf++
        else lf++
        add(part.subarray(at, end))
        finish()
        at = end + 1
      }
      add(part.subarray(at))
      last = part[part.length - 1]!
    },
    end(hash: string | undefined): LinesRead {
      const endsWithNewline = last === newline
      if (length > 0) finish()
      return result({ total: number - 1, endsWithNewline, hash })
    },
    stop: (): LinesRead => result({ total: undefined, endsWithNewline: true, hash: undefined }),
  }
}

/** A line without its end, from its first bytes. */
function lineOf(number: number, bytes: Buffer, length: number, maxChars: number): Line {
  const isWhole = bytes.length === length
  const hasReturn = isWhole && bytes[length - 1] === carriageReturn
  // `stream` drops a character that is cut at the end of the bytes; in a whole line such a character is damage.
  const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(hasReturn ? bytes.subarray(0, -1) : bytes, { stream: !isWhole })
  const text = decoded.replaceAll('\0', '\ufffd')
  const shown = headOf(text, maxChars)
  const isDamaged = shown.includes('\ufffd') && !bytes.includes('\ufffd')
  return isWhole && shown.length === text.length ? { number, text: shown, isDamaged } : { number, text: shown, cutFrom: length, isDamaged }
}

/** Loaded when it is needed: a terminal agent starts without it. */
const sha256 = async () => (await import('node:crypto')).createHash('sha256')

/** What identifies the present state of an open file. */
export async function versionOf(
  handle: OpenedFile,
  stats: { readonly size: bigint; readonly mtimeNs: bigint },
  signal: AbortSignal,
): Promise<FileVersion> {
  const { size, mtimeNs } = stats
  if (size > maxHashedBytes) return { size, mtimeNs }
  const { hash } = await readLines(handle, size, { from: Infinity, limit: 1, maxLineChars: 1, maxChars: 1 }, signal)
  return { size, mtimeNs, hash }
}

/** The same of bytes at hand. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  return (await sha256()).update(bytes).digest('hex')
}
