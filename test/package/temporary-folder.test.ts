import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import temporaryFolder from '../../scripts/temporary-folder.ts'

it('a run of the tests has a temporary folder of its own', () => expect(basename(tmpdir())).toMatch(/^lena-tests-\w+$/))

it('it goes with all that is in it, and the one before is the one again', () => {
  const before = tmpdir()
  const end = temporaryFolder()
  const folder = tmpdir()
  writeFileSync(join(folder, 'left'), 'behind')
  expect(folder.startsWith(join(before, 'lena-tests-'))).toBe(true)
  end()
  expect([existsSync(folder), tmpdir()]).toEqual([false, before])
})
