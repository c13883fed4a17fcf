export type ImageKind = { readonly mediaType: string; readonly width: number; readonly height: number }

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

const readers: readonly {
  readonly mediaType: string
  readonly is: (bytes: Buffer) => boolean
  readonly size: (bytes: Buffer) => readonly [number, number] | undefined
}[] = [
  { mediaType: 'image/png', is: (bytes) => ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n', size: pngSize },
  { mediaType: 'image/gif', is: (bytes) => /^GIF8[79]a$/.test(ascii(bytes, 0, 6)), size: gifSize },
  { mediaType: 'image/jpeg', is: (bytes) => ascii(bytes, 0, 3) === '\xff\xd8\xff', size: jpegSize },
  { mediaType: 'image/webp', is: (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP', size: webpSize },
]

/** The media type of an image that models take, by its first bytes; a name says nothing sure. */
export function imageTypeOf(bytes: Buffer): string | undefined {
  return readers.find(({ is }) => is(bytes))?.mediaType
}

/**
 * What a whole image is. `undefined` when it is cut or broken: a provider refuses such an image, and then every later request
 * of the conversation too.
 */
export function imageKindOf(bytes: Buffer): ImageKind | undefined {
  const reader = readers.find(({ is }) => is(bytes))
  const size = reader && orNothing(() => reader.size(bytes))
  return reader && size && size[0] > 0 && size[1] > 0 ? { mediaType: reader.mediaType, width: size[0], height: size[1] } : undefined
}

/** Reading past the end of a buffer throws, and means the same: the image is cut. */
function orNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function pngSize(bytes: Buffer): readonly [number, number] | undefined {
  if (ascii(bytes, 12, 16) !== 'IHDR' || bytes.lastIndexOf('IEND', undefined, 'latin1') < 0) return undefined
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

function gifSize(bytes: Buffer): readonly [number, number] | undefined {
  return bytes.lastIndexOf(0x3b) > 12 ? [bytes.readUInt16LE(6), bytes.readUInt16LE(8)] : undefined
}

/** The size stands in the first frame header; segments before it are stepped over. */
function jpegSize(bytes: Buffer): readonly [number, number] | undefined {
  if (bytes.lastIndexOf('\xff\xd9', undefined, 'latin1') < 0) return undefined
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
    // A marker may be preceded by any number of fill bytes.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
}

function webpSize(bytes: Buffer): readonly [number, number] | undefined {
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return undefined
  switch (ascii(bytes, 12, 16)) {
    case 'VP8X':
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1]
    }
    case 'VP8 ':
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
    default:
      return undefined
  }
}
