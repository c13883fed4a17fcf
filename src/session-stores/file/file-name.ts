import { createHash } from 'node:crypto'

const plain = /^[a-z0-9][a-z0-9_-]{0,79}$/
/** Names that mean a device on Windows, whatever their ending. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/

/**
 * A file name for any session id, another one for each, on every file system: small letters alone, since some do not tell
 * them from capitals, and no path in it. What is not plain is told apart by its hash; no plain id has a `~`.
 */
export function fileNameOf(id: string): string {
  if (plain.test(id) && !reserved.test(id)) return `${id}.jsonl`
  const readable = id
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .slice(0, 40)
  return `${readable}~${createHash('sha256').update(id).digest('hex').slice(0, 32)}.jsonl`
}
