import { appendFile, open, realpath } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { JournalError } from './journal-error.ts'
import { lock } from './lock.ts'
import type { StepRecord } from './records.ts'
import { readRecord } from './records.ts'

/** Where a line stands, without its end. */
export type Place = { readonly at: number; readonly bytes: number }

const chunkBytes = 1 << 20

/** The lines of a journal, held by this process alone. */
export class JournalFile {
  readonly #file: string
  readonly #handle: FileHandle
  readonly #unlock: () => Promise<void>
  #size = 0
  #lines = 0
  #writing: Promise<unknown> = Promise.resolve()

  private constructor(file: string, handle: FileHandle, unlock: () => Promise<void>) {
    this.#file = file
    this.#handle = handle
    this.#unlock = unlock
  }

  /** Opens the file and tells each record in it, in order. A last line without an end is put aside, in `<file>.torn`. */
  static async open(file: string, tell: (record: StepRecord, place: Place) => void): Promise<JournalFile> {
    const unlock = await lock(await realpath(file).catch(gone(file)))
    let handle: FileHandle | undefined
    try {
      handle = await open(file, 'r+')
      await syncName(file)
      const opened = new JournalFile(file, handle, unlock)
      await opened.#load(tell)
      return opened
    } catch (error) {
      await handle?.close()
      await unlock()
      throw error
    }
  }

  async #load(tell: (record: StepRecord, place: Place) => void): Promise<void> {
    let pieces: Buffer[] = []
    for (let at = 0; ;) {
      const { buffer, bytesRead } = await this.#handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, at)
      if (bytesRead === 0) break
      at += bytesRead
      let rest = buffer.subarray(0, bytesRead)
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        const line = Buffer.concat([...pieces, rest.subarray(0, end)])
        pieces = []
        rest = rest.subarray(end + 1)
        // The first is the header.
        if (++this.#lines > 1) tell(readRecord(line.toString(), this.#file, this.#lines), { at: this.#size, bytes: line.length })
        this.#size += line.length + 1
      }
      if (rest.length > 0) pieces.push(rest)
    }
    if (pieces.length === 0) return
    await appendFile(`${this.#file}.torn`, Buffer.concat([...pieces, Buffer.from('\n')]), { mode: 0o600 })
    await this.#handle.truncate(this.#size)
    await this.#handle.datasync()
  }

  /** Resolves when the line is on the disk. Lines are written one after another. */
  append(line: string): Promise<Place> {
    const writing = this.#writing.then(() => this.#write(Buffer.from(`${line}\n`)))
    this.#writing = writing.catch(() => {})
    return writing
  }

  async #write(line: Buffer): Promise<Place> {
    const at = this.#size
    // The lock holds on one machine; on a disk that several share only this shows that somebody else writes.
    const { size, nlink } = await this.#handle.stat()
    if (nlink === 0)
      throw new JournalError(
        `The journal ${this.#file} was removed, or replaced, while it was in use: what is written now would be lost.`,
        {
          code: 'journal_damaged',
        },
      )
    if (size !== at)
      throw new JournalError(`The journal ${this.#file} has ${size} bytes where ${at} were expected: something else writes to it.`, {
        code: 'journal_locked',
      })
    try {
      for (let done = 0; done < line.length;) done += (await this.#handle.write(line, done, line.length - done, at + done)).bytesWritten
      await this.#handle.datasync()
    } catch (error) {
      // Half a line must not stand before the next.
      await this.#handle.truncate(at).catch(() => {})
      throw error
    }
    this.#size += line.length
    return { at, bytes: line.length - 1 }
  }

  async read({ at, bytes }: Place): Promise<string> {
    const line = Buffer.allocUnsafe(bytes)
    for (let done = 0; done < bytes;) {
      const { bytesRead } = await this.#handle.read(line, done, bytes - done, at + done)
      if (bytesRead === 0) throw new JournalError(`The journal ${this.#file} ends where a record was.`, { code: 'journal_damaged' })
      done += bytesRead
    }
    return line.toString()
  }

  async close(): Promise<void> {
    await this.#writing
    try {
      await this.#handle.close()
    } finally {
      await this.#unlock()
    }
  }
}

const gone =
  (file: string) =>
  (cause: NodeJS.ErrnoException): never => {
    if (cause.code !== 'ENOENT') throw cause
    throw new JournalError(`The journal ${file} was removed before its first step. Begin with a new one.`, {
      code: 'journal_damaged',
      cause,
    })
  }

/** A file's name is on the disk when its folder is, and without it no record is. Not every system can do that. */
async function syncName(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
