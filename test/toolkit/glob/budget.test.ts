import { expect, test } from 'vitest'
import { glob } from '../../../src/toolkit/index.ts'
import { holdingHost } from '../support/holding-host.ts'
import { workspaceWith } from '../support/workspace.ts'

/** So many names; each path takes 250 characters with its line end. */
const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${String(index).padStart(4, '0')}${'x'.repeat(245)}`)

async function found(given: readonly string[]): Promise<readonly string[]> {
  const host = holdingHost(given.map((name) => ({ name, kind: 'file' })))
  return (await glob({ workspace: await workspaceWith(), host })({ pattern: '*' })).split('\n')
}

const more = (count: number): string => `[There are more: these are the first ${count}. Give a narrower pattern or a folder as path.]`

test('paths of 28,000 characters are shown', async () => {
  expect(await found(names(112))).toEqual(names(112))
})

test('those of one more are not, and it says so', async () => {
  expect(await found([...names(111), `0111${'x'.repeat(246)}`])).toEqual([...names(111), more(111)])
})

test('nor is one file more', async () => {
  expect(await found(names(113))).toEqual([...names(112), more(112)])
})
