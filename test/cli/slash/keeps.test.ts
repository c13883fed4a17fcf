import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { scriptedModel } from '../../../src/testing/index.ts'
import type { ScriptStep } from '../../../src/testing/index.ts'
import { world } from '../support/world.ts'

vi.setConfig({ testTimeout: 60_000 })

const call = (name: string, input: Record<string, string>): ScriptStep => ({ calls: [{ name, input }] })
const read = call('read_file', { path: 'a.txt' })
const edit = call('edit_file', { path: 'a.txt', old: 'one', new: 'two' })
/** Says what the newest result was. */
const tells: ScriptStep = ({ messages }) => ({
  text: `Told: ${messages
    .at(-1)!
    .content.map((block) => (block.type === 'tool_result' && block.content[0]?.type === 'text' ? block.content[0].text : ''))
    .join('')}`,
})

async function conversation(steps: readonly ScriptStep[], argv: readonly string[] = []) {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'lena-keeps-')))
  await writeFile(join(cwd, 'a.txt'), 'one\n')
  const at = world({ stdin: 'terminal', model: scriptedModel(...steps), cwd, ids: 'random' })
  const running = at.run('--mode', 'bypass', ...argv)
  await at.stdout.shows('> ')
  return {
    cwd,
    file: () => readFile(join(cwd, 'a.txt'), 'utf8'),
    /** Types a line, waits until it was answered, and gives what was shown. */
    async says(line: string): Promise<string> {
      const before = at.stdout.text.length
      const errors = at.stderr.text.length
      const prompts = at.stdout.text.split('\n> ').length - 1
      at.type(`${line}\r`)
      await at.stdout.shows('\n> ', prompts + 1)
      return at.stdout.text.slice(before) + at.stderr.text.slice(errors)
    },
    async leave() {
      at.type('\u0004')
      expect(await running).toBe(0)
    },
  }
}

/** Does it run? One that has ended and that nobody has asked for its end does not. */
const isAlive = (pid: number): boolean => {
  const { stdout, status } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return status === 0 && !stdout.trim().startsWith('Z')
}

describe('what the tools have done', () => {
  it.each([
    ['kept', []],
    ['not kept', ['--no-session']],
  ])('another model goes on with what was read, in a conversation that is %s', async (_, argv) => {
    const at = await conversation([read, tells, edit, tells], argv)
    expect(await at.says('read it')).toContain('Told: ')
    expect(await at.says('/model other/one')).toContain('Model other/one')
    expect(await at.says('edit it')).not.toContain('has not been read')
    expect(await at.file()).toBe('two\n')
    await at.leave()
  })

  it('another model runs its commands where the last one ended', async () => {
    const at = await conversation([call('shell', { command: 'mkdir sub; cd sub' }), tells, call('shell', { command: 'pwd' }), tells])
    await at.says('go')
    await at.says('/model other/one')
    expect(await at.says('where')).toContain(`exit_code: 0\n${at.cwd}/sub`)
    await at.leave()
  })

  it('a new conversation has read nothing, and begins in the workspace', async () => {
    const overwrite = call('write_file', { path: 'a.txt', content: 'three\n' })
    const at = await conversation([
      read,
      call('shell', { command: 'mkdir sub; cd sub' }),
      tells,
      overwrite,
      call('shell', { command: 'pwd' }),
      tells,
    ])
    await at.says('read it')
    expect(await at.says('/clear')).toContain('A new conversation.')
    const said = await at.says('overwrite it')
    expect(await at.file()).toBe('one\n')
    expect(said).toContain(`exit_code: 0\n${at.cwd}\n`)
    await at.leave()
  })

  it('can be taken back after /model and /clear, change by change', async () => {
    const again = call('edit_file', { path: 'a.txt', old: 'two', new: 'three' })
    const at = await conversation([read, edit, tells, again, tells])
    await at.says('edit it')
    await at.says('/model other/one')
    await at.says('edit it again')
    await at.says('/clear')
    expect(await at.file()).toBe('three\n')
    expect(await at.says('/undo')).toContain('a.txt is as it was before. 1 earlier change can be taken back.\n')
    expect(await at.file()).toBe('two\n')
    expect(await at.says('/undo')).toContain('a.txt is as it was before. There is nothing more to take back.\n')
    expect(await at.file()).toBe('one\n')
    expect(await at.says('/undo')).toContain('There is no change of a file to be taken back.')
    await at.leave()
  })

  it('is not taken back over a change of somebody else, which can be passed over', async () => {
    const make = call('write_file', { path: 'new.txt', content: 'new\n' })
    const at = await conversation([make, read, edit, tells])
    await at.says('edit it')
    await writeFile(join(at.cwd, 'a.txt'), 'mine\n')
    const said = await at.says('/undo')
    expect(said).toContain('was not undone: it was changed since. /undo skip passes over it.')
    expect(said).not.toContain('undo.forget')
    expect(await at.says('/undo skip')).toContain('a.txt stays as it is. 1 earlier change can be taken back.\n')
    expect(await at.says('/undo')).toContain('new.txt is gone again. There is nothing more to take back.\n')
    expect(await at.file()).toBe('mine\n')
    expect(await at.says('/undo all')).toContain('/undo does not understand "all"')
    await at.leave()
  })

  it('jobs stay listed after /model and /clear, and end with the program', async () => {
    const start = (name: string): ScriptStep => call('shell', { command: `sleep 300 > /dev/null 2>&1 & echo $! > ${name}.pid` })
    const at = await conversation([start('one'), tells, start('two'), tells])
    const pid = async (name: string): Promise<number> => Number(await readFile(join(at.cwd, `${name}.pid`), 'utf8'))
    expect(await at.says('/jobs')).toContain('Nothing runs in the background.')
    await at.says('start one')
    await at.says('/model other/one')
    await at.says('/clear')
    await at.says('start two')
    const [one, two] = [await pid('one'), await pid('two')]
    expect([isAlive(one), isAlive(two)]).toEqual([true, true])
    expect(await at.says('/jobs')).toMatch(new RegExp(`  ${one}  sleep 300 .*\n  ${two}  sleep 300 `))
    await at.leave()
    expect([isAlive(one), isAlive(two)]).toEqual([false, false])
  })

  it('jobs can be ended', async () => {
    const at = await conversation([call('shell', { command: 'sleep 300 > /dev/null 2>&1 & echo $! > one.pid' }), tells])
    await at.says('start one')
    const pid = Number(await readFile(join(at.cwd, 'one.pid'), 'utf8'))
    expect(await at.says('/jobs end')).toContain('Ended.\n')
    expect(isAlive(pid)).toBe(false)
    await at.leave()
  })
})
