import { expect, test } from 'vitest'
import type { FileStats, OpenedFile } from '../../../src/host/file-system.ts'
import { localFiles } from '../../../src/host/local-files.ts'
import { openRegular } from '../../../src/toolkit/files/open-regular.ts'
import { failureOf } from '../support/workspace.ts'

type Kind = FileStats['kind']

/** A file that is found to be of one kind, and of another when it is open. */
function becoming(found: Kind, opened: Kind) {
  const did: string[] = []
  const stats = (kind: Kind) => async (): Promise<FileStats> => ({ kind }) as FileStats
  const file = { stat: stats(opened), close: async () => void did.push('close') } as unknown as OpenedFile
  const files = { ...localFiles, stat: stats(found), open: async () => (did.push('open'), file) }
  return { files, did }
}

test.each([
  ['fifo', 'a named pipe (FIFO)'],
  ['socket', 'a socket'],
  ['device', 'a device'],
  ['other', 'something special'],
] as const)('a %s is not opened', async (kind, named) => {
  const { files, did } = becoming(kind, 'file')
  expect([await failureOf(openRegular(files, '/x', 'x')), did]).toEqual([`"x" is ${named}, not a regular file, and was not opened.`, []])
})

test('what has become a pipe by the time it is open is closed again', async () => {
  const { files, did } = becoming('file', 'fifo')
  expect([await failureOf(openRegular(files, '/x', 'x')), did]).toEqual([
    '"x" is a named pipe (FIFO), not a regular file, and was not opened.',
    ['open', 'close'],
  ])
})
