import { expect, test } from 'vitest'
import { listDir } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'

/** So many files; each line, "NAME (0 B)", takes 250 characters with its end. */
const files = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${String(index).padStart(4, '0')}${'x'.repeat(239)}`, '']))

const lines = (given: Record<string, string>): readonly string[] => Object.keys(given).map((name) => `${name} (0 B)`)

const listed = async (given: Record<string, string>): Promise<readonly string[]> =>
  (await listDir({ workspace: await workspaceWith(given) })({})).split('\n')

const more = (left: number, total: number): string =>
  `[${left} more of ${total} entries are not shown. Narrow it down with shell, for example: ls | grep PATTERN]`

test('entries of 28,000 characters are shown', async () => {
  expect(await listed(files(112))).toEqual(lines(files(112)))
})

test('those of one more are not', async () => {
  const longer = { ...files(111), [`0111${'x'.repeat(240)}`]: '' }
  expect(await listed(longer)).toEqual([...lines(files(111)), more(1, 112)])
})

test('nor are entries behind them, even those that would fit', async () => {
  expect(await listed({ ...files(113), z: '' })).toEqual([...lines(files(112)), more(2, 114)])
})
