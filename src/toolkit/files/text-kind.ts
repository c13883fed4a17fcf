/** What the first bytes of a file say about it. */
export type FileKind =
  | { readonly type: 'text'; readonly bom: boolean }
  | { readonly type: 'foreign'; readonly encoding: string; readonly iconv: string }
  | { readonly type: 'binary'; readonly why: string }

/** As many bytes as are looked at. */
export const sampleBytes = 8192

/**
 * Tells UTF-8 text from text in other encodings and from binary data.
 *
 * @param sample the first `sampleBytes` of the file, or all of it.
 */
export function kindOfBytes(sample: Uint8Array): FileKind {
  const begins = (...bytes: readonly number[]): boolean => bytes.every((byte, index) => sample[index] === byte)
  // Before UTF-16: its mark begins with the same two bytes.
  if (begins(0xff, 0xfe, 0, 0) || begins(0, 0, 0xfe, 0xff)) return { type: 'foreign', encoding: 'UTF-32', iconv: 'UTF-32' }
  if (begins(0xff, 0xfe)) return { type: 'foreign', encoding: 'UTF-16 (little-endian)', iconv: 'UTF-16' }
  if (begins(0xfe, 0xff)) return { type: 'foreign', encoding: 'UTF-16 (big-endian)', iconv: 'UTF-16' }
  const nul = sample.indexOf(0)
  if (nul >= 0) return withoutMark(sample) ?? { type: 'binary', why: `a NUL byte at offset ${nul}` }
  const invalid = firstInvalid(sample)
  if (invalid === undefined) return { type: 'text', bom: begins(0xef, 0xbb, 0xbf) }
  if (begins(0x25, 0x50, 0x44, 0x46)) return { type: 'binary', why: 'a PDF document' }
  return looksWritten(sample)
    ? {
        type: 'foreign',
        encoding: `not UTF-8 (byte 0x${sample[invalid]!.toString(16)} at offset ${invalid}; perhaps Latin-1)`,
        iconv: 'ISO-8859-1',
      }
    : { type: 'binary', why: `bytes that are no UTF-8 at offset ${invalid}` }
}

/** UTF-16 of mostly western text has a NUL in nearly every second place, and only there. */
function withoutMark(sample: Uint8Array): FileKind | undefined {
  let even = 0
  let odd = 0
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0) i % 2 === 0 ? even++ : odd++
  const half = sample.length / 2
  if (half < 2) return undefined
  if (odd > half * 0.8 && even === 0)
    return { type: 'foreign', encoding: 'UTF-16 (little-endian, without a byte-order mark)', iconv: 'UTF-16LE' }
  if (even > half * 0.8 && odd === 0)
    return { type: 'foreign', encoding: 'UTF-16 (big-endian, without a byte-order mark)', iconv: 'UTF-16BE' }
  return undefined
}

/** Where the first byte stands that is no UTF-8. A character that the sample cuts at its end is none; a shorter file ends there itself. */
function firstInvalid(sample: Uint8Array): number | undefined {
  if (isUtf8(sample, sample.length >= sampleBytes)) return undefined
  // The longest beginning that may go on well, by halving: what stands before a valid beginning is one.
  let good = 0
  let bad = sample.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isUtf8(sample.subarray(0, middle), true)) good = middle
    else bad = middle
  }
  // It may end in the first bytes of a character that does not go on: that is where the damage begins.
  while (!isUtf8(sample.subarray(0, good), false)) good--
  return good
}

/** @param mayGoOn the bytes may end in the middle of a character. */
function isUtf8(bytes: Uint8Array, mayGoOn: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: mayGoOn })
    return true
  } catch {
    return false
  }
}

/** Text of some 8-bit encoding has hardly any control characters. */
function looksWritten(sample: Uint8Array): boolean {
  let controls = 0
  for (const byte of sample)
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c && byte !== 0x1b) controls++
  return controls * 100 < sample.length
}
