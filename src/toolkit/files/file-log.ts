/** One state of a file. Two states are the same when their hashes are, or, for files too large to hash, size and time. */
export type FileVersion = { readonly size: bigint; readonly mtimeNs: bigint; readonly hash?: string | undefined }

/** What is known of a file that is about to be overwritten. */
export type Knowledge = 'known' | 'unread' | 'changed' | { readonly readTo: number; readonly lines: number | undefined }

/** Which states of which files the model has seen. Paths have their links resolved. */
export interface FileLog {
  /** Lines `from` to `to` were shown, of `lines` in all (`undefined`: not counted to the end). */
  sawLines(
    path: string,
    version: FileVersion,
    shown: { readonly from: number; readonly to: number; readonly lines: number | undefined },
  ): void
  /** All of it is known: shown in one piece, or written by the model. */
  sawAll(path: string, version: FileVersion): void
  knows(path: string, version: FileVersion): Knowledge
}

type Entry = { readonly version: FileVersion; readonly readTo: number; readonly lines: number | undefined }

/** Files that are remembered; the one that was not touched for longest goes first, and must be read again then. */
const maxFiles = 10_000

/** A log in memory. It lives as long as the session of the tools that share it. */
export function fileLog(): FileLog {
  const entries = new Map<string, Entry>()
  const put = (path: string, entry: Entry): void => {
    entries.delete(path)
    entries.set(path, entry)
    if (entries.size > maxFiles) entries.delete(entries.keys().next().value!)
  }
  return {
    sawLines(path, version, { from, to, lines }) {
      const before = entries.get(path)
      const readTo = before && isSame(before.version, version) ? before.readTo : 0
      // Only what was read without a gap from the start counts as seen.
      put(path, { version, readTo: from <= readTo + 1 ? Math.max(readTo, to) : readTo, lines })
    },
    sawAll(path, version) {
      put(path, { version, readTo: Infinity, lines: undefined })
    },
    knows(path, version) {
      const entry = entries.get(path)
      if (!entry) return 'unread'
      if (!isSame(entry.version, version)) return 'changed'
      if (entry.readTo === Infinity || (entry.lines !== undefined && entry.readTo >= entry.lines)) return 'known'
      return { readTo: entry.readTo, lines: entry.lines }
    },
  }
}

const isSame = (a: FileVersion, b: FileVersion): boolean =>
  a.hash !== undefined && b.hash !== undefined ? a.hash === b.hash : a.size === b.size && a.mtimeNs === b.mtimeNs
