import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Duplex } from 'node:stream'
import { onAbort, reasonOf } from '../../util/abort.ts'

export type Body = {
  readonly bytes: Uint8Array
  /** There was more than was wanted. */
  readonly isCut: boolean
}

/** What is asked for in `accept-encoding`, and understood. */
export const codings = 'gzip, br'

/**
 * Reads an answer up to a number of bytes, counted as they come out of its compression: a few kilobytes can be made to expand to
 * gigabytes. What is sent is held to the same number, for a stream may also expand to nothing, for ever.
 *
 * @throws {Error} when it ends too early, or its compression is broken or of a kind that nobody asked for.
 */
export async function readBody(message: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Body> {
  const off = onAbort(signal, () => message.destroy(reasonOf(signal)))
  const pieces: Uint8Array[] = []
  let length = 0
  let sent = 0
  let isCut = false
  const limited = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of message as AsyncIterable<Uint8Array>) {
      sent += piece.length
      isCut ||= sent > maxBytes
      yield piece
      if (isCut) return
    }
  }
  try {
    const decoder = await decoderFor(message)
    for await (const piece of decoder ? await through(limited(), decoder) : limited()) {
      pieces.push(piece.subarray(0, maxBytes - length))
      length += piece.length
      isCut ||= length > maxBytes
      if (length > maxBytes) break
    }
  } catch (error) {
    if (signal.aborted) throw reasonOf(signal)
    // A compressed answer that was cut has no proper end.
    if (!isCut) throw error
  } finally {
    off()
    message.destroy()
  }
  return { bytes: Buffer.concat(pieces), isCut }
}

async function decoderFor({ headers }: IncomingMessage): Promise<Duplex | undefined> {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return undefined
  const zlib = await import('node:zlib')
  if (coding === 'br') return zlib.createBrotliDecompress()
  if (/^(x-)?gzip$|^deflate$/.test(coding)) return zlib.createUnzip()
  throw new Error(`The answer is compressed by ${JSON.stringify(coding)}, which was not asked for and is not understood.`)
}

async function through(source: AsyncIterable<Uint8Array>, decoder: Duplex): Promise<AsyncIterable<Uint8Array>> {
  const { pipeline } = await import('node:stream')
  // An error of either shows where the decoder is read.
  pipeline(Readable.from(source), decoder, () => {})
  return decoder as AsyncIterable<Uint8Array>
}
