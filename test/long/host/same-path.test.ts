import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { Agent } from 'lena-agent'
import { scriptedModel } from 'lena-agent/testing'
import { toolkit } from 'lena-agent/toolkit'
import { workspaceWith } from '../../toolkit/support/workspace.ts'
import { canMakeBoxes } from '../../toolkit/host/support/box.ts'
import { inBox } from '../../toolkit/host/support/in-box.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.runIf(canMakeBoxes())('a workspace that has the same path here and on the other machine', () => {
  const box = inBox()

  test('is read and changed there alone', async () => {
    const workspace = await workspaceWith({ 'a.txt': 'here\n', 'only-here.txt': 'here\n', '.gitignore': 'b.txt\n' })
    const host = box.host()
    await host.files.makeFolder(`${workspace}/only-there`)
    await box.say(workspace, 'echo there >a.txt; echo there >b.txt; echo in it >only-there/c.txt')
    const agent = new Agent({ model: scriptedModel(), tools: [toolkit({ host, workspace })], retry: false })
    const call = async (name: string, input: object): Promise<string> =>
      JSON.stringify((await agent.callTool(name, input as never)).content)

    expect(await call('read_file', { path: 'a.txt' })).toContain('there')
    expect(await call('read_file', { path: 'only-here.txt' })).toContain('does not exist')
    expect(await call('list_dir', {})).not.toContain('only-here')
    // What is ignored here is not ignored there.
    expect(await call('glob', { pattern: '**' })).toContain('a.txt\\nb.txt\\nonly-there/c.txt')
    expect(await call('grep', { pattern: 'here' })).not.toContain('only-here')
    expect(await call('edit_file', { path: 'a.txt', old: 'there', new: 'changed' })).not.toContain('Error')
    expect(await call('write_file', { path: 'new/d.txt', content: 'x' })).not.toContain('Error')
    expect(await call('shell', { command: 'cd only-there; cat c.txt ../a.txt; echo y >../e.txt' })).toContain('in it\\nchanged')
    expect(await call('shell', { command: 'pwd' })).toContain(`${workspace}/only-there`)

    expect(await readdir(workspace)).toEqual(['.gitignore', 'a.txt', 'only-here.txt'])
    expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('here\n')
  })

  test('is what the other machine says it is: a folder there may be a link here', async () => {
    const base = await workspaceWith({ 'elsewhere/x': 'here' })
    const workspace = join(base, 'app')
    await mkdir(workspace)
    await writeFile(join(workspace, 'a.txt'), 'here')
    const host = box.host()
    await box.say('/', `mkdir -p ${base}/real; ln -s real ${workspace}; echo there >${base}/real/a.txt`)
    const tools = toolkit({ host, workspace })
    const agent = new Agent({ model: scriptedModel(), tools: [tools], retry: false })
    await agent.callTool('read_file', { path: 'a.txt' })
    await agent.callTool('write_file', { path: 'a.txt', content: 'new' })
    expect((await tools.undo.changes()).map(({ path }) => path)).toEqual([`${base}/real/a.txt`])
    expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('here')
  })
})
