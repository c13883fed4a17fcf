import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readFile } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

/** Checksums are left empty: nobody here looks at them. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(9))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
const gif = Buffer.concat([Buffer.from('GIF89a', 'latin1'), Buffer.from([3, 0, 2, 0, 0, 0, 0, 0x2c, 0x3b])])
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 8, 8, 0, 2, 0, 3, 1, 0xff, 0xd9])
const webp = Buffer.concat([Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x02\0\0\x01\0\0', 'latin1')])

test.each([
  { name: 'a.png', file: png(3, 2), mediaType: 'image/png' },
  { name: 'wrong-name.txt', file: gif, mediaType: 'image/gif' },
  { name: 'a.jpg', file: jpeg, mediaType: 'image/jpeg' },
  { name: 'a.webp', file: webp, mediaType: 'image/webp' },
])('$mediaType is shown as an image', async ({ name, file, mediaType }) => {
  const workspace = await workspaceWith({ [name]: file })
  expect(await readFile({ workspace })({ path: name })).toEqual([
    { type: 'text', text: `${name}: ${mediaType}, 3 x 2 pixels, ${file.length} bytes` },
    { type: 'image', mediaType, source: { type: 'base64', data: file.toString('base64') } },
  ])
})

test.each([
  {
    title: 'cut',
    file: png(3, 2).subarray(0, 40),
    says: '"a.png" begins like an image (image/png) but is cut or damaged, and is not shown.',
  },
  {
    title: 'nothing but the first bytes',
    file: jpeg.subarray(0, 5),
    says: '"a.png" begins like an image (image/jpeg) but is cut or damaged, and is not shown.',
  },
  {
    title: 'too many pixels',
    file: png(9000, 2),
    says: '"a.png" is an image of 9000 x 2 pixels; read_file shows images of up to 8000 pixels a side. Make a smaller copy of it first.',
  },
  {
    title: 'too many bytes',
    file: Buffer.concat([gif, Buffer.alloc(4_000_000)]),
    says: '"a.png" is an image of 4000015 bytes; read_file shows images of up to 3750000 bytes. Make a smaller copy of it first.',
  },
])('$title: refused, for a provider would refuse the conversation', async ({ file, says }) => {
  const workspace = await workspaceWith({ 'a.png': file })
  expect(await failureOf(readFile({ workspace })({ path: 'a.png' }))).toBe(says)
})
