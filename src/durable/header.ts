import { closeSync, fsyncSync, linkSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { InputError } from '../errors.ts'
import { randomIds } from '../util/ids.ts'
import type { Header } from './records.ts'
import { readHeader, version } from './records.ts'
import { JournalError } from './journal-error.ts'

/** Longer than any header. */
const headerBytes = 4096

/**
 * Reads the header of a journal, or makes the file. At once, not later: an agent takes its name from it while it is made. A new
 * file appears with its header, whole, so that of two processes one makes it and the other reads it.
 *
 * @throws {InputError} when the folder is not there; {JournalError} when the file is no journal.
 */
export function openHeader(file: string): Header {
  const found = headerOf(file)
  if (found) return found
  const header: Header = { type: 'journal', version, conversationId: randomIds.next('conversation') }
  const beside = `${file}.${randomIds.next('record')}.new`
  try {
    const made = openSync(beside, 'wx', 0o600)
    try {
      // All of it, or an error: one call of `write` may take a part alone where the disk is full.
      writeFileSync(made, `${JSON.stringify(header)}\n`)
      fsyncSync(made)
    } finally {
      closeSync(made)
    }
    linkSync(beside, file)
    return header
  } catch (error) {
    const other = (error as NodeJS.ErrnoException).code === 'EEXIST' ? headerOf(file) : undefined
    if (other) return other
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new InputError(`The journal ${file} cannot be made: its folder is not there. Make it first.`, { cause: error })
    throw error
  } finally {
    rmSync(beside, { force: true })
  }
}

function headerOf(file: string): Header | undefined {
  let opened: number
  try {
    opened = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const head = Buffer.alloc(headerBytes)
    const text = head.subarray(0, readSync(opened, head, 0, headerBytes, 0))
    const end = text.indexOf(10)
    if (end < 0)
      throw new JournalError(`${file} is no journal: its first line is no header. Name another file.`, { code: 'journal_damaged' })
    return readHeader(text.toString('utf8', 0, end), file)
  } finally {
    closeSync(opened)
  }
}
