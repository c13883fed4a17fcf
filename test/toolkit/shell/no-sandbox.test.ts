import { expect, test } from 'vitest'
import { shell } from '../../../src/toolkit/index.ts'
import { workspaceWith } from '../support/workspace.ts'

test('`sandbox: false` is none: nothing that a sandbox needs is looked for', async () => {
  const run = shell({ workspace: await workspaceWith(), sandbox: false, env: { PATH: '/nowhere' } })
  expect(await run({ command: 'echo hi' })).toEqual({ status: 'success', content: 'exit_code: 0\nhi' })
})
