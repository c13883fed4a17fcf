/** What stands under a path. `other` is what is none of these, or may not be looked at. */
export type FileKind = 'file' | 'folder' | 'link' | 'fifo' | 'socket' | 'device' | 'other'

export type FileStats = {
  readonly kind: FileKind
  /** In bytes. */
  readonly size: bigint
  /** Time of the last change of the content, in nanoseconds since the epoch, as fine as the system has it. */
  readonly mtimeNs: bigint
  /** The permission bits, at most 0o7777. */
  readonly mode: number
  /** Names that the file has (hard links); 1 where that is not known. */
  readonly links: number
  /** Tells the file from any other one of now, also from one that takes its place under the same path. */
  readonly id: string
  readonly uid: number
  readonly gid: number
}

export type FolderEntry = {
  readonly name: string
  /** Of the entry itself: a link is a `link`. */
  readonly kind: FileKind
}

/**
 * A file that is open to be read. It stays the one that was opened; who cannot hold it open fails with `ESTALE` when another one has
 * taken its place.
 */
export interface OpenedFile {
  stat(): Promise<FileStats>
  /**
   * Fills `into` from a position in the file on.
   *
   * @returns how many bytes came; 0 only at the end of the file.
   */
  read(into: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

/** A file that was made just now, empty. */
export interface NewFile {
  /**
   * Writes all that is to be in it. When it resolves the content is safe from a crash.
   *
   * @param like mode and owner of the file that it will replace; the owner only as far as the system lets files be given away.
   */
  write(data: Uint8Array, like?: { readonly mode: number; readonly uid: number; readonly gid: number }): Promise<void>
  close(): Promise<void>
}

/** What judging asks of a file system without waiting. Each fails as its name in `FileSystem` does, by a throw. */
export interface Lookups {
  realpath(path: string): string
  readlink(path: string): string
  /** Follows links. */
  stat(path: string): FileStats
  /** Would `stat` tell of anything? That costs no error where the answer is no, as for a program in most folders of the path. */
  exists(path: string): boolean
  list(path: string): readonly FolderEntry[]
  /** The whole file. */
  read(path: string): Uint8Array
}

/**
 * The files of a machine: this one, a container, one far away. Paths are absolute.
 *
 * A method that fails rejects with an Error whose `code` is the name that POSIX has for it (`ENOENT`, `EACCES`, `EEXIST`, `EINVAL`,
 * `ENOTDIR`, `ENOSPC` …), as those of `node:fs/promises` do: what the model is told depends on it, and what is judged: a failure without
 * such a name, of a connection for instance, is no answer, and a call that cannot be judged counts as one that may do anything. `hostConformance` of
 * `lena-agent/testing` shows whether one does what is written here.
 */
export interface FileSystem {
  /** Follows links. */
  stat(path: string): Promise<FileStats>
  /** Of the entry itself. */
  lstat(path: string): Promise<FileStats>
  /** The path without links, as the system spells it. */
  realpath(path: string): Promise<string>
  /** What is written in a link; `EINVAL` for what is none. */
  readlink(path: string): Promise<string>
  /** What is in a folder, in any order, without `.` and `..`. Whoever leaves early ends it. */
  list(path: string): AsyncIterable<FolderEntry>
  /** Opens a file to read it. Never waits for somebody to write, as opening a FIFO would. */
  open(path: string): Promise<OpenedFile>
  /** Makes a file; `EEXIST` when there is anything under the path, a link included. */
  create(path: string): Promise<NewFile>
  /** With all folders above it; one that is there is no failure, anything else there is `EEXIST`. */
  makeFolder(path: string): Promise<void>
  /** Replaces what is there, in one step: a link itself and not what it leads to, and no folder. */
  rename(from: string, to: string): Promise<void>
  /** Takes away a file, or a link and not what it leads to; `EISDIR` or `EPERM` for a folder. */
  remove(path: string): Promise<void>
  /** `EACCES` when the user may not write the file. */
  checkWritable(path: string): Promise<void>
  /**
   * Answers at once, where the system can. Without it a judgement (is the call destructive, what does it touch) asks the methods above
   * and takes some rounds.
   */
  readonly atOnce?: Lookups | undefined
}
