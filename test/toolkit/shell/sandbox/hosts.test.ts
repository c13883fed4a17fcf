import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shell } from '../../../../src/toolkit/index.ts'
import { workspaceWith } from '../../support/workspace.ts'

describe('hosts', () => {
  test.each([['https://one.example'], ['one.example/x'], ['*'], ['*.*'], [''], ['a b']])('%j is none', (host) => {
    expect(() => shell({ sandbox: { network: [host] } })).toThrow(
      `sandbox.network is true, false, or a list of hosts such as 'example.com', '*.example.com' or 'example.com:443', without a scheme or a path; ${JSON.stringify([host])} came.`,
    )
  })

  test('a path that would be a pattern to the runtime is refused before anything runs', async () => {
    const workspace = await workspaceWith({ '[x]/a': '' })
    const run = shell({ workspace: join(workspace, '[x]'), sandbox: { network: ['one.example'] } })
    if (process.platform !== 'linux' && process.platform !== 'darwin') return
    await expect(run({ command: 'true' })).rejects.toThrow(/would take the path .* for a pattern.*Nothing was run/)
  })
})
