import { mkdir, mkdtemp, readFile, readdir, realpath, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { workspaceState } from '../../../src/cli/folders.ts'
import { scriptedModel } from '../../../src/testing/index.ts'
import type { ScriptStep } from '../../../src/testing/index.ts'
import { lena, newHome, world } from '../support/world.ts'
import type { Ran, WorldOptions } from '../support/world.ts'

// The first run loads all that a task needs.
vi.setConfig({ testTimeout: 60_000 })

const newFolder = async (): Promise<string> => await realpath(await mkdtemp(join(tmpdir(), 'lena-sessions-')))

/** Says what it was sent: the texts of all messages. */
const echo: ScriptStep = ({ messages }) => ({
  text: messages.map(({ content }) => content.map((block) => (block.type === 'text' ? block.text : block.type)).join('+')).join(' | '),
})

/** A user with one folder, who starts the program again and again. */
async function user(): Promise<{
  readonly home: string
  readonly cwd: string
  run(argv: readonly string[], options?: WorldOptions): Promise<Ran>
  files(): Promise<readonly string[]>
}> {
  const [home, cwd] = [newHome(), await newFolder()]
  const ids = ['2aaaaa', '2abbbb', '3ccccc', '4ddddd']
  return {
    home,
    cwd,
    run: async (argv, options = {}) => {
      const { readdirSync } = await import('node:fs')
      const used = readdirSync(join(home, 'state', 'folders'), { recursive: true, encoding: 'utf8' }).join()
      return await lena(argv, {
        model: scriptedModel(echo),
        cwd,
        home,
        ids: 'random',
        sessionIds: ids.filter((id) => !used.includes(id)),
        ...options,
      })
    },
    files: async () => await readdir(join(workspaceState(world({ home }).io, cwd), 'sessions')),
  }
}

async function begun(): Promise<Awaited<ReturnType<typeof user>>> {
  const someone = await user()
  await mkdir(join(someone.home, 'state', 'folders'), { recursive: true })
  return someone
}

const usage = (message: string): Ran => ({ code: 2, stdout: '', stderr: `lena: ${message}\n` })

describe('a task is kept', () => {
  it('in a folder that is the user’s alone, and gone on with', async () => {
    const { run, files, home, cwd } = await begun()
    expect(await run(['-p', 'one'])).toEqual({ code: 0, stdout: 'one\n', stderr: '' })
    expect(await run(['-p', '--continue', 'two'])).toEqual({ code: 0, stdout: 'one | one | two\n', stderr: '' })
    expect(await files()).toEqual(['2aaaaa.jsonl'])
    const folder = workspaceState(world({ home }).io, cwd)
    const modes = await Promise.all(
      [folder, join(folder, 'sessions'), join(folder, 'sessions', '2aaaaa.jsonl')].map(async (path) => (await stat(path)).mode & 0o777),
    )
    expect(modes).toEqual([0o700, 0o700, 0o600])
    expect(JSON.parse(await readFile(join(folder, 'folder.json'), 'utf8'))).toEqual({ workspace: cwd })
  })

  it('unless it is not to be', async () => {
    const { run, files } = await begun()
    await run(['-p', '--no-session', 'one'])
    await expect(files()).rejects.toThrow('ENOENT')
  })

  it('nor when the settings say so, but for who names a session', async () => {
    const { run, files, home } = await begun()
    await run(['-p', 'one'])
    await mkdir(join(home, 'config'))
    await writeFile(join(home, 'config', 'config.json'), '{"sessions":false}')
    await run(['-p', 'two'])
    expect((await run(['-p', '-c', 'three'])).stdout).toBe('one | one | three\n')
    expect(await files()).toEqual(['2aaaaa.jsonl'])
  })

  it('and where nothing can be kept, it is done all the same, and said', async () => {
    const { run, home } = await begun()
    await writeFile(join(home, 'file'), '')
    const { code, stdout, stderr } = await run(['-p', 'one'], {
      env: { NO_COLOR: '1', LENA_MODEL: 'scripted/model', LENA_STATE_DIR: join(home, 'file') },
    })
    expect({ code, stdout, stderr: stderr.replace(/:.*\n/s, '') }).toEqual({
      code: 0,
      stdout: 'one\n',
      stderr: '! This conversation is not kept',
    })
  })

  it('by the folder it is about', async () => {
    const { run } = await begun()
    await run(['-p', 'one'])
    const other = await newFolder()
    expect(await run(['-p', '-c', 'two'], { cwd: other })).toEqual(
      usage(`No session was kept of ${JSON.stringify(other)} yet. \`lena sessions --all\` lists those of all folders.`),
    )
  })
})

describe('--resume', () => {
  it('takes the beginning of an id that is the only one', async () => {
    const { run } = await begun()
    await run(['-p', 'one'])
    await run(['-p', 'two'])
    await run(['-p', 'three'])
    expect((await run(['-p', '--resume', '2ab', 'more'])).stdout).toBe('two | two | more\n')
    expect((await run(['-p', '-r', '3', 'more'])).stdout).toBe('three | three | more\n')
    expect(await run(['-p', '-r', '2a', 'more'])).toEqual(usage('"2a" is the beginning of 2 sessions: 2abbbb, 2aaaaa. Give more of it.'))
    expect(await run(['-p', '-r', '9', 'more'])).toEqual(
      usage('There is no session "9" in this folder. `lena sessions` lists what there is.'),
    )
  })

  it('says where a session is that belongs to another folder', async () => {
    const { run, cwd } = await begun()
    await run(['-p', 'one'])
    expect(await run(['-p', '-r', '2a', 'more'], { cwd: await newFolder() })).toEqual(
      usage(`There is no session "2a" in this folder. 2aaaaa belongs to ${cwd}: lena --cwd ${JSON.stringify(cwd)} --resume 2aaaaa`),
    )
  })

  it('needs an id where nobody can be asked', async () => {
    const { run } = await begun()
    await run(['-p', 'one'])
    expect(await run(['-p', '--resume', 'a task'])).toEqual(
      usage('--resume needs the id of a session when nobody can be asked. The last ones: 2aaaaa (one).'),
    )
  })

  it('with --fork leaves the old one as it is', async () => {
    const { run, files } = await begun()
    await run(['-p', 'one'])
    expect((await run(['-p', '-c', '--fork', 'two'])).stdout).toBe('one | one | two\n')
    expect((await run(['-p', '-r', '2aaaaa', 'three'])).stdout).toBe('one | one | three\n')
    expect([...(await files())].sort()).toEqual(['2aaaaa.jsonl', '2abbbb.jsonl'])
  })
})

describe('lena sessions', () => {
  it('lists those of the folder with what they began with, and nothing in that steers a terminal', async () => {
    const { run } = await begun()
    expect(await run(['sessions'])).toEqual({ code: 0, stdout: 'No session was kept of this folder yet.\n', stderr: '' })
    await run(['-p', '\u001b[2Jone\n  with a second line\u202e and much more than fits into a line of a table, which is cut'])
    const { stdout } = await run(['sessions'])
    expect(stdout.split('\n')).toEqual([
      'ID      LAST USED  BEGINS WITH',
      '2aaaaa  just now   \\x1b[2Jone with a second line\\u{202e} and much more than fits into a li…',
      '',
    ])
  })

  it('--all lists those of all folders, as JSON too', async () => {
    const { run, cwd } = await begun()
    await run(['-p', 'one'])
    const other = await newFolder()
    await run(['-p', 'two'], { cwd: other })
    const { sessions } = JSON.parse((await run(['sessions', '--all', '-o', 'json'], { cwd: '/' })).stdout) as {
      readonly sessions: readonly object[]
    }
    expect(sessions).toEqual([
      { id: '2abbbb', title: 'two', updated: expect.any(Number), workspace: other },
      { id: '2aaaaa', title: 'one', updated: expect.any(Number), workspace: cwd },
    ])
  })

  it('shows one', async () => {
    const { run } = await begun()
    const looks = scriptedModel({ text: 'Let me look.', calls: [{ name: 'list_dir', input: {} }] }, { text: 'It is \u001b[31mempty.' })
    await run(['-p', 'What is\nhere?'], { model: looks })
    expect(await run(['sessions', 'show', '2'])).toEqual({
      code: 0,
      stdout: '> What is\n> here?\n\nLet me look.\n* list_dir\n\n  ok [The folder is empty.]\n\nIt is empty.\n',
      stderr: '',
    })
  })

  it('forks one, and removes some, all or none', async () => {
    const { run, files } = await begun()
    await run(['-p', 'one'])
    expect(await run(['sessions', 'fork', '2a'])).toEqual({ code: 0, stdout: '2abbbb\n', stderr: '' })
    expect(await run(['sessions', 'remove', '2aaaaa', '7'])).toEqual(
      usage('There is no session "7" in this folder. `lena sessions` lists what there is.'),
    )
    expect(await run(['sessions', 'remove', '2aaaaa', '2ab'])).toEqual({ code: 0, stdout: 'Removed 2aaaaa, 2abbbb.\n', stderr: '' })
    expect(await files()).toEqual([])
  })
})

describe('two terminals in one session', () => {
  it('lose nothing, fail nobody, and the next follows the newest', async () => {
    const { run } = await begun()
    await run(['-p', 'one'])
    const [a, b] = await Promise.all([run(['-p', '-c', 'from a']), run(['-p', '-c', 'from b'])])
    expect([a, b]).toEqual([
      { code: 0, stdout: 'one | one | from a\n', stderr: '' },
      { code: 0, stdout: 'one | one | from b\n', stderr: '' },
    ])
    const next = await run(['-p', '-c', 'next'])
    expect({ code: next.code, stderr: next.stderr }).toEqual({ code: 0, stderr: '' })
    expect(next.stdout).toMatch(/^one \| one \| from ([ab]) \| one \| one \| from \1 \| next\n$/)
  })
})

describe('a session is picked', () => {
  it('from a list, when somebody is there', async () => {
    const { run, home, cwd } = await begun()
    await run(['-p', 'one'])
    await run(['-p', 'two'])
    const at = world({ stdin: 'terminal', model: scriptedModel(echo), home, cwd, ids: 'random' })
    const running = at.run('--resume', 'more words')
    await at.stdout.shows('Which one (1-2, or an id)? ')
    at.type('2\r')
    expect(await running).toBe(0)
    expect(at.stdout.text).toContain('  1  2abbbb  just now        two\n  2  2aaaaa  just now        one\n')
    expect(at.stdout.text).toContain('one | one | more words\n')
  })
})
