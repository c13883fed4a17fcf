import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFile } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

/** A file of `megabytes` that is mostly a hole, with text at its end. */
async function sparse(path: string, megabytes: number, start: string, end: string): Promise<void> {
  const file = await open(path, 'w')
  await file.write(start, 0)
  await file.write(end, megabytes * 1024 * 1024)
  await file.close()
}

test('200 MB are not held in memory to show their first and last lines', { timeout: 60_000 }, async () => {
  const workspace = await workspaceWith()
  await sparse(join(workspace, 'big.log'), 200, 'first\n'.repeat(2000), '\nlast\n')
  const before = process.memoryUsage.rss()
  const read = readFile({ workspace })
  expect(await read({ path: 'big.log', limit: 1 })).toBe('1\tfirst\n[Lines 1-1 of 2002. 2001 lines are left: go on with offset=2.]')
  expect(await read({ path: 'big.log', offset: 2002 })).toBe('2002\tlast\n[Lines 2002-2002 of 2002: the end of the file.]')
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024)
})

test('a cancel ends the reading', async () => {
  const workspace = await workspaceWith()
  await sparse(join(workspace, 'big.log'), 4000, 'first\n'.repeat(2000), 'last\n')
  const controller = new AbortController()
  const call = failureOf(readFile({ workspace })({ path: 'big.log' }, { signal: controller.signal }))
  setImmediate(() => controller.abort(new Error('stopped')))
  expect(await call).toBe('stopped')
})
