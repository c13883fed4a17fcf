import { expect, test } from 'vitest'
import { readFile } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

const numbers = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\tline ${from + index}`).join('\n')
const fileOf = (lines: number): string => Array.from({ length: lines }, (_, index) => `line ${index + 1}\n`).join('')

test.each<{ title: string; file: string | Uint8Array; input?: { offset?: number; limit?: number }; shown: string }>([
  { title: 'a whole file has no notes', file: 'one\ntwo\n', shown: '1\tone\n2\ttwo' },
  { title: 'blank lines are lines', file: '\n\nx\n', shown: '1\t\n2\t\n3\tx' },
  { title: 'no newline at the end', file: 'one\ntwo', shown: '1\tone\n2\ttwo\n[The last line has no newline at its end.]' },
  { title: 'an empty file', file: '', shown: '[The file is empty.]' },
  { title: 'nothing but a byte-order mark', file: '\ufeff', shown: '[The file is empty but for a byte-order mark.]' },
  { title: 'CRLF', file: 'one\r\ntwo\r\n', shown: '1\tone\n2\ttwo\n[The lines end in CRLF.]' },
  { title: 'mixed line ends', file: 'one\r\ntwo\nthree\n', shown: '1\tone\n2\ttwo\n3\tthree\n[The line ends are mixed: 1 CRLF, 2 LF.]' },
  { title: 'a byte-order mark', file: '\ufeffone\n', shown: '1\tone\n[The file begins with a byte-order mark (BOM), which is not shown.]' },
  {
    title: 'a limit',
    file: fileOf(5),
    input: { limit: 2 },
    shown: `${numbers(1, 2)}\n[Lines 1-2 of 5. 3 lines are left: go on with offset=3.]`,
  },
  {
    title: 'an offset is the number that is shown',
    file: fileOf(5),
    input: { offset: 3, limit: 2 },
    shown: `${numbers(3, 4)}\n[Lines 3-4 of 5. 1 line is left: go on with offset=5.]`,
  },
  { title: 'the last page', file: fileOf(5), input: { offset: 5 }, shown: `${numbers(5, 5)}\n[Lines 5-5 of 5: the end of the file.]` },
  {
    title: 'more lines than the default',
    file: fileOf(2001),
    shown: `${numbers(1, 2000)}\n[Lines 1-2000 of 2001. 1 line is left: go on with offset=2001.]`,
  },
  { title: 'non-ASCII text', file: 'größe 你好 🙂\n', shown: '1\tgröße 你好 🙂' },
  {
    title: 'bytes behind the first block that are no text',
    file: Buffer.concat([Buffer.from(`${'a'.repeat(99)}\n`.repeat(90)), Buffer.from([0x62, 0xff, 0x00, 0x0a])]),
    input: { offset: 91 },
    shown: '91\tb\ufffd\ufffd\n[Lines 91-91 of 91: the end of the file.]\n[1 line holds bytes that are not UTF-8 text, shown as \ufffd.]',
  },
])('$title', async ({ file, input, shown }) => {
  const workspace = await workspaceWith({ 'a.txt': file })
  expect(await readFile({ workspace })({ path: 'a.txt', ...input })).toBe(shown)
})

test('a long line is cut between characters, and says how to see the rest', async () => {
  const workspace = await workspaceWith({ 'a b.txt': `short\n${'a'.repeat(1999)}🙂${'b'.repeat(500)}\n` })
  expect(await readFile({ workspace })({ path: 'a b.txt' })).toBe(
    [
      '1\tshort',
      `2\t${'a'.repeat(1999)} [… the line is cut here; it has 2503 bytes]`,
      "[Lines are cut at 2000 characters. The rest of one can be had with shell, for example: sed -n 2p 'a b.txt' | cut -c 2001-4000]",
    ].join('\n'),
  )
})

test('lines of 2,000 characters are whole, also of three bytes each', async () => {
  const workspace = await workspaceWith({ 'a.txt': `${'你'.repeat(2000)}\n${'a'.repeat(2000)}\n` })
  expect(await readFile({ workspace })({ path: 'a.txt' })).toBe(`1\t${'你'.repeat(2000)}\n2\t${'a'.repeat(2000)}`)
})

test('all lines together have at most 100,000 characters, and the next offset goes on without a gap', async () => {
  const workspace = await workspaceWith({ 'a.txt': `${'x'.repeat(1000)}\n`.repeat(150) })
  const read = readFile({ workspace })
  const first = (await read({ path: 'a.txt' })) as string
  expect(first.length).toBeLessThan(100_200)
  const next = Number(/offset=(\d+)/.exec(first)?.[1])
  const second = (await read({ path: 'a.txt', offset: next })) as string
  const numbersOf = (text: string): number[] => [...text.matchAll(/^(\d+)\t/gm)].map(([, number]) => Number(number))
  expect([...numbersOf(first), ...numbersOf(second)]).toEqual(Array.from({ length: 150 }, (_, index) => index + 1))
})

test('a line break or a character on the edge of a block is read whole', async () => {
  const block = 256 * 1024
  // The CR is the last byte of the first block; further on a four-byte character lies across the edge of the next one.
  const start = `${'a'.repeat(block - 1)}\r\n`
  const text = `${start}${'b'.repeat(2 * block - Buffer.byteLength(start) - 2)}\n🙂\nend\n`
  const workspace = await workspaceWith({ 'a.txt': text })
  const shown = (await readFile({ workspace })({ path: 'a.txt', offset: 3 })) as string
  expect(shown).toBe('3\t🙂\n4\tend\n[Lines 3-4 of 4: the end of the file.]\n[The line ends are mixed: 1 CRLF, 3 LF.]')
})

test('an offset behind the end says how many lines there are', async () => {
  const workspace = await workspaceWith({ 'a.txt': fileOf(3) })
  expect(await failureOf(readFile({ workspace })({ path: 'a.txt', offset: 4 }))).toBe('offset=4 is past the end: "a.txt" has 3 lines.')
})

test.each([0, -1, 1.5, Number.NaN])('offset %s is refused', async (offset) => {
  const workspace = await workspaceWith({ 'a.txt': 'x\n' })
  expect(await failureOf(readFile({ workspace })({ path: 'a.txt', offset }))).toBe(
    `offset must be a whole number of at least 1, got ${offset}. The first line is line 1.`,
  )
})
