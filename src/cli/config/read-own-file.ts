import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { sep } from 'node:path'

export type OwnFile = { readonly text: string; readonly isCut: boolean } | { readonly problem: string } | undefined

/**
 * A small text file, or why it is not read; nothing when there is none. Only a regular file is read, so that none that never ends
 * holds the program up.
 *
 * @param inside the folder that the file must lie in, links resolved: a link in somebody's project must not show the model, or
 * the settings, another file of the user's.
 */
export async function readOwnFile(
  path: string,
  { maxBytes, inside }: { readonly maxBytes: number; readonly inside?: string | undefined },
): Promise<OwnFile> {
  try {
    if (inside !== undefined) {
      const [real, root] = await Promise.all([realpath(path), realpath(inside)])
      if (real !== root && !real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) return { problem: `it leads out of ${root}` }
    }
    // A pipe would be waited for otherwise.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      if (!(await handle.stat()).isFile()) return { problem: 'it is no regular file' }
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0)
      const isCut = bytesRead > maxBytes
      const bytes = buffer.subarray(0, Math.min(bytesRead, maxBytes))
      // A character that the cut goes through is left out: `stream` keeps it back.
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
      return text.includes('\0') ? { problem: 'it is no text' } : { text, isCut }
    } finally {
      await handle.close()
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return { problem: code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is no UTF-8 text' : message }
  }
}
