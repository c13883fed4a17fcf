import { expect, test } from 'vitest'
import { glob } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'

/** So many files; each path takes 250 characters with its line end. */
const files = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${String(index).padStart(4, '0')}${'x'.repeat(245)}`, '']))

const found = async (given: Record<string, string>): Promise<readonly string[]> =>
  (await glob({ workspace: await workspaceWith(given), ripgrep: false })({ pattern: '*' })).split('\n')

const more = (count: number): string => `[There are more: these are the first ${count}. Give a narrower pattern or a folder as path.]`

test('paths of 28,000 characters are shown', async () => {
  expect(await found(files(112))).toEqual(Object.keys(files(112)))
})

test('those of one more are not, and it says so', async () => {
  const longer = { ...files(111), [`0111${'x'.repeat(246)}`]: '' }
  expect(await found(longer)).toEqual([...Object.keys(files(111)), more(111)])
})

test('nor is one file more', async () => {
  expect(await found(files(113))).toEqual([...Object.keys(files(112)), more(112)])
})
