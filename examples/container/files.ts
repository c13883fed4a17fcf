import type { FileKind, FileStats, FileSystem, FolderEntry, NewFile, OpenedFile } from 'lena-agent/toolkit'
import { FarError } from './far.ts'
import type { RunScript } from './far.ts'
import { fileScripts } from './file-scripts.ts'

/** Of a file that is read, so that a small one comes with one question and a large one in few. */
const blockBytes = 1024 * 1024

type ScriptName = keyof typeof fileScripts

/** The files of a machine that runs small scripts. Each operation is one of them. */
export function filesBehind(run: RunScript): FileSystem {
  const ask = (name: ScriptName, path: string, rest: readonly string[] = [], input?: Uint8Array): Promise<Buffer> =>
    run({ what: `${name} ${JSON.stringify(path)}`, script: fileScripts[name], args: [path, ...rest], input })
  const textOf = async (name: ScriptName, path: string): Promise<string> => (await ask(name, path)).toString()
  const statsOf = async (name: 'stat' | 'lstat', path: string): Promise<FileStats> => parseStats(await textOf(name, path))
  return {
    stat: (path) => statsOf('stat', path),
    lstat: (path) => statsOf('lstat', path),
    realpath: (path) => textOf('realpath', path),
    readlink: (path) => textOf('readlink', path),
    async *list(path) {
      const entries = (await textOf('list', path)).split('\0')
      for (const entry of entries.slice(0, -1)) yield entryOf(entry)
    },
    open: (path) => openFile(path, (block, count) => ask('read', path, [String(block), String(count)])),
    async create(path) {
      const made = (await textOf('create', path)).trimEnd()
      return newFile((args, data) => ask('write', path, [made, ...args], data))
    },
    makeFolder: async (path) => void (await ask('makeFolder', path)),
    rename: async (from, to) => void (await ask('rename', from, [to])),
    remove: async (path) => void (await ask('remove', path)),
    checkWritable: async (path) => void (await ask('checkWritable', path)),
  }
}

/** A read by its path finds the file that was opened, or fails: one that has taken its place meanwhile is not read for it. */
async function openFile(path: string, ask: (block: number, count: 0 | 1) => Promise<Buffer>): Promise<OpenedFile> {
  const read = async (number: number, count: 0 | 1): Promise<{ readonly stats: FileStats; readonly block: Block }> => {
    const answer = await ask(number, count)
    const end = answer.indexOf('\n')
    return { stats: parseStats(answer.toString('utf8', 0, end)), block: { number, bytes: answer.subarray(end + 1) } }
  }
  const opened = await read(0, 1)
  const again = async (number: number, count: 0 | 1): ReturnType<typeof read> => {
    const now = await read(number, count)
    if (now.stats.id !== opened.stats.id) throw new FarError('ESTALE', `read ${JSON.stringify(path)}`, 'another file has taken its place')
    return now
  }
  let known = opened.block
  return {
    stat: async () => (await again(0, 0)).stats,
    async read(into, position) {
      if (opened.stats.kind !== 'file')
        throw new FarError(opened.stats.kind === 'folder' ? 'EISDIR' : 'EINVAL', `read ${JSON.stringify(path)}`)
      const number = Math.floor(position / blockBytes)
      const at = position - number * blockBytes
      // Behind the end that it had, there may be more by now.
      if (known.number !== number || known.bytes.length <= at) known = (await again(number, 1)).block
      const part = known.bytes.subarray(at, at + into.length)
      into.set(part)
      return part.length
    },
    close: async () => {},
  }
}

type Block = { readonly number: number; readonly bytes: Buffer }

const newFile = (write: (args: readonly string[], data: Uint8Array) => Promise<unknown>): NewFile => ({
  async write(data, like) {
    const args = like ? [like.mode.toString(8).padStart(4, '0'), `${like.uid}:${like.gid}`] : ['', '']
    await write([String(data.length), ...args], data)
  },
  close: async () => {},
})

/** Of the mode. */
const kinds: Readonly<Record<number, FileKind>> = {
  0o10: 'file',
  0o04: 'folder',
  0o12: 'link',
  0o01: 'fifo',
  0o14: 'socket',
  0o02: 'device',
  0o06: 'device',
}

/** What `stat` prints, see `numbers`. */
function parseStats(line: string): FileStats {
  const [mode = '', size = '', seconds = '', links, id = '', uid, gid, ...time] = line.trimEnd().split(' ')
  const bits = Number.parseInt(mode, 16)
  // Seconds alone where the system tells no more of them.
  const fraction = /\.(\d{1,9})/.exec(time.join(' '))?.[1] ?? ''
  return {
    kind: kinds[bits >> 12] ?? 'other',
    size: BigInt(size),
    mtimeNs: BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0')),
    mode: bits & 0o7777,
    links: Number(links),
    id,
    uid: Number(uid),
    gid: Number(gid),
  }
}

const letters: Readonly<Record<string, FileKind>> = { l: 'link', f: 'file', d: 'folder', p: 'fifo', s: 'socket', c: 'device' }
const entryOf = (text: string): FolderEntry => ({ name: text.slice(1), kind: letters[text.charAt(0)] ?? 'other' })
