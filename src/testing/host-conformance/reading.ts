import type { OpenedFile } from '../../host/file-system.ts'
import { codeOf } from '../../host/paths.ts'
import type { AddTest } from './machine.ts'
import { fails, isTrue, same, sameBytes } from './machine.ts'

/** All bytes there are, in no order that a text has. */
export const everyByte = Uint8Array.from({ length: 256 }, (_, i) => (i * 167 + 13) % 256)
export function manyBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i++) bytes[i] = i * 31 + (i >> 8) * 7 + (i >> 16)
  return bytes
}

/** What stands between two positions; a read may give less than is asked for. */
async function part(file: OpenedFile, from: number, to: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(to - from)
  let length = 0
  while (length < bytes.length) {
    const read = await file.read(bytes.subarray(length), from + length)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}

/** `open`. */
export function testReading(test: AddTest): void {
  test('reads any bytes, in pieces, from any position, in any order', async (at) => {
    const path = await at.write('file', everyByte)
    const file = await at.files.open(path)
    for (const [from, to] of [
      [0, 256],
      [200, 256],
      [10, 20],
      [0, 1],
      [255, 256],
      [100, 400],
    ] as const)
      sameBytes(await part(file, from, to), everyByte.subarray(from, to), `the bytes from ${from} to ${to}`)
    same(await file.read(new Uint8Array(10), 256), 0, 'bytes at the end')
    same(await file.read(new Uint8Array(10), 100_000), 0, 'bytes far behind the end')
    await file.close()
  })

  test('a read fills what it is given, and nothing beside it', async (at) => {
    const file = await at.files.open(await at.write('file', 'abcdef'))
    const around = new Uint8Array(10).fill(1)
    const read = await file.read(around.subarray(3, 6), 2)
    isTrue(read > 0 && read <= 3, `a read into 3 bytes gave ${read}`)
    same([...around], [1, 1, 1, ...[99, 100, 101].slice(0, read), ...Array<number>(7 - read).fill(1)], 'the bytes, and those around them')
    await file.close()
  })

  test('an empty file, and one of 3 MB', async (at) => {
    sameBytes(await at.bytes(await at.write('empty')), new Uint8Array(), 'an empty file')
    const large = manyBytes(3_000_000)
    const path = await at.write('large', large)
    sameBytes(await at.bytes(path), large, 'a large file')
    const file = await at.files.open(path)
    sameBytes(await part(file, 1_048_570, 1_048_590), large.subarray(1_048_570, 1_048_590), 'bytes in its middle')
    sameBytes(await part(file, 2_999_990, 3_000_010), large.subarray(2_999_990), 'its last bytes')
    await file.close()
  })

  test('an open file tells what it is, and goes on where it was added to', async (at) => {
    const path = await at.write('file', 'one')
    await at.sh('ln -s file link')
    const file = await at.files.open(at.path('link'))
    const { kind, size, id } = await file.stat()
    same([kind, size, id], ['file', 3n, (await at.files.stat(path)).id], 'stat of an open file')
    sameBytes(await part(file, 0, 10), new TextEncoder().encode('one'), 'what is in it')
    await at.sh('printf two >>file')
    same((await file.stat()).size, 6n, 'its size when it was added to')
    sameBytes(await part(file, 3, 10), new TextEncoder().encode('two'), 'what was added')
    await file.close()
  })

  test('an open file never becomes the one that takes its place', async (at) => {
    const path = await at.write('file', 'old')
    const file = await at.files.open(path)
    await at.files.rename(await at.write('new', 'new'), path)
    const bytes = await part(file, 0, 10).catch((error: unknown) => {
      if (codeOf(error) === 'ESTALE') return new TextEncoder().encode('old')
      throw error
    })
    sameBytes(bytes, new TextEncoder().encode('old'), 'what an open file reads when another was renamed over it (or ESTALE)')
    await file.close()
  })

  test('opening a FIFO does not wait for somebody to write', async (at) => {
    await at.sh('mkfifo fifo')
    const file = await at.files.open(at.path('fifo'))
    same((await file.stat()).kind, 'fifo', 'what was opened')
    await file.close()
  })

  test('what is not there cannot be opened, and a folder not read', async (at) => {
    await at.write('file')
    await at.sh('mkdir folder; ln -s nowhere dangling; ln -s b a; ln -s a b')
    for (const [name, code] of Object.entries({ nowhere: 'ENOENT', dangling: 'ENOENT', 'file/x': 'ENOTDIR', a: 'ELOOP' }))
      await fails(at.files.open(at.path(name)), code, `open of ${name}`)
    await fails(at.bytes(at.path('folder')), 'EISDIR', 'open of a folder, or a read of it')
  })

  test('many files may be open at once', async (at) => {
    const paths = await Promise.all(Array.from({ length: 20 }, (_, i) => at.write(`file${i}`, `content ${i}`)))
    const files = await Promise.all(paths.map((path) => at.files.open(path)))
    const texts = await Promise.all(files.map((file) => part(file, 0, 100)))
    same(
      texts.map((text) => new TextDecoder().decode(text)),
      paths.map((_, i) => `content ${i}`),
      'what is in them',
    )
    await Promise.all(files.map((file) => file.close()))
  })
}
