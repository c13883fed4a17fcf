import type { OpenedFile } from '../../host/file-system.ts'

/** The first bytes of an open file, or all of a shorter one. */
export const readStart = (file: OpenedFile, max: number): Promise<Buffer> => readFrom(file, 0, max)

const moreBytes = 64 * 1024

/** All bytes of an open file, also when it has grown since it was found to have this size. */
export async function readAll(file: OpenedFile, size: bigint): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for (let wanted = Number(size) + 1; ; wanted = moreBytes) {
    const part = await readFrom(file, length, wanted)
    parts.push(part)
    length += part.length
    if (part.length < wanted) return parts.length === 1 ? part : Buffer.concat(parts, length)
  }
}

/** Fewer than `max` bytes come at the end alone. */
async function readFrom(file: OpenedFile, position: number, max: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(max)
  let length = 0
  while (length < max) {
    const read = await file.read(bytes.subarray(length), position + length)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}
