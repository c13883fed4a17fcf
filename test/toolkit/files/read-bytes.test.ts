import { expect, test } from 'vitest'
import type { FileStats, OpenedFile } from '../../../src/host/file-system.ts'
import { readAll, readStart } from '../../../src/toolkit/files/read-bytes.ts'

/** An open file that gives at most so many bytes at a time. */
const fileOf = (bytes: Uint8Array, atATime: number): OpenedFile => ({
  stat: async () => ({}) as FileStats,
  read: async (into, position) => {
    const part = bytes.subarray(position, position + Math.min(atATime, into.length))
    into.set(part)
    return part.length
  },
  close: async () => {},
})

const content = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251)

test.each([0, 1, 299_999, 300_000, 400_000])('all of a file that was found to have %d bytes', async (size) => {
  expect(Buffer.compare(await readAll(fileOf(content, 1000), BigInt(size)), content)).toBe(0)
})

test('its beginning, or all of a shorter one', async () => {
  expect(Buffer.compare(await readStart(fileOf(content, 7), 100), content.subarray(0, 100))).toBe(0)
  expect([...(await readStart(fileOf(content.subarray(0, 3), 2), 100))]).toEqual([0, 1, 2])
})
