import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

/** What one can be asked to trust: a file of a folder, as it was when it was read. */
export type ProjectFile = {
  /** Links resolved: one folder has one name, by whichever way it was entered. */
  readonly folder: string
  /** From the folder, for example `.mcp.json`. */
  readonly file: string
  readonly path: string
  readonly text: string
  /** Of the bytes that `text` was made of. */
  readonly hash: string
}

/** Nobody writes a longer one by hand, and a person is to judge it. */
const mostBytes = 1_000_000

/**
 * Reads a file of a folder that may be anybody's, once: whoever obeys `text` obeys what was asked about, whatever happens to the
 * file meanwhile. `undefined` when there is none.
 *
 * @throws {Error} that names the file and says why it cannot be read. A pipe or a device is not read, so nothing waits.
 */
export async function readProjectFile(workspace: string, file: string): Promise<ProjectFile | undefined> {
  const folder = await realpath(workspace)
  const path = join(folder, file)
  let handle: FileHandle
  try {
    // Without blocking: to open a pipe waits for whoever writes to it.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new Error(`${path} cannot be read: ${message}`, { cause: error })
  }
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${path} cannot be read: it is no file.`)
    const bytes = await firstBytes(handle, path)
    return { folder, file, path, text: bytes.toString('utf8'), hash: createHash('sha256').update(bytes).digest('hex') }
  } finally {
    await handle.close()
  }
}

/** No more than may be there: the size that a file says it has is not what can be read of it. */
async function firstBytes(handle: FileHandle, path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (let length = 0; ;) {
    const chunk = Buffer.alloc(Math.min(65_536, mostBytes + 1 - length))
    const { bytesRead } = await handle.read(chunk, 0, chunk.length)
    if (bytesRead === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, bytesRead))
    length += bytesRead
    if (length > mostBytes) throw new Error(`${path} cannot be read: it is larger than ${mostBytes.toLocaleString('en-US')} bytes.`)
  }
}
