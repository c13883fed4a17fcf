import { expect, it } from 'vitest'
import { folderOf } from './fake-tools.ts'
import { play } from './play.ts'
import { project } from './project.ts'

it('reads and lists in one turn, and answers from both', async () => {
  const { turns, answer } = await play('read package.json and say what it depends on, and list the files in src', {
    tools: folderOf(project).basic,
  })
  expect(turns).toEqual([
    [
      { name: 'read_file', input: { path: 'package.json' } },
      { name: 'list_dir', input: { path: 'src' } },
    ],
  ])
  expect(answer).toBe(
    [
      '`package.json` (demo 1.2.3) depends on 3 packages:',
      '',
      '- 2 dependencies: `zod` ^4.0.0 and `hono` 4.1.0',
      '- 1 devDependency: `vitest` 4.1.12',
      '- no peerDependencies',
      '',
      '`src` has 1 folder and 2 files:',
      '',
      '- util/',
      '- a.ts',
      '- index.ts',
    ].join('\n'),
  )
})
