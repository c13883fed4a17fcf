import { access, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { memoryResults } from 'lena-agent'
import { fileResults } from 'lena-agent/toolkit'
import { workspaceWith } from '../../toolkit/support/workspace.ts'
import { canMakeBoxes } from '../../toolkit/host/support/box.ts'
import { inBox } from '../../toolkit/host/support/in-box.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.runIf(canMakeBoxes())('commands on another machine', () => {
  const box = inBox()

  test('the working folder is kept from call to call', async () => {
    const { call, workspace } = await box.kit({ 'sub/x': '', to: { link: 'sub' } })
    expect(await call('shell', { command: 'cd to && pwd' })).toBe(
      `exit_code: 0\n${workspace}/to\n[The working folder is ${workspace}/sub now.]`,
    )
    expect(await call('shell', { command: 'ls; exit 4' })).toBe('exit_code: 4\nx')
    await call('shell', { command: 'cd ..; rmdir none; rm -r sub; mkdir gone; cd gone; rmdir ../gone' })
    expect(await call('shell', { command: 'pwd' })).toContain(workspace)
  })

  test('the environment is that of the machine, without keys', async () => {
    const { call } = await box.kit({}, { env: { ...box.host().env, MY_TOKEN: 'secret', OTHER: 'x' } })
    expect(await call('shell', { command: 'echo "$HOME|$OTHER|${MY_TOKEN-none}|${VITEST-none}"' })).toBe('exit_code: 0\n/root|x|none|none')
  })

  test('a time limit ends a command there, with what it has started', async () => {
    const { call } = await box.kit({})
    const said = await call('shell', { command: 'sleep 1001 & echo begun; sleep 1002', timeout: 2 })
    expect(said).toMatch(/^exit_code: 143\nbegun\n\[The command took longer than 2 s and was ended/)
    expect(await call('shell', { command: 'cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -o "sleep 100[12]"' })).toMatch(/^exit_code: 1\n/)
  })

  test('so does a cancel', async () => {
    const { agent, call, workspace } = await box.kit({})
    const controller = new AbortController()
    const calling = agent.callTool('shell', { command: 'echo begun >begun; sleep 1003' }, { signal: controller.signal })
    await box.say(workspace, 'until [ -s begun ]; do sleep 0.05; done')
    controller.abort(new Error('enough'))
    expect((await calling).status).toBe('error')
    expect(await call('shell', { command: 'cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -o "sleep 100[3]"' })).toMatch(/^exit_code: 1\n/)
  })

  test('what is left in the background is told, listed and ended', async () => {
    const { call, tools, outside } = await box.kit({})
    const command = 'sleep 1004 >/dev/null 2>&1 & echo $! >pid'
    const said = await call('shell', { command })
    const pid = Number(await readFile(join(outside, 'pid'), 'utf8'))
    expect(said).toBe(
      `exit_code: 0\n(no output)\n[In the background goes on: ${pid}. It ends with the session; to end it before: kill ${pid}]`,
    )
    expect(tools.jobs.list()).toContainEqual({ command, pids: [pid] })
    await tools.jobs.end()
    expect(tools.jobs.list()).toEqual([])
    expect(await call('shell', { command: `kill -0 ${pid}` })).toMatch(/^exit_code: 1\n.*No such process/)
  })

  test('an output that is too long is kept here, in the store of the agent', async () => {
    const results = memoryResults()
    const { call } = await box.kit({}, { results })
    const said = await call('shell', { command: "printf '%s\\n' {1..20000}" })
    const path = /<persisted-output path="([^"]+)">/.exec(said)?.[1]
    const kept = await results.read(path!, { offset: 0, limit: Infinity, signal: new AbortController().signal })
    expect(kept.text).toBe(Array.from({ length: 20_000 }, (_, i) => `${i + 1}\n`).join(''))
  })

  test('what is stored here is read here', async () => {
    const results = fileResults({ dir: await workspaceWith() })
    const { call, workspace } = await box.kit({ 'a.txt': 'there' }, { results })
    const path = /<persisted-output path="([^"]+)">/.exec(await call('shell', { command: "printf '%s\\n' {1..20000}" }))?.[1]
    expect(path).not.toContain(workspace)
    expect(await call('read_file', { path, offset: 20_000, limit: 1 })).toMatch(/^20000\t20000/)
    // A file over there under a name like that is none of the store's.
    await box.say('/', `mkdir -p ${dirname(path!)}; echo there >${path}x`)
    expect(await call('read_file', { path: `${path}x` })).toBe('1\tthere')
  })

  test('nothing of it is done here', async () => {
    const { call, workspace } = await box.kit({})
    await call('shell', { command: 'echo x >/tmp/made-in-a-box; cd /tmp' })
    await expect(access('/tmp/made-in-a-box')).rejects.toThrow()
    await expect(access(workspace)).rejects.toThrow()
    expect(await call('shell', { command: 'cat made-in-a-box' })).toBe('exit_code: 0\nx')
  })
})
