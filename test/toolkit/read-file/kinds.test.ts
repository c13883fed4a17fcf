import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFile, shell } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

const utf16 = (text: string, mark: boolean): Buffer => Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le')
const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16()
const convert = (from: string): string => `Convert it with shell: iconv -f ${from} -t UTF-8 'a.dat'`

test.each<{ title: string; file: Buffer; says: string }>([
  {
    title: 'NUL bytes',
    file: Buffer.from('ab\0cd\n'),
    says: '"a.dat" is a binary file of 6 bytes (a NUL byte at offset 2), which read_file does not show. Look at it with shell, for example: file \'a.dat\'',
  },
  {
    title: 'bytes that are no text of any kind',
    file: Buffer.from([1, 2, 3, 0xff, 5, 6, 7]),
    says: '"a.dat" is a binary file of 7 bytes (bytes that are no UTF-8 at offset 3), which read_file does not show. Look at it with shell, for example: file \'a.dat\'',
  },
  {
    title: 'a PDF',
    file: Buffer.from('%PDF-1.4\n%\xe2\xe3\n', 'latin1'),
    says: '"a.dat" is a binary file of 13 bytes (a PDF document), which read_file does not show. Look at it with shell, for example: file \'a.dat\'',
  },
  {
    title: 'Latin-1',
    file: Buffer.from('caf\xe9 au lait\n', 'latin1'),
    says: `"a.dat" is text, but its encoding is not UTF-8 (byte 0xe9 at offset 3; perhaps Latin-1); read_file shows UTF-8. ${convert('ISO-8859-1')}`,
  },
  {
    title: 'UTF-16, little-endian',
    file: utf16('hello\n', true),
    says: `"a.dat" is text, but its encoding is UTF-16 (little-endian); read_file shows UTF-8. ${convert('UTF-16')}`,
  },
  {
    title: 'UTF-16, big-endian',
    file: swapped(utf16('hello\n', true)),
    says: `"a.dat" is text, but its encoding is UTF-16 (big-endian); read_file shows UTF-8. ${convert('UTF-16')}`,
  },
  {
    title: 'UTF-16 without a mark',
    file: utf16('hello\n', false),
    says: `"a.dat" is text, but its encoding is UTF-16 (little-endian, without a byte-order mark); read_file shows UTF-8. ${convert('UTF-16LE')}`,
  },
  {
    title: 'UTF-16 without a mark, big-endian',
    file: swapped(utf16('hello\n', false)),
    says: `"a.dat" is text, but its encoding is UTF-16 (big-endian, without a byte-order mark); read_file shows UTF-8. ${convert('UTF-16BE')}`,
  },
  {
    title: 'UTF-32',
    file: Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]),
    says: `"a.dat" is text, but its encoding is UTF-32; read_file shows UTF-8. ${convert('UTF-32')}`,
  },
])('$title', async ({ file, says }) => {
  const workspace = await workspaceWith({ 'a.dat': file })
  expect(await failureOf(readFile({ workspace })({ path: 'a.dat' }))).toBe(says)
})

test('a character that lies across the end of the sample is no damage', async () => {
  const workspace = await workspaceWith({ 'a.txt': `${'a'.repeat(8190)}🙂\n` })
  expect(await readFile({ workspace })({ path: 'a.txt' })).toMatch(/^1\ta+ \[… the line is cut here/)
})

test('a folder', async () => {
  const workspace = await workspaceWith({ 'src/a.txt': '' })
  expect(await failureOf(readFile({ workspace })({ path: 'src' }))).toBe(
    '"src" is a folder, not a file. Use list_dir to see what is in it.',
  )
})

test('a FIFO and a device are refused without opening them, through a link too', async () => {
  const workspace = await workspaceWith()
  await shell({ workspace })({ command: 'mkfifo pipe' })
  await symlink('pipe', join(workspace, 'link'))
  const read = readFile({ workspace })
  expect(await failureOf(read({ path: 'pipe' }))).toBe('"pipe" is a named pipe (FIFO), not a regular file, and was not opened.')
  expect(await failureOf(read({ path: 'link' }))).toBe('"link" is a named pipe (FIFO), not a regular file, and was not opened.')
  expect(await failureOf(read({ path: '/dev/zero' }))).toBe('"/dev/zero" is a device, not a regular file, and was not opened.')
})

test('a link is followed, also out of the workspace; one that leads in a circle is an error', async () => {
  const outside = await workspaceWith({ 'a.txt': 'outside\n' })
  const workspace = await workspaceWith()
  await symlink(join(outside, 'a.txt'), join(workspace, 'out'))
  await symlink('circle', join(workspace, 'circle'))
  const read = readFile({ workspace })
  expect(await read({ path: 'out' })).toBe('1\toutside')
  expect(await failureOf(read({ path: 'circle' }))).toBe('"circle" is a link that leads in a circle.')
})
