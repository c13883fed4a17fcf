import { expect, test } from 'vitest'
import { editFile, glob, grep, listDir, readFile, shell, writeFile } from '../../src/toolkit/index.ts'

test.each([
  ['readFile', readFile],
  ['writeFile', writeFile],
  ['editFile', editFile],
  ['listDir', listDir],
  ['glob', glob],
  ['grep', grep],
  ['shell', shell],
])('%s, made alone, looks at its options, and says whose they are', (name, make: (options: object) => unknown) => {
  expect(() => make({ workspace: '' })).toThrow(`${name}({ workspace }): expected the path of a folder, got ""`)
})
