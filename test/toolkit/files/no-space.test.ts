import { execFile } from 'node:child_process'
import { readdir, readFile as read, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { toolkit, undoLast } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

const run = promisify(execFile)

/** A file system of 64 KB. Only root may mount one, and not in every container. */
async function smallDisk(): Promise<string | undefined> {
  const place = await workspaceWith()
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place])
  } catch {
    return undefined
  }
  onTestFinished(() => run('umount', ['-l', place]).then(() => {}))
  return place
}

test('on a full disk the old file stays whole, no temporary one is left, and it says so', async (context) => {
  const workspace = await smallDisk()
  if (workspace === undefined) return context.skip('A small file system cannot be mounted here.')
  const old = `${'x'.repeat(40_000)}\nend\n`
  await writeFile(join(workspace, 'a.txt'), old)
  const kit = toolkit({ workspace })
  const call = async (name: string, input: object) =>
    (await kit.find((tool) => tool.name === name)!.run(input, { signal: new AbortController().signal } as never)) as string
  await call('read_file', { path: 'a.txt' })
  const noSpace = 'No space is left on the device of "a.txt". Nothing was changed.'
  expect(await failureOf(call('edit_file', { path: 'a.txt', old: 'end', new: 'END' }))).toBe(noSpace)
  expect(await failureOf(call('write_file', { path: 'a.txt', content: 'y'.repeat(50_000) }))).toBe(noSpace)
  expect({ text: await read(join(workspace, 'a.txt'), 'utf8'), names: await readdir(workspace) }).toEqual({ text: old, names: ['a.txt'] })
  expect(await undoLast(kit.undo)).toBeUndefined()
})
