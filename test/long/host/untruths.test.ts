import { expect, it, vi } from 'vitest'
import { hostConformance } from 'lena-agent/testing'
import { localHost } from 'lena-agent/toolkit'
import type { Host } from 'lena-agent/toolkit'
import { workspaceWith } from '../../toolkit/support/workspace.ts'
import { bytes, commands, files, letsGo, stats, text } from './support/flaws.ts'
import type { Flaw } from './support/flaws.ts'

vi.setConfig({ testTimeout: 120_000 })

/** What a test of the suite says of a host, run alone. */
async function saidOf(host: Host, name: string): Promise<string> {
  const tests = new Map<string, () => Promise<void>>()
  hostConformance({ test: (title, run) => void tests.set(title, run) }, async () => ({ host, folder: await workspaceWith() }))
  return await tests.get(name)!().then(
    () => 'nothing is wrong',
    (error: unknown) => (error as Error).message,
  )
}

it.each<[what: string, flaw: Flaw, test: string, says: RegExp]>([
  [
    'does not follow links',
    files((good) => ({ stat: good.lstat })),
    'stat follows links, one behind the other, and lstat does not',
    /^stat of the link link: expected \["file",.*got \["link",/,
  ],
  [
    'always follows links',
    files((good) => ({ lstat: good.stat })),
    'tells files, folders, links, FIFOs and devices from each other',
    /^lstat of a link, its kind: expected "link", got "file"$/,
  ],
  [
    'fails without a code',
    files((good) => ({ stat: (path) => good.stat(path).catch(() => Promise.reject(new Error('no such file'))) })),
    'what is not there is ENOENT, below a file ENOTDIR, in a circle of links ELOOP',
    /^stat of nowhere: expected an error with the code ENOENT, got the code undefined \(Error: no such file\)$/,
  ],
  [
    'has the times in milliseconds',
    stats(({ mtimeNs }) => ({ mtimeNs: mtimeNs / 1_000_000n })),
    'the time is that of the last change of the content, in nanoseconds since the epoch',
    /^the time of 2001-09-09 01:46:40 UTC: expected "1000000000000000000n", got "1000000000000n"$/,
  ],
  [
    'leaves the kind in the mode',
    stats(({ mode }) => ({ mode: mode + 0o100000 })),
    'the mode has all permission bits, and no others',
    /^the mode of a file: expected "640", got "100640"$/,
  ],
  [
    'tells files by their paths',
    files((good) => ({ stat: async (path) => ({ ...(await good.stat(path)), id: path }) })),
    'the id is that of the very file, by whatever name, until another takes its place',
    /^the ids of its names, after an append: expected/,
  ],
  [
    'counts characters',
    stats(({ size }) => ({ size: size === 9n ? 3n : size })),
    'the size is that of the content in bytes, and goes with it',
    /^the size of 3 characters in 9 bytes: expected "9n", got "3n"$/,
  ],
  [
    'tells where a link leads',
    files((good) => ({ readlink: good.realpath })),
    'readlink is what is written in a link, to the character',
    /ENOENT/,
  ],
  [
    'hides what is hidden',
    files((good) => ({
      async *list(path) {
        for await (const entry of good.list(path)) if (!entry.name.startsWith('.')) yield entry
      },
    })),
    'lists what is in a folder, hidden things too, each with the kind of the entry itself',
    /^the entries: expected .*"\.\.two"/,
  ],
  [
    'pastes paths into scripts',
    (good) =>
      files(() => ({
        makeFolder: async (path) => {
          const request = { cwd: '/', env: { PATH: process.env['PATH']! }, timeoutMs: 20_000, onOutput: () => {}, tellsFolder: false }
          await good.run({ ...request, command: `mkdir -p "${path}"`, signal: new AbortController().signal })
        },
      }))(good),
    'folders may have any name',
    /ENOENT/,
  ],
  [
    'says that a folder that is there is in the way',
    files((good) => ({
      async makeFolder(path) {
        if ((await good.stat(path).catch(() => undefined)) !== undefined) throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' })
        await good.makeFolder(path)
      },
    })),
    'makes a folder with all above it; one that is there is no failure',
    /^EEXIST$/,
  ],
  [
    'opens by the path, and reads by the path again',
    files((good) => ({
      open: async (path) => ({
        stat: () => good.stat(path),
        async read(into, position) {
          const file = await good.open(path)
          try {
            return await file.read(into, position)
          } finally {
            await file.close()
          }
        },
        close: async () => {},
      }),
    })),
    'an open file never becomes the one that takes its place',
    /^what an open file reads when another was renamed over it \(or ESTALE\): byte 0 is 110, expected 111$/,
  ],
  [
    'does not look at positions',
    files((good) => ({
      async open(path) {
        const file = await good.open(path)
        return { ...file, read: (into) => file.read(into, 0) }
      },
    })),
    'reads any bytes, in pieces, from any position, in any order',
    /^the bytes from 200 to 256: byte 0 is 13, expected/,
  ],
  [
    'writes texts',
    files((good) => ({
      async create(path) {
        const file = await good.create(path)
        return { ...file, write: (data, like) => file.write(bytes(text(data)), like) }
      },
    })),
    'makes an empty file at once, and writes any bytes into it',
    /^a file that was written \(binary\), its length: expected 256, got \d+$/,
  ],
  [
    'forgets the mode',
    files((good) => ({
      async create(path) {
        const file = await good.create(path)
        return { ...file, write: (data) => file.write(data) }
      },
    })),
    'a file that is to replace another gets its mode',
    /^the mode: expected "755", got "644"$/,
  ],
  [
    'writes over what is there',
    files((good) => ({
      async create(path) {
        await good.remove(path).catch(() => {})
        return await good.create(path)
      },
    })),
    'makes no file where there is anything, a link that leads nowhere included',
    /^create over file: expected an error with the code EEXIST, and it ended well/,
  ],
  [
    'refuses to rename over a file',
    files((good) => ({
      async rename(from, to) {
        if ((await good.lstat(to).catch(() => undefined)) !== undefined) throw Object.assign(new Error('is there'), { code: 'EEXIST' })
        await good.rename(from, to)
      },
    })),
    'a rename takes the place of what is there, a link itself and not what it leads to',
    /^is there$/,
  ],
  [
    'renames in two steps',
    files((good) => ({
      async rename(from, to) {
        await good.remove(to)
        await new Promise((resolve) => setTimeout(resolve, 50))
        await good.rename(from, to)
      },
    })),
    'whoever looks while one is renamed over another sees the old or the new',
    /^while a file was renamed over it, reading it failed: Error: ENOENT/,
  ],
  [
    'removes what a link leads to',
    files((good) => ({ remove: async (path) => await good.remove(await good.realpath(path)) })),
    'removes a file, or a link and not what it leads to, and no folder',
    /^link, which was removed: expected an error with the code ENOENT, and it ended well/,
  ],
  [
    'answers something else at once',
    files((good) => ({ atOnce: { ...good.atOnce!, realpath: (path) => path } })),
    'what is answered at once is what the others answer',
    /^atOnce\.realpath\(".*\/link"\): expected ".*\/file", got ".*\/link"$/,
  ],
  [
    'cuts characters',
    (good) => ({
      ...good,
      run: (request) => good.run({ ...request, onOutput: (said) => request.onOutput(said.replaceAll(/[^\0-\x7f]/g, '\ufffd\ufffd')) }),
    }),
    'never cuts a character, and loses no byte that is none',
    /^the output: expected "aäb😀/,
  ],
  [
    'loses output',
    (good) => {
      let count = 0
      return {
        ...good,
        run: (request) => good.run({ ...request, onOutput: (said) => (++count === 3 ? undefined : request.onOutput(said)) }),
      }
    },
    'gives all of a large output',
    /^characters of an output: expected 2200000, got \d+$/,
  ],
  [
    'starts elsewhere',
    commands(() => ({ cwd: '/' })),
    'starts in the folder that it is told, by whatever name',
    /^the folder: expected ".*\/plain\\n", got "\/\\n"$/,
  ],
  [
    'gives commands the environment of this program',
    commands(({ env }) => ({ env: { HOME: '/root', ...env } })),
    'has the environment that it is given, and no other',
    /^the names: expected .*, got .*"HOME"/,
  ],
  [
    'does not follow the shell',
    commands(
      () => ({}),
      ({ folder }) => ({ folder: folder && '/' }),
    ),
    'tells in which folder the shell ended, without links, if it is asked',
    /^the folder after cd sub: expected ".*\/sub", got "\/"$/,
  ],
  [
    'takes any end for its own',
    commands(
      () => ({}),
      () => ({ killedBy: undefined }),
    ),
    'a signal that ends the shell is told by its name and as 128 and its number',
    /^the end of a shell by SIGKILL: expected \["exited",137,"SIGKILL"\], got \["exited",137,null\]$/,
  ],
  [
    'says that nothing holds the output',
    commands(
      () => ({}),
      () => ({ isHeld: false }),
    ),
    'what is left in the background and holds the output goes on, and does not hold the call',
    /^the end of the command: expected \["exited",0,true\], got \["exited",0,false\]$/,
  ],
  [
    'lets what was started go on',
    letsGo,
    'a time limit ends a command with all that it has started, and keeps what it has said',
    /there runs still/,
  ],
  [
    'does not end its jobs',
    (good) => ({ ...good, jobs: { list: () => good.jobs!.list(), end: async () => {} } }),
    'the jobs are listed, oldest first, and ended, those that do not want to included',
    /^the jobs that were ended: of the processes \d+, \d+ there runs still \d+ \d+$/,
  ],
])('a host that %s fails the test that asks for it', async (_, flaw, test, says) => {
  const good = localHost()
  try {
    expect(await saidOf(flaw(good), test)).toMatch(says)
  } finally {
    await good.jobs.end()
  }
})

it.each([
  [undefined, 'undefined'],
  [{ host: localHost() }, 'an object with the host an object and the folder undefined'],
  [{ host: localHost(), folder: 'tmp' }, 'an object with the host an object and the folder "tmp"'],
  [{ host: { run: () => {} }, folder: '/tmp' }, 'an object with the host an object and the folder "/tmp"'],
])('what is no host on which there is a folder is said at once: %#', async (made, said) => {
  const tests: (() => Promise<void>)[] = []
  hostConformance({ test: (_, run) => void tests.push(run) }, () => made as never)
  await expect(tests[0]!()).rejects.toThrow(
    `hostConformance() needs a function that gives { host, folder }, as in { host: localHost(), folder: '/tmp/empty' }; it gave ${said}.`,
  )
})
