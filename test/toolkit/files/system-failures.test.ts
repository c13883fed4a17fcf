import { expect, test } from 'vitest'
import { fileLog, localHost, readFile, writeFile } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

/** This machine, whose files cannot be opened for that reason. */
function failing(code: string | undefined) {
  const here = localHost()
  const open = async (): Promise<never> => {
    throw Object.assign(new Error('as the system says it'), { code })
  }
  return { ...here, files: { ...here.files, open } }
}

test.each([
  ['EACCES', 'No permission for "a.txt".'],
  ['EPERM', 'The system does not permit this for "a.txt".'],
  ['EROFS', '"a.txt" is on a file system that is read-only.'],
  ['ENOSPC', 'No space is left on the device of "a.txt". Nothing was changed.'],
  ['EDQUOT', 'The disk quota is used up, so "a.txt" was not written. Nothing was changed.'],
  ['ELOOP', '"a.txt" is a link that leads in a circle.'],
  ['ENAMETOOLONG', 'The name is too long: "a.txt".'],
  ['ENOTDIR', 'A part of "a.txt" is a file, not a folder.'],
  ['EMFILE', 'Too many files are open to open "a.txt". Try again.'],
  ['EIO', '"a.txt": as the system says it'],
  [undefined, 'as the system says it'],
])('%s', async (code, says) => {
  const workspace = await workspaceWith({ 'a.txt': '' })
  expect(await failureOf(readFile({ workspace, host: failing(code) })({ path: 'a.txt' }))).toBe(says)
})

test('a file that the user may not write is not replaced, although the system would let him', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'old' })
  const here = localHost()
  const checkWritable = () => Promise.reject(Object.assign(new Error('denied'), { code: 'EACCES' }))
  const options = { workspace, files: fileLog(), host: { ...here, files: { ...here.files, checkWritable } } }
  await readFile(options)({ path: 'a.txt' })
  expect(await failureOf(writeFile(options)({ path: 'a.txt', content: 'new' }))).toBe('No permission for "a.txt".')
  expect(await readFile(options)({ path: 'a.txt' })).toMatch(/^1\told/)
})

test('of a folder that never ends 5,000 names are looked at for the one that was meant', async () => {
  const here = localHost()
  let given = 0
  async function* list() {
    for (;;) yield { name: `${given++}`, kind: 'file' as const }
  }
  const host = { ...here, files: { ...here.files, list } }
  expect(await failureOf(readFile({ workspace: await workspaceWith(), host })({ path: 'a.txt' }))).toBe(
    '"a.txt" does not exist. See what is there with list_dir.',
  )
  expect(given).toBe(5000)
})
