import { expect, test } from 'vitest'
import { localHost, readFile } from '../../../src/toolkit/index.ts'
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
