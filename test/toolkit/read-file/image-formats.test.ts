import { describe, expect, test } from 'vitest'
import { readFile } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

async function sizeOf(file: Uint8Array): Promise<string> {
  const workspace = await workspaceWith({ a: file })
  const [said] = (await readFile({ workspace })({ path: 'a' })) as readonly { readonly text: string }[]
  return said!.text
}

async function refusalOf(file: Uint8Array): Promise<string> {
  const workspace = await workspaceWith({ a: file })
  return await failureOf(readFile({ workspace })({ path: 'a' }))
}

/** A file of RIFF chunks: the length in its head is that of what follows. */
function webp(kind: string, data: readonly number[]): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(12 + data.length)
  return Buffer.concat([latin('RIFF'), size, latin('WEBP'), latin(kind), Buffer.from([data.length, 0, 0, 0]), Buffer.from(data)])
}

describe('WebP', () => {
  test('with loss: 14 bits a side, above them the scaling', async () => {
    const file = webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0x2c, 0x41, 0xc8, 0x80])
    expect(await sizeOf(file)).toBe('a: image/webp, 300 x 200 pixels, 30 bytes')
  })

  test('without loss: 14 bits a side, less one, packed', async () => {
    const bits = 299 | (199 << 14) | (1 << 28)
    const file = webp('VP8L', [0x2f, bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, bits >> 24])
    expect(await sizeOf(file)).toBe('a: image/webp, 300 x 200 pixels, 25 bytes')
  })

  test('extended: 24 bits a side, less one', async () => {
    const file = webp('VP8X', [0, 0, 0, 0, 0x2b, 1, 0, 0xc7, 0, 0])
    expect(await sizeOf(file)).toBe('a: image/webp, 300 x 200 pixels, 30 bytes')
  })

  test.each([
    ['a kind that is not known', webp('VP9 ', [0, 0, 0, 0, 1, 0, 0, 1, 0, 0])],
    ['one byte short', webp('VP8X', [0, 0, 0, 0, 1, 0, 0, 1, 0, 0]).subarray(0, -1)],
    ['no width', webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 5, 0])],
    ['no height', webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 5, 0, 0, 0])],
  ])('%s: refused', async (_title, file) => {
    expect(await refusalOf(file)).toBe('"a" begins like an image (image/webp) but is cut or damaged, and is not shown.')
  })

  test('another kind of RIFF file is no image', async () => {
    expect(await refusalOf(Buffer.concat([latin('RIFF'), Buffer.from([4, 0, 0, 0]), latin('WAVE')]))).toMatch(
      /is a binary file of 12 bytes/,
    )
  })
})

describe('JPEG', () => {
  const start = [0xff, 0xd8]
  const end = [0xff, 0xd9]
  const frame = (marker: number): number[] => [0xff, marker, 0, 8, 8, 0, 200, 1, 44, 1]

  test.each([0xc0, 0xc2, 0xcf])('the frame header %d', async (marker) => {
    expect(await sizeOf(Buffer.from([...start, ...frame(marker), ...end]))).toBe('a: image/jpeg, 300 x 200 pixels, 14 bytes')
  })

  test.each([0xc4, 0xc8, 0xcc, 0xe1, 0xbf, 0xd0])('the segment %d before it is stepped over', async (marker) => {
    const file = Buffer.from([...start, 0xff, marker, 0, 5, 9, 9, 9, ...frame(0xc0), ...end])
    expect(await sizeOf(file)).toBe('a: image/jpeg, 300 x 200 pixels, 21 bytes')
  })

  test('so are bytes that fill the room before a marker', async () => {
    const file = Buffer.from([...start, 0xff, 0xff, ...frame(0xc0), ...end])
    expect(await sizeOf(file)).toBe('a: image/jpeg, 300 x 200 pixels, 16 bytes')
  })

  test.each([
    ['without its end', [...start, ...frame(0xc0)]],
    ['with something else where a marker should be', [...start, 0xff, 0xe0, 0, 3, 9, 0, ...frame(0xc0), ...end]],
  ])('%s: refused', async (_title, bytes) => {
    expect(await refusalOf(Buffer.from(bytes))).toBe('"a" begins like an image (image/jpeg) but is cut or damaged, and is not shown.')
  })
})

describe('GIF', () => {
  const head = [44, 1, 200, 0, 0, 0]

  test.each(['GIF87a', 'GIF89a'])('%s', async (mark) => {
    expect(await sizeOf(Buffer.concat([latin(mark), Buffer.from([...head, 0, 0x3b])]))).toBe('a: image/gif, 300 x 200 pixels, 14 bytes')
  })

  test('an end within the head is none', async () => {
    expect(await refusalOf(Buffer.concat([latin('GIF89a'), Buffer.from([...head, 0x3b])]))).toMatch(/is cut or damaged/)
  })

  test('what only begins so is no image', async () => {
    const workspace = await workspaceWith({ a: 'GIF88a, as it is not called\n', b: ' GIF89a' })
    const read = readFile({ workspace })
    expect([await read({ path: 'a' }), await read({ path: 'b' })]).toEqual([
      '1\tGIF88a, as it is not called',
      '1\t GIF89a\n[The last line has no newline at its end.]',
    ])
  })
})

describe('the largest that is shown', () => {
  const gif = (width: number, height: number, length: number): Buffer => {
    const file = Buffer.alloc(length, 0x3b)
    file.write('GIF89a', 'latin1')
    file.writeUInt16LE(width, 6)
    file.writeUInt16LE(height, 8)
    return file
  }

  test('8,000 pixels a side', async () => {
    expect(await sizeOf(gif(8000, 8000, 20))).toBe('a: image/gif, 8000 x 8000 pixels, 20 bytes')
    expect(await refusalOf(gif(1, 8001, 20))).toMatch(/^"a" is an image of 1 x 8001 pixels;/)
  })

  test('3,750,000 bytes', async () => {
    expect(await sizeOf(gif(1, 1, 3_750_000))).toBe('a: image/gif, 1 x 1 pixels, 3750000 bytes')
    expect(await refusalOf(gif(1, 1, 3_750_001))).toMatch(/^"a" is an image of 3750001 bytes;/)
  })
})
