import { expect, test } from 'vitest'
import type { FileLog } from '../../../src/toolkit/index.ts'
import { session } from '../support/session.ts'
import { failureOf } from '../support/workspace.ts'

test.each<{ title: string; before: string; old: string; text: string; after: string }>([
  { title: 'CRLF, asked for with LF', before: 'a\r\nb\r\nc\r\n', old: 'a\nb\n', text: 'x\ny\nz\n', after: 'x\r\ny\r\nz\r\nc\r\n' },
  { title: 'CRLF, asked for with CRLF', before: 'a\r\nb\r\n', old: 'a\r\nb', text: 'x\r\ny', after: 'x\r\ny\r\n' },
  { title: 'LF, asked for with CRLF', before: 'a\nb\n', old: 'a\r\nb', text: 'x\r\ny', after: 'x\ny\n' },
  { title: 'mixed, each in its place', before: 'a\r\nb\nc\r\n', old: 'a\nb\nc\n', text: 'A\nB\nC\n', after: 'A\r\nB\nC\r\n' },
  { title: 'mixed, a line more in the middle', before: 'a\r\nb\nc\r\n', old: 'a\nb\n', text: 'a\nx\nb\n', after: 'a\r\nx\nb\nc\r\n' },
  { title: 'mixed, a line less', before: 'a\r\nb\nc\r\n', old: 'b\n', text: '', after: 'a\r\nc\r\n' },
  { title: 'a lone CR is a character', before: 'a\rb\r\n', old: 'a\rb', text: 'c\rd', after: 'c\rd\r\n' },
  { title: 'no newline at the end', before: 'a\r\nb', old: 'b', text: 'b\nc', after: 'a\r\nb\r\nc' },
  { title: 'lines after the only one, which has no end', before: 'a', old: 'a', text: 'a\nb\n', after: 'a\nb\n' },
  { title: 'a byte-order mark', before: '\ufeffa\r\nb\r\n', old: 'a\n', text: 'x\ny\n', after: '\ufeffx\r\ny\r\nb\r\n' },
])('$title', async ({ before, old, text, after }) => {
  const { edit, text: now } = await session(before)
  await edit({ old, new: text })
  expect(await now()).toBe(after)
})

test('quotes, dashes and spaces of another kind fit when nothing fits exactly; the file keeps its own', async () => {
  const { edit, text } = await session('say \u201chello\u201d \u2013 it\u2019s\u00a0here\n')
  expect(await edit({ old: 'say "hello" - it\'s here', new: 'say "goodbye" - it\'s here' })).toBe(
    [
      'Edited a.txt (1 replacement, line 1; now 1 line).',
      '[The old text fits only with quotes, dashes or spaces of another kind; the file keeps its own where they do not change.]',
      '@@ -1,1 +1,1 @@',
      '-say \u201chello\u201d \u2013 it\u2019s\u00a0here',
      '+say \u201cgoodbye\u201d \u2013 it\u2019s\u00a0here',
    ].join('\n'),
  )
  expect(await text()).toBe('say \u201cgoodbye\u201d \u2013 it\u2019s\u00a0here\n')
})

test('what fits exactly comes before what is only alike, and what is alike must be unique too', async () => {
  const { edit, text } = await session("it\u2019s it's\n")
  await edit({ old: "it's", new: 'is' })
  expect(await text()).toBe('it\u2019s is\n')
  const other = await session('\u201ca\u201d \u201ea\u201c\n')
  expect(await failureOf(other.edit({ old: '"a"', new: 'b' }))).toMatch(/^The old text is in the file 2 times, in line 1/)
})

test.each<[string, Uint8Array, RegExp]>([
  [
    'UTF-16',
    Buffer.from('\ufeffhello\n', 'utf16le'),
    /^"a\.txt" is text, but its encoding is UTF-16 \(little-endian\); edit_file changes UTF-8 only/,
  ],
  ['Latin-1', Buffer.from('caf\xe9 hello\n', 'latin1'), /^"a\.txt" is text, but its encoding is not UTF-8/],
  [
    'bytes that are no UTF-8, late in the file',
    Buffer.concat([Buffer.from('hello\n'.padEnd(9000, 'x')), Buffer.from([0xff, 0x0a])]),
    /^"a\.txt" holds bytes that are no UTF-8/,
  ],
  ['binary', Buffer.from('hello\0\n'), /^"a\.txt" is a binary file/],
])('%s is refused, and stays as it is', async (_, content, says) => {
  // The model knows the file, so that it is the encoding that is refused.
  const files: FileLog = { knows: () => 'known', sawAll() {}, sawLines() {} }
  const { edit, bytes } = await session(content, { files })
  expect(await failureOf(edit({ old: 'hello', new: 'x' }))).toMatch(says)
  expect(Buffer.compare(await bytes(), content)).toBe(0)
})

test('a line of a million characters is edited and shown cut', async () => {
  const line = 'x'.repeat(1_000_000)
  const { edit, text } = await session(`${line}hit${line}\n`)
  const said = await edit({ old: 'hit', new: 'changed' })
  expect(said.length).toBeLessThan(1000)
  expect(await text()).toBe(`${line}changed${line}\n`)
})
