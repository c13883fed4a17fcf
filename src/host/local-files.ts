import { constants, existsSync, readFileSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import type { BigIntStats, Dirent } from 'node:fs'
import { access, lstat, mkdir, open, opendir, readlink, realpath, rename, stat, unlink } from 'node:fs/promises'
import type { FileKind, FileStats, FileSystem, FolderEntry, Lookups, NewFile, OpenedFile } from './file-system.ts'

function kindOf(entry: Dirent | BigIntStats): FileKind {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isFIFO()) return 'fifo'
  if (entry.isSocket()) return 'socket'
  return entry.isCharacterDevice() || entry.isBlockDevice() ? 'device' : 'other'
}

const statsOf = (stats: BigIntStats): FileStats => ({
  kind: kindOf(stats),
  size: stats.size,
  mtimeNs: stats.mtimeNs,
  mode: Number(stats.mode & 0o7777n),
  links: Number(stats.nlink),
  id: `${stats.dev}:${stats.ino}`,
  uid: Number(stats.uid),
  gid: Number(stats.gid),
})

const entryOf = (dirent: Dirent): FolderEntry => ({ name: dirent.name, kind: kindOf(dirent) })

async function* list(path: string): AsyncGenerator<FolderEntry> {
  for await (const dirent of await opendir(path, { bufferSize: 256 })) yield entryOf(dirent)
}

async function openFile(path: string): Promise<OpenedFile> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  return {
    stat: async () => statsOf(await handle.stat({ bigint: true })),
    read: async (into, position) => (await handle.read(into, 0, into.length, position)).bytesRead,
    close: () => handle.close(),
  }
}

async function createFile(path: string): Promise<NewFile> {
  const handle = await open(path, 'wx', 0o666)
  return {
    async write(data, like) {
      await handle.writeFile(data)
      if (like) {
        // Owner before mode: changing the owner takes the set-user-ID bit away. Who may not give files away keeps it.
        await handle.chown(like.uid, like.gid).catch(() => {})
        await handle.chmod(like.mode)
      }
      // Without it a crash after a rename can leave an empty file.
      await handle.datasync()
    },
    close: () => handle.close(),
  }
}

/** What this machine answers without waiting. */
export const localLookups: Lookups = {
  realpath: realpathSync.native,
  readlink: (path) => readlinkSync(path),
  stat: (path) => statsOf(statSync(path, { bigint: true })),
  exists: (path) => existsSync(path),
  list: (path) => readdirSync(path, { withFileTypes: true }).map(entryOf),
  read: (path) => readFileSync(path),
}

/** The files of this machine. */
export const localFiles: FileSystem = {
  stat: async (path) => statsOf(await stat(path, { bigint: true })),
  lstat: async (path) => statsOf(await lstat(path, { bigint: true })),
  realpath: (path) => realpath(path),
  readlink: (path) => readlink(path),
  list,
  open: openFile,
  create: createFile,
  makeFolder: async (path) => void (await mkdir(path, { recursive: true })),
  rename: (from, to) => rename(from, to),
  remove: (path) => unlink(path),
  checkWritable: (path) => access(path, constants.W_OK),
  atOnce: localLookups,
}
