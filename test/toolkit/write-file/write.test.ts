import { chmod, chown, link, mkdir, readdir, readFile as read, readlink, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolkit, writeFile } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

/** Reads and writes with what one session knows. */
function session(workspace: string) {
  const [readFile, , write] = toolkit({ workspace })
  const context = { signal: new AbortController().signal } as never
  return {
    read: async (path: string, offset?: number) => readFile!.run({ path, offset, limit: undefined }, context) as Promise<string>,
    write: async (path: string, content: string) => write!.run({ path, content }, context) as Promise<string>,
  }
}

test('makes a file and the folders on the way', async () => {
  const workspace = await workspaceWith()
  expect(await writeFile({ workspace })({ path: 'a/b/c.txt', content: 'größe\n🙂\n' })).toBe('Created a/b/c.txt (2 lines, 13 bytes).')
  expect(await read(join(workspace, 'a/b/c.txt'), 'utf8')).toBe('größe\n🙂\n')
  expect(await readdir(join(workspace, 'a/b'))).toEqual(['c.txt'])
})

test('replaces a file that was read, keeps its mode and shows the difference', async () => {
  const workspace = await workspaceWith({ 'run.sh': 'a\nb\nc\nd\ne\nf\ng\nh\n' })
  await chmod(join(workspace, 'run.sh'), 0o750)
  const { read: readTool, write } = session(workspace)
  await readTool('run.sh')
  expect(await write('run.sh', 'a\nb\nc\nd\ne\nF\ng\nh\nnew\n')).toBe(
    ['Overwrote run.sh (9 lines, 20 bytes; before: 16 bytes).', '@@ -3,6 +3,7 @@', ' c', ' d', ' e', '-f', '+F', ' g', ' h', '+new'].join(
      '\n',
    ),
  )
  expect({ mode: (await stat(join(workspace, 'run.sh'))).mode & 0o777, text: await read(join(workspace, 'run.sh'), 'utf8') }).toEqual({
    mode: 0o750,
    text: 'a\nb\nc\nd\ne\nF\ng\nh\nnew\n',
  })
  expect(await readdir(workspace)).toEqual(['run.sh'])
})

test('what was written may be written again; the same content is not', async () => {
  const workspace = await workspaceWith()
  const { write } = session(workspace)
  await write('a.txt', 'one\n')
  const before = (await stat(join(workspace, 'a.txt'), { bigint: true })).ino
  expect(await write('a.txt', 'one\n')).toBe('a.txt already has exactly this content (1 line, 4 bytes). Nothing was written.')
  expect((await stat(join(workspace, 'a.txt'), { bigint: true })).ino).toBe(before)
  expect(await write('a.txt', 'two')).toBe('Overwrote a.txt (1 line, 3 bytes; before: 4 bytes).\n@@ -1,1 +1,1 @@\n-one\n+two')
  expect(await write('a.txt', 'two\n')).toBe(
    'Overwrote a.txt (1 line, 4 bytes; before: 3 bytes).\n[Only the end of the last line changed.]',
  )
})

test('content is written exactly, also what looks like a replacement pattern', async () => {
  const workspace = await workspaceWith({ 'a.js': 'log("done");' })
  const { read: readTool, write } = session(workspace)
  await readTool('a.js')
  const content = 'log("$& ok $$1 $\' $`");\r\n\ttab\n'
  await write('a.js', content)
  expect(await read(join(workspace, 'a.js'), 'utf8')).toBe(content)
})

test('says when line ends and byte-order mark are lost', async () => {
  const workspace = await workspaceWith({ 'a.txt': '\ufeffone\r\ntwo\r\n' })
  const { read: readTool, write } = session(workspace)
  await readTool('a.txt')
  expect(await write('a.txt', 'one\ntwo\n')).toBe(
    [
      'Overwrote a.txt (2 lines, 8 bytes; before: 13 bytes).',
      '[The line ends were CRLF and are LF now.]',
      '[The byte-order mark at the start is gone.]',
      '@@ -1,2 +1,2 @@',
      '-\ufeffone\\r',
      '-two\\r',
      '+one',
      '+two',
    ].join('\n'),
  )
})

test('a link stays, its target is written, also one that does not exist yet', async () => {
  const workspace = await workspaceWith({ 'real.txt': 'old\n' })
  await symlink('real.txt', join(workspace, 'link'))
  await symlink('sub/new.txt', join(workspace, 'dangling'))
  const { read: readTool, write } = session(workspace)
  await readTool('real.txt')
  expect(await write('link', 'new\n')).toBe('Overwrote link (1 line, 4 bytes; before: 4 bytes).\n@@ -1,1 +1,1 @@\n-old\n+new')
  expect(await write('dangling', 'x\n')).toBe('Created dangling (1 line, 2 bytes).')
  expect({
    link: await readlink(join(workspace, 'link')),
    real: await read(join(workspace, 'real.txt'), 'utf8'),
    made: await read(join(workspace, 'sub/new.txt'), 'utf8'),
  }).toEqual({ link: 'real.txt', real: 'new\n', made: 'x\n' })
})

test.runIf(process.getuid?.() === 0)('the owner stays who he is', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'old\n' })
  await chown(join(workspace, 'a.txt'), 1234, 2345)
  const { read: readTool, write } = session(workspace)
  await readTool('a.txt')
  await write('a.txt', 'new\n')
  const { uid, gid } = await stat(join(workspace, 'a.txt'))
  expect({ uid, gid }).toEqual({ uid: 1234, gid: 2345 })
})

test('other names of the file keep the old content, and it says so', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'old\n' })
  await link(join(workspace, 'a.txt'), join(workspace, 'b.txt'))
  const { read: readTool, write } = session(workspace)
  await readTool('a.txt')
  expect(await write('a.txt', 'new\n')).toContain('[The file had 1 other name (hard links); the old content stays there.]')
  expect(await read(join(workspace, 'b.txt'), 'utf8')).toBe('old\n')
})

test('a name as long as names can be', async () => {
  const workspace = await workspaceWith()
  const name = 'x'.repeat(255)
  await writeFile({ workspace })({ path: name, content: 'x' })
  expect(await readdir(workspace)).toEqual([name])
})

test('a folder, a device, a path through a file and half a character are refused', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'x' })
  await mkdir(join(workspace, 'src'))
  const { write } = session(workspace)
  expect(await failureOf(write('src', 'x'))).toBe('"src" is a folder. Give the path of a file in it.')
  expect(await failureOf(write('/dev/null', 'x'))).toBe('"/dev/null" is a device, not a regular file, and was not opened.')
  expect(await failureOf(write('a.txt/b', 'x'))).toBe('A part of "a.txt/b" is a file, not a folder.')
  expect(await failureOf(write('b.txt', 'a\ud83d'))).toBe(
    'content holds half of a character (a lone surrogate) at index 1. Nothing was written; send the content again without it.',
  )
})
