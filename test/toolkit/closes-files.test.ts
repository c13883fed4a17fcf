import { expect, test } from 'vitest'
import { editFile, fileLog, grep, memoryUndo, readFile, undoLast, writeFile } from '../../src/toolkit/index.ts'
import { countingFiles } from './support/counting-files.ts'
import { failureOf, workspaceWith } from './support/workspace.ts'

async function made() {
  const workspace = await workspaceWith({ 'a.txt': 'one\ntwo\n', binary: 'a\0b' })
  const { host, open, opened } = countingFiles()
  return { open, opened, options: { workspace, host, files: fileLog(), undo: memoryUndo() } }
}

test('each file that a tool opens it closes again, also when the call fails', async () => {
  const { open, opened, options } = await made()
  const calls: [string, () => Promise<unknown>][] = [
    ['refused to overwrite', () => failureOf(writeFile(options)({ path: 'a.txt', content: 'new' }))],
    ['refused to edit', () => failureOf(editFile(options)({ path: 'a.txt', old: 'one', new: 'two' }))],
    ['read', () => readFile(options)({ path: 'a.txt' })],
    ['refused to read', () => failureOf(readFile(options)({ path: 'binary' }))],
    ['edited', () => editFile(options)({ path: 'a.txt', old: 'one', new: 'two' })],
    ['overwritten', () => writeFile(options)({ path: 'a.txt', content: 'new' })],
    ['undone', () => undoLast(options.undo, { host: options.host })],
    ['searched', () => grep(options)({ pattern: 'o' })],
  ]
  const counts: [string, number, number][] = []
  for (const [name, call] of calls) {
    const before = opened()
    await call()
    counts.push([name, opened() - before, open()])
  }
  expect(counts.map(([name, , left]) => [name, left])).toEqual(calls.map(([name]) => [name, 0]))
  expect(counts.filter(([, count]) => count === 0)).toEqual([])
})
