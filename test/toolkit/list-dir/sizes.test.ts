import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listDir } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'

const kilo = 1024

test('sizes of files', async () => {
  const sizes = [0, 1023, kilo, 1536, kilo ** 2 - 1, kilo ** 2, 3 * kilo ** 3, 2 * kilo ** 4]
  const workspace = await workspaceWith(Object.fromEntries(sizes.map((_, index) => [`${index}`, ''])))
  // Files with nothing in them take no room on the disk.
  for (const [index, size] of sizes.entries()) await truncate(join(workspace, `${index}`), size)
  expect(await listDir({ workspace })({})).toBe(
    ['0 (0 B)', '1 (1023 B)', '2 (1.0 KB)', '3 (1.5 KB)', '4 (1024.0 KB)', '5 (1.0 MB)', '6 (3.0 GB)', '7 (2.0 TB)'].join('\n'),
  )
})
