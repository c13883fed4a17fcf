import { describe, expect, test } from 'vitest'
import { grep } from '../../src/toolkit/index.ts'
import { holdingHost } from '../toolkit/support/holding-host.ts'
import { workspaceWith } from '../toolkit/support/workspace.ts'

const searching = async (files: Readonly<Record<string, string>>, input: object): Promise<readonly string[]> => {
  const workspace = await workspaceWith(files)
  return (await grep({ workspace, ripgrep: false })({ pattern: 'hit', ...input })).split('\n')
}
/** In so many files, each of which holds one such line; on the disk there is one. */
async function searchingIn(names: readonly string[], input: object): Promise<readonly string[]> {
  const workspace = await workspaceWith({ a: 'hit' })
  const { files, ...host } = holdingHost(names.map((name) => ({ name, kind: 'file' })))
  const here = {
    ...files,
    stat: (path: string) => files.stat(path === workspace ? path : `${workspace}/a`),
    open: () => files.open(`${workspace}/a`),
  }
  return (await grep({ workspace, host: { ...host, files: here } })({ pattern: 'hit', ...input })).split('\n')
}
const moreLines = (count: number): string =>
  `[There is more: ${count} matching lines are shown. Narrow it down with path, glob or the pattern, or see the files first with show="files".]`
const moreFiles = (count: number): string => `[There is more: ${count} files are shown. Narrow it down with path, glob or the pattern.]`

describe('lines', () => {
  // The name takes 100 characters with its line end, each row 150.
  const name = 'n'.repeat(99)
  const row = (number: number, length = 150): string => `hit${'x'.repeat(length - 1 - 3 - `${number}:`.length)}`
  const rows = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => row(index + 1))
  const shown = (count: number): readonly string[] => [name, ...rows(count).map((text, index) => `${index + 1}:${text}`)]

  test('of 28,000 characters are shown', async () => {
    expect(await searching({ [name]: rows(186).join('\n') }, { limit: 1000 })).toEqual(shown(186))
  })

  test('of one more are not', async () => {
    const last = row(186, 151)
    expect(await searching({ [name]: [...rows(185), last].join('\n') }, { limit: 1000 })).toEqual([...shown(185), moreLines(185)])
  })

  test('nor is one that stands behind them, however short', async () => {
    expect(await searching({ [name]: [...rows(186), 'hit'].join('\n') }, { limit: 1000 })).toEqual([...shown(186), moreLines(186)])
  })

  test('a file none of whose lines fits is not named', async () => {
    expect(await searching({ [name]: rows(185).join('\n'), z: row(1, 200) }, { limit: 1000 })).toEqual([...shown(185), moreLines(185)])
  })
})

describe('files', () => {
  const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${index + 100}${'x'.repeat(246)}`)

  test('of 28,000 characters are shown', async () => {
    expect(await searchingIn(names(112), { show: 'files' })).toEqual(names(112))
  })

  test('of one more are not', async () => {
    const longer = [...names(111), `211${'x'.repeat(247)}`]
    expect(await searchingIn(longer, { show: 'files' })).toEqual([...names(111), moreFiles(111)])
  })
})

describe('the limit', () => {
  const files = { a: 'hit\nhit\n', b: 'hit\nhit\n' }

  test('250 lines without one', async () => {
    const lines = (count: number): Record<string, string> => ({ a: 'hit\n'.repeat(count) })
    expect((await searching(lines(250), {})).at(-1)).toBe('250:hit')
    expect((await searching(lines(251), {})).slice(-2)).toEqual(['250:hit', moreLines(250)])
  })

  test('250 files without one', async () => {
    const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${index + 100}`)
    expect((await searchingIn(many(250), { show: 'files' })).at(-1)).toBe('349')
    expect((await searchingIn(many(251), { show: 'counts' })).slice(-2)).toEqual(['349: 1', moreFiles(250)])
  })

  test('within the second file', async () => {
    expect(await searching(files, { limit: 3 })).toEqual(['a', '1:hit', '2:hit', '', 'b', '1:hit', moreLines(3)])
  })

  test('at the end of the first', async () => {
    expect(await searching(files, { limit: 2 })).toEqual(['a', '1:hit', '2:hit', moreLines(2)])
  })

  test('within the second file, and its context', async () => {
    const around = { a: 'hit\n', b: '1\nhit\n3\n4\n5\nhit\n' }
    expect(await searching(around, { limit: 2, context: 1 })).toEqual([
      'a',
      '1:hit',
      '',
      'b',
      '1-1',
      '2:hit',
      '3-3',
      '--',
      '5-5',
      moreLines(2),
    ])
  })
})
