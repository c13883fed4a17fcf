import { expect, test } from 'vitest'
import { readFile } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'

const block = 256 * 1024

test('what looks like a byte-order mark at the beginning of a later block is text', async () => {
  const file = `${'a'.repeat(block - 1)}\n\ufeffend\n`
  const workspace = await workspaceWith({ 'a.txt': file })
  expect(await readFile({ workspace })({ path: 'a.txt', offset: 2 })).toBe('2\t\ufeffend\n[Lines 2-2 of 2: the end of the file.]')
})

test('a character that begins like a byte-order mark is one', async () => {
  const workspace = await workspaceWith({ 'a.txt': '\ufefcx\n' })
  expect(await readFile({ workspace })({ path: 'a.txt' })).toBe('1\t\ufefcx')
})
