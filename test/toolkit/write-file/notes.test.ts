import { expect, test } from 'vitest'
import { fileLog, memoryUndo, writeFile } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'

/** What is said of the second of two contents that are written into one file. */
async function overwriting(before: string, after: string): Promise<string> {
  const workspace = await workspaceWith()
  const write = writeFile({ workspace, files: fileLog(), undo: memoryUndo() })
  await write({ path: 'a.txt', content: before })
  return await write({ path: 'a.txt', content: after })
}

/** The notes alone: neither the first line nor the difference. */
const notesOn = async (before: string, after: string): Promise<readonly string[]> =>
  (await overwriting(before, after)).split('\n').filter((line) => line.startsWith('['))

test.each([
  ['a\nb\n', 'a\r\nb\r\n', ['[The line ends were LF and are CRLF now.]']],
  ['a\r\nb\n', 'a\nb\n', ['[The line ends were mixed and are LF now.]']],
  ['a\r\nb\r\n', 'a\r\nb\n', ['[The line ends were CRLF and are mixed now.]']],
  ['a\r\nb\r\n', 'b\r\na\r\n', []],
  ['a\r\nb\r\n', 'no line end', []],
  ['no line end', 'a\r\nb\r\n', []],
] as const)('line ends: %j becomes %j', async (before, after, notes) => {
  expect(await notesOn(before, after)).toEqual(notes)
})

test.each([
  ['\ufeffa', 'b', ['[The byte-order mark at the start is gone.]']],
  ['\ufeffa', '\ufeffb', []],
  ['a', '\ufeffb', []],
  ['a', 'b', []],
] as const)('byte-order mark: %j becomes %j', async (before, after, notes) => {
  expect(await notesOn(before, after)).toEqual(notes)
})

test('what is no text is not compared', async () => {
  expect(await overwriting('a\0b', 'new\n')).toBe(
    'Overwrote a.txt (1 line, 4 bytes; before: 3 bytes).\n[The old content was too large, or no text, to show what changed.]',
  )
})

test('a text of 2 MiB is compared, and a larger one is not', async () => {
  const size = 2 * 1024 * 1024
  expect(await overwriting('x'.repeat(size), 'new\n')).toBe(
    `Overwrote a.txt (1 line, 4 bytes; before: ${size} bytes).\n@@ -1,1 +1,1 @@\n-${'x'.repeat(200)}…\n+new`,
  )
  expect(await overwriting('x'.repeat(size + 1), 'new\n')).toBe(
    `Overwrote a.txt (1 line, 4 bytes; before: ${size + 1} bytes).\n[The old content was too large, or no text, to show what changed.]`,
  )
})
