import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { workspaceWith } from '../../support/workspace.ts'

/** The library is not to be found from there, as for somebody who has not installed it. */
const program = fileURLToPath(new URL('support/without-the-library.ts', import.meta.url))

test('without the library that lets hosts through nothing runs, and it is said what to install', async () => {
  const workspace = await workspaceWith()
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, workspace], { timeout: 60_000 })
  expect(stdout).toBe(
    'Commands run in a sandbox only, and the package "@anthropic-ai/sandbox-runtime", which makes it on macOS and wherever single hosts are let through, is not installed. Install it: npm install @anthropic-ai/sandbox-runtime (0.0.78 for Node 20). Nothing was run. Tell the user; do not try another way.',
  )
}, 60_000)
