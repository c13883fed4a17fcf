import { readFile as read, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editFile, fileLog, listDir, localHost, readFile, writeFile } from '../../src/toolkit/index.ts'
import type { Host } from '../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from './support/workspace.ts'

// It has a code, as the reason of a time-out of the system has: that makes it no failure of a file.
const reason = Object.assign(new Error('stopped'), { code: 'ENOENT' })

/** This machine, on which the call is cancelled while it does one thing. */
async function made(cancelsIn: 'create' | 'open' | 'list', what: 'before' | 'after') {
  const workspace = await workspaceWith({ 'a.txt': 'one\n' })
  const files = fileLog()
  await readFile({ workspace, files })({ path: 'a.txt' })
  const here = localHost()
  const controller = new AbortController()
  const cut = (path: string): any => {
    controller.abort(reason)
    if (what === 'before') throw reason
    return here.files[cancelsIn](path)
  }
  const host: Host = { ...here, files: { ...here.files, [cancelsIn]: cut } }
  return { workspace, options: { workspace, files, host }, context: { signal: controller.signal } }
}

test.each([
  ['open', 'after'],
  ['create', 'before'],
  ['create', 'after'],
] as const)('in %s, %s it is done: the reason of the cancel is thrown as it is, and nothing is written', async (cancelsIn, what) => {
  const { workspace, options, context } = await made(cancelsIn, what)
  const calls = [
    () => writeFile(options)({ path: 'a.txt', content: 'two\n' }, context),
    () => editFile(options)({ path: 'a.txt', old: 'one', new: 'two' }, context),
  ]
  for (const call of calls) expect(await failureOf(Promise.resolve(call()))).toBe('stopped')
  expect([await read(join(workspace, 'a.txt'), 'utf8'), await readdir(workspace)]).toEqual(['one\n', ['a.txt']])
})

test('a list', async () => {
  const { options, context } = await made('list', 'before')
  expect(await failureOf(Promise.resolve(listDir(options)({ all: true }, context)))).toBe('stopped')
})
