import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findShell } from '../../../src/toolkit/process/find-shell.ts'
import { programOnPath } from '../../../src/toolkit/process/program-on-path.ts'
import { workspaceWith } from '../support/workspace.ts'

async function made() {
  const place = await workspaceWith({ 'first/bash': '', 'second/bash': '', 'app/bin/bash': '', 'plain/bash': '' })
  for (const folder of ['first', 'second', 'app/bin']) await chmod(join(place, folder, 'bash'), 0o755)
  const at = (...folders: readonly string[]): string => folders.map((folder) => join(place, folder)).join(':')
  return { at, workspace: join(place, 'app') }
}

test('the first on the path that may be run, and is none of the workspace', async () => {
  const { at, workspace } = await made()
  expect([
    await findShell(at('first', 'second'), workspace),
    await findShell(at('plain', 'app/bin', 'second', 'first'), workspace),
    await findShell(`bin:.:${at('first')}`, workspace),
    await programOnPath('no such program', at('first'), workspace),
    await programOnPath('bash', undefined, workspace),
  ]).toEqual([at('first/bash'), at('second/bash'), at('first/bash'), undefined, undefined])
})

test('where all is the workspace, its programs are those of the system', async () => {
  const { at } = await made()
  expect(await programOnPath('bash', at('first'), '/')).toBe(at('first/bash'))
})
