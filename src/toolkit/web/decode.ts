import { decodeWindows } from './windows-1252.ts'

/** How far the beginning of a page is looked at for what it says of its characters, in bytes. */
const maxHead = 2048

/**
 * Bytes as text: by the byte-order mark, else as the header says, else as the page says itself. Where nobody says: UTF-8, or, for
 * what is none, Windows-1252, as old pages are.
 */
export function textOfBytes(bytes: Uint8Array, contentType: string): string {
  const marked = markOf(bytes)
  const named = marked ?? charsetIn(contentType) ?? charsetIn(Buffer.from(bytes.subarray(0, maxHead)).toString('latin1'))
  const decoder = named === undefined ? undefined : decoderFor(named)
  if (decoder) return decoder.encoding === 'windows-1252' ? decodeWindows(bytes) : decoder.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const wrong = new TextDecoder('utf-8').decode(bytes)
    // A few broken characters are a damaged page, or one that was cut, and not an old one.
    const broken = wrong.split('\ufffd').length - 1
    return broken <= 3 || broken * 1000 < wrong.length ? wrong : decodeWindows(bytes)
  }
}

function markOf([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined
}

/** `charset=…` of a header or a `meta`, `encoding="…"` of XML. */
const charsetIn = (text: string): string | undefined =>
  /(?:charset|<\?xml[^>]{0,100}encoding)\s*=\s*["']?\s*([\w.:-]{2,40})/i.exec(text)?.[1]

function decoderFor(name: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(name)
  } catch {
    return undefined
  }
}
