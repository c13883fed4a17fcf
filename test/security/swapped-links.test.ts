import { access, mkdir, readFile, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Agent } from 'lena-agent'
import { localFiles } from '../../src/host/local-files.ts'
import { permissions } from 'lena-agent/permissions'
import { scriptedModel } from 'lena-agent/testing'
import { toolkit } from 'lena-agent/toolkit'
import { writeAtomically } from '../../src/toolkit/files/atomic-write.ts'
import { failureOf, workspaceWith } from '../toolkit/support/workspace.ts'

const calls = (...all: readonly (readonly [string, Record<string, string>])[]) => ({ calls: all.map(([name, input]) => ({ name, input })) })

/** While the person thinks, the folder `docs` of the workspace becomes a link out of it. */
async function runs(call: readonly [string, Record<string, string>], before: readonly (readonly [string, Record<string, string>])[] = []) {
  const base = await workspaceWith({ 'app/docs/a.txt': 'old', 'outside/a.txt': 'old' })
  const workspace = join(base, 'app')
  const model = scriptedModel(...before.map((one) => calls(one)), calls(call), { text: 'done' })
  const ask = async (): Promise<boolean> => {
    await rename(join(workspace, 'docs'), join(workspace, 'moved'))
    await symlink(join(base, 'outside'), join(workspace, 'docs'))
    return true
  }
  const agent = new Agent({ model, tools: [toolkit({ workspace })], plugins: [permissions({ workspace, ask })] })
  await agent.invoke('go')
  const said = agent.messages
    .at(-2)!
    .content.map((block) =>
      block.type === 'tool_result' ? block.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : '',
    )
  return { base, said: said.join('\n') }
}

test.each([
  ['write_file', ['write_file', { path: 'docs/new.txt', content: 'x' }], []],
  ['edit_file', ['edit_file', { path: 'docs/a.txt', old: 'old', new: 'x' }], [['read_file', { path: 'docs/a.txt' }]]],
] as const)('%s writes where it was judged, or not at all', async (_, call, before) => {
  const { base, said } = await runs(call, before)
  expect(said).toMatch(/ leads to ".*outside.*" now; when the call was judged it led to ".*docs.*"\. Nothing was written\./)
  expect(await readFile(join(base, 'outside/a.txt'), 'utf8')).toBe('old')
  await expect(access(join(base, 'outside/new.txt'))).rejects.toThrow()
})

test('a folder that becomes a link at the last moment', async () => {
  const base = await workspaceWith({ 'outside/x': '' })
  await mkdir(join(base, 'app'))
  await symlink(join(base, 'outside'), join(base, 'app/docs'))
  const path = join(base, 'app/docs/new.txt')
  const { signal } = new AbortController()
  const write = writeAtomically({ files: localFiles, path, data: Buffer.from('x'), replaces: undefined, signal })
  expect(await failureOf(write)).toContain('was changed to a link just now. Nothing was written')
  await expect(access(join(base, 'outside/new.txt'))).rejects.toThrow()
})

test('and a call that a person allowed for outside goes there', async () => {
  const base = await workspaceWith({ 'app/x': '', 'outside/x': '' })
  const workspace = join(base, 'app')
  const path = join(base, 'outside/new.txt')
  const model = scriptedModel(calls(['write_file', { path, content: 'x' }]), { text: 'done' })
  const agent = new Agent({ model, tools: [toolkit({ workspace })], plugins: [permissions({ workspace, ask: () => true })] })
  await agent.invoke('go')
  expect(await readFile(path, 'utf8')).toBe('x')
})
