import { createHash } from 'node:crypto'
import { access, readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { configFolder } from '../folders.ts'
import type { Io } from '../io.ts'
import type { ProjectFile } from './project-file.ts'
import { writePrivate } from './write-private.ts'

/** A file of a folder, with this content. */
export type Trusted = Pick<ProjectFile, 'folder' | 'file' | 'hash'>

/**
 * What the user said may be obeyed. It holds for one file of one folder with one content: another folder asks again although the
 * file is the same there, because what it names may be files beside it; and a file that was changed asks again.
 */
export interface TrustStore {
  /** False for whatever cannot be read. */
  isTrusted(thing: Trusted): Promise<boolean>
  /** Was the file trusted with another content, so that it has changed since? */
  wasTrusted(thing: Omit<Trusted, 'hash'>): Promise<boolean>
  /** @throws when it cannot be written. */
  trust(thing: Trusted): Promise<void>
  /** Forgets the file with every content. False when it was not trusted. */
  revoke(thing: Omit<Trusted, 'hash'>): Promise<boolean>
}

/**
 * Kept below the user's settings, where no project file can lead it. Each content has a file of its own, put in place as a whole:
 * several processes need no lock.
 */
export function trustStore(io: Pick<Io, 'env' | 'platform'>): TrustStore {
  const root = join(configFolder(io), 'trust')
  const folderOf = ({ folder, file }: Omit<Trusted, 'hash'>): string =>
    join(
      root,
      createHash('sha256')
        .update(JSON.stringify([folder, file]))
        .digest('hex')
        .slice(0, 32),
    )
  const entryOf = ({ folder, file, hash }: Trusted): string => `${JSON.stringify({ folder, file, sha256: hash })}\n`
  const pathOf = (thing: Trusted): string => join(folderOf(thing), `${thing.hash}.json`)

  return {
    async isTrusted(thing) {
      // The name alone would be enough, were it not shortened.
      return await readFile(pathOf(thing), 'utf8').then(
        (entry) => entry === entryOf(thing),
        () => false,
      )
    },
    async wasTrusted(thing) {
      const names = await readdir(folderOf(thing)).catch(() => [])
      return names.some((name) => name.endsWith('.json'))
    },
    async trust(thing) {
      for (let attempt = 0; ; attempt++) {
        try {
          return await writePrivate(pathOf(thing), entryOf(thing))
        } catch (error) {
          // Another process revoked the file meanwhile, and took the folder away.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 3) throw error
        }
      }
    },
    async revoke(thing) {
      const folder = folderOf(thing)
      const isThere = await access(folder).then(
        () => true,
        () => false,
      )
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
      return isThere
    },
  }
}
