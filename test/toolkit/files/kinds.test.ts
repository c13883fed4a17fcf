import { execFileSync } from 'node:child_process'
import { chmod, lstat, open, readFile as read, readdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { toolkit } from '../../../src/toolkit/index.ts'
import type { FileLog } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'

/** As if the model knew every file, so that it is the kind of the file that decides. */
const files: FileLog = { knows: () => 'known', sawAll() {}, sawLines() {} }

type Kind = {
  readonly title: string
  readonly make: (path: string) => Promise<unknown>
  /** What each tool says; a text that begins an answer or, with `!`, a refusal. */
  readonly read: string
  readonly edit: string
  readonly write: string
  readonly grep: string
}

const nothing = '[Nothing matches.'
const notRegular = (what: string): Pick<Kind, 'read' | 'edit' | 'write'> => ({
  read: `!"x" is ${what}, not a regular file, and was not opened.`,
  edit: `!"x" is ${what}, not a regular file, and was not opened.`,
  write: `!"x" is ${what}`,
})

/** Mostly a hole, so that it costs no disk. */
async function sparse(path: string): Promise<void> {
  const file = await open(path, 'w')
  await file.write('old\n'.repeat(3000), 0)
  await file.write('\nend\n', 200 * 1024 * 1024)
  await file.close()
}

async function socketAt(path: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
}

test.runIf(process.platform === 'linux').each<Kind>([
  {
    title: 'a named pipe',
    make: async (path) => execFileSync('mkfifo', [path]),
    ...notRegular('a named pipe (FIFO)'),
    grep: '!"x" is a named pipe (FIFO)',
  },
  { title: 'a socket', make: socketAt, ...notRegular('a socket'), grep: '!"x" is a socket' },
  { title: 'a link to a device', make: (path) => symlink('/dev/zero', path), ...notRegular('a device'), grep: '!"x" is a device' },
  {
    title: 'a link to a named pipe',
    make: async (path) => (execFileSync('mkfifo', [`${path}.pipe`]), symlink('x.pipe', path)),
    ...notRegular('a named pipe (FIFO)'),
    grep: '!"x" is a named pipe (FIFO)',
  },
  {
    title: 'a link in a circle',
    make: (path) => symlink('x', path),
    read: '!"x" is a link that leads in a circle',
    edit: '!"x" is a link that leads in a circle',
    write: '!"x" is a link that leads in a circle',
    grep: '!"x" is a link that leads in a circle',
  },
  {
    title: 'a folder',
    make: (path) => import('node:fs/promises').then(({ mkdir }) => mkdir(path)),
    read: '!"x" is a folder',
    edit: '!"x" is a folder',
    write: '!"x" is a folder',
    grep: nothing,
  },
  { title: '200 MB', make: sparse, read: '1\told\n', edit: '!"x" has 209715205 bytes', write: 'Overwrote x', grep: nothing },
  {
    title: 'a read-only file',
    make: async (path) => (await writeFile(path, 'old\n'), chmod(path, 0o444)),
    read: '1\told',
    edit: '!',
    write: '!',
    grep: 'x\n1:old',
  },
  {
    title: 'UTF-16',
    make: (path) => writeFile(path, Buffer.from('\ufeffold\n', 'utf16le')),
    read: '!"x" is text, but its encoding is UTF-16',
    edit: '!"x" is text, but its encoding is UTF-16',
    write: 'Overwrote x',
    grep: 'x\n1:old',
  },
  {
    title: 'a binary file',
    make: (path) => writeFile(path, 'old\n\0'),
    read: '!"x" is a binary file',
    edit: '!"x" is a binary file',
    write: 'Overwrote x',
    grep: nothing,
  },
  {
    title: 'a line of a million characters',
    make: (path) => writeFile(path, `${'y'.repeat(1_000_000)}old\n`),
    read: '1\tyyyy',
    edit: 'Edited x',
    write: 'Overwrote x',
    grep: 'x\n1:',
  },
])('$title', { timeout: 60_000 }, async ({ make, read: reads, edit, write, grep }) => {
  const workspace = await workspaceWith({ other: 'old\n' })
  const path = join(workspace, 'x')
  await make(path)
  const before = await lstat(path)
  const names = await readdir(workspace)
  const kit = toolkit({ workspace, files })
  const call = async (name: string, input: object): Promise<string> => {
    try {
      return (await kit.find((tool) => tool.name === name)!.run(input, { signal: new AbortController().signal } as never)) as string
    } catch (error) {
      return `!${(error as Error).message}`
    }
  }
  const said = {
    read: await call('read_file', { path: 'x', limit: 1 }),
    grep: await call('grep', { pattern: 'old', path: 'x' }),
    edit: await call('edit_file', { path: 'x', old: 'old', new: 'new' }),
  }
  const refused = edit.startsWith('!') ? await lstat(path) : undefined
  const written = await call('write_file', { path: 'x', content: 'new\n' })
  const begins = (text: string, beginning: string) => (text.startsWith(beginning) ? beginning : text)
  expect({
    read: begins(said.read, reads),
    grep: begins(said.grep, grep),
    edit: begins(said.edit, edit),
    write: begins(written, write),
  }).toEqual({
    read: reads,
    grep,
    edit,
    write,
  })
  // What is refused stays as it is, and nothing else comes into being.
  if (refused) expect([refused.ino, refused.size, refused.mtimeMs]).toEqual([before.ino, before.size, before.mtimeMs])
  if (!write.startsWith('!')) expect(await read(path, 'utf8')).toBe('new\n')
  expect(await readdir(workspace)).toEqual(names)
})

test('links out of the workspace are written through, and such a write may not be undone unasked', async () => {
  const outside = await workspaceWith({ 'a.txt': 'old\n' })
  const workspace = await workspaceWith()
  await symlink(join(outside, 'a.txt'), join(workspace, 'x'))
  await symlink(outside, join(workspace, 'folder'))
  const kit = toolkit({ workspace, files })
  const writeFileTool = kit.find(({ name }) => name === 'write_file')!
  const isDestructive = writeFileTool.isDestructive as (input: object) => boolean
  expect(['x', 'folder/new', 'folder/a.txt', 'inside'].map((path) => isDestructive({ path, content: '' }))).toEqual([
    true,
    true,
    true,
    false,
  ])
})
