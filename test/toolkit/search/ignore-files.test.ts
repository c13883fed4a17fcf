import { describe, expect, test } from 'vitest'
import { glob } from '../../../src/toolkit/index.ts'
import { engines } from '../support/engines.ts'
import { workspaceWith } from '../support/workspace.ts'

describe.each(engines)('%s', (_, ripgrep) => {
  const found = async (files: Readonly<Record<string, string>>, path = '.'): Promise<readonly string[]> =>
    (await glob({ workspace: await workspaceWith(files), ripgrep })({ pattern: '*.txt', path })).split('\n')

  test('without a repository a `.gitignore` holds for all below it', async () => {
    expect(await found({ '.gitignore': 'a.txt\n', 'sub/a.txt': '', 'sub/b.txt': '' }, 'sub')).toEqual(['sub/b.txt'])
  })

  test('one above a repository does not reach into it, and other ignore files do', async () => {
    const files = {
      '.gitignore': 'a.txt\n',
      '.ignore': 'b.txt\n',
      'repository/.git/HEAD': '',
      'repository/.gitignore': 'c.txt\n',
      'repository/sub/a.txt': '',
      'repository/sub/b.txt': '',
      'repository/sub/c.txt': '',
    }
    expect(await found(files, 'repository')).toEqual(['repository/sub/a.txt'])
    expect(await found(files, 'repository/sub')).toEqual(['repository/sub/a.txt'])
  })

  test('`.rgignore` goes before `.ignore`, and that before `.gitignore`; below goes before above', async () => {
    const files = { '.gitignore': '*.txt\n', '.ignore': '!b.txt\n!c.txt\n', '.rgignore': 'c.txt\n', 'a.txt': '', 'b.txt': '', 'c.txt': '' }
    expect(await found(files)).toEqual(['b.txt'])
    expect(await found({ '.gitignore': '*.txt\n', 'sub/.gitignore': '!a.txt\n', 'sub/a.txt': '', 'sub/b.txt': '' })).toEqual(['sub/a.txt'])
  })
})
