import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JournalError } from './journal-error.ts'

/**
 * Takes a file for this process alone, and gives the function that lets it go. The lock is a listening socket: the system
 * takes it away with its process however that ends, so that a restart after kill -9 waits for nothing.
 *
 * @param path without links, so that a file has one name.
 */
export async function lock(path: string): Promise<() => Promise<void>> {
  const address = addressOf(path)
  let server = await listen(address)
  // A socket that has a name in the file system outlives its process, and nobody answers there.
  if (!server && isNamed(address) && !(await answers(address))) {
    await rm(address, { force: true })
    server = await listen(address)
  }
  if (!server)
    throw new JournalError(`The journal ${path} is in use, by another process or in this one. Close it there first.`, {
      code: 'journal_locked',
    })
  const held = server
  return async () => {
    held.close()
    await once(held, 'close')
  }
}

function addressOf(path: string): string {
  const name = `lena-journal-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  if (process.platform === 'linux') return `\0${name}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name)
}

const isNamed = (address: string): boolean => address.startsWith('/')

async function listen(address: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy())
  server.unref()
  server.listen(address)
  try {
    await once(server, 'listening')
    return server
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    throw error
  }
}

async function answers(address: string): Promise<boolean> {
  const socket = connect(address)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
