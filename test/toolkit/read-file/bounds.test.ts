import { expect, test } from 'vitest'
import { grep, readFile } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'

test('read_file shows 100,000 characters in all', async () => {
  const workspace = await workspaceWith({ 'a.txt': `${'x'.repeat(1990)}\n`.repeat(60) })
  const shown = await readFile({ workspace })({ path: 'a.txt' })
  expect(String(shown).split('\n').at(-1)).toBe('[Lines 1-50 of 60. 10 lines are left: go on with offset=51.]')
})

test('grep shows 250 lines unless told otherwise', async () => {
  const workspace = await workspaceWith({ 'a.txt': 'x\n'.repeat(300) })
  const said = (await grep({ workspace })({ pattern: 'x' })).split('\n')
  expect([said[250], said.at(-1)?.slice(0, 47)]).toEqual(['250:x', '[There is more: 250 matching lines are shown. N'])
})
