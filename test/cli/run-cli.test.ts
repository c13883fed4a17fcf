import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { commandNames } from '../../src/cli/commands/index.ts'
import { usageOf } from '../../src/cli/usage.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { lena, world } from './support/world.ts'

describe('answers without a task', () => {
  it('--version is the version of the package', async () => {
    expect(await lena(['--version'])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' })
  })
  it.each<[readonly string[], string]>([
    [['--help'], 'task'],
    [['help'], 'task'],
    [['tools', '--help'], 'tools'],
    [['help', 'models'], 'models'],
    [['sessions', 'list', '-h'], 'sessions'],
  ])('%j', async (argv, about) => expect(await lena(argv)).toEqual({ code: 0, stdout: usageOf(about), stderr: '' }))

  it('help names every option of its command, in lines that fit', () => {
    expect(usageOf('task').match(/^ {2}.{4}--[a-z-]+/gm)).toEqual([
      '  -p, --print',
      '  -o, --output',
      '  -m, --model',
      '  -c, --continue',
      '  -r, --resume',
      '      --fork',
      '      --no-session',
      '      --mode',
      '      --allow',
      '      --deny',
      '      --mcp-config',
      '      --max-turns',
      '      --trace',
      '  -C, --cwd',
      '  -q, --quiet',
      '  -h, --help',
      '  -V, --version',
    ])
    expect(usageOf('tools').match(/^ {2}.{4}--[a-z-]+/gm)).toEqual(['  -o, --output', '  -C, --cwd', '  -h, --help'])
    for (const about of ['task', ...commandNames])
      expect({
        about,
        width:
          Math.max(
            ...usageOf(about)
              .split('\n')
              .map(({ length }) => length),
          ) <= 150,
      }).toEqual({ about, width: true })
  })
})

describe('wrong usage: exit code 2, nothing on stdout, one paragraph on stderr', () => {
  it.each<[string, readonly string[], object, string]>([
    [
      'nothing at all',
      [],
      {},
      'There is no task: no words were given, and nothing came on stdin. Give one, for example: lena "what does this project do?"',
    ],
    [
      'blank stdin',
      [],
      { stdin: ' \n' },
      'There is no task: no words were given, and nothing came on stdin. Give one, for example: lena "what does this project do?"',
    ],
    ['an empty task', ['', ' '], {}, 'The task is empty. Give one, for example: lena "what does this project do?"'],
    [
      '-p alone on a terminal',
      ['-p'],
      { stdin: 'terminal' },
      'There is no task, and -p cannot be a conversation. Give one, for example: lena "what does this project do?"',
    ],
    [
      'nothing, and stdout is a file',
      [],
      { stdin: 'terminal', stdoutTTY: false },
      'There is no task, and a conversation needs a terminal on stdout too. Give one, for example: lena "what does this project do?"',
    ],
    [
      'an unknown option',
      ['-z'],
      {},
      'There is no option -z. If it belongs to the task, put the task in quotes or "--" before it. See `lena --help`.',
    ],
    [
      'an escape in an option',
      ['--\u001b[2J'],
      {},
      'There is no option --\\x1b[2J. If it belongs to the task, put the task in quotes or "--" before it. See `lena --help`.',
    ],
  ])('%s', async (_, argv, options, message) => {
    expect(await lena(argv, options)).toEqual({ code: 2, stdout: '', stderr: `lena: ${message}\n` })
  })
})

describe('--cwd', () => {
  it('is the folder that the tools work in', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lena-cli-'))
    await writeFile(join(folder, 'here.txt'), '')
    const { code, stdout } = await lena(['--cwd', folder, 'x'], {
      model: scriptedModel({ calls: [{ name: 'list_dir', input: {} }] }, { text: 'Done.' }),
    })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '* list_dir\n  ok here.txt (0 B), 0 ms\n\nDone.\n' })
  })
  it.each([
    ['does not exist', 'nowhere', (path: string) => `--cwd must be a folder, but ${JSON.stringify(path)} does not exist.`],
    ['is a file', 'file', (path: string) => `--cwd must be a folder, but ${JSON.stringify(path)} is a file.`],
    ['is in a file', 'file/x', (path: string) => `--cwd must be a folder, but ${JSON.stringify(path)} cannot be looked at (ENOTDIR).`],
  ])('is refused when it %s', async (_, name, message) => {
    const folder = await mkdtemp(join(tmpdir(), 'lena-cli-'))
    await writeFile(join(folder, 'file'), '')
    expect(await lena(['--cwd', name, 'x'], { cwd: folder })).toEqual({
      code: 2,
      stdout: '',
      stderr: `lena: ${message(join(folder, name))}\n`,
    })
  })
})

describe('the offline model', () => {
  const model = scriptedModel
  it('is named in one line on stderr', async () => {
    const { stdout, stderr } = await lena(['x'], { model: model({ text: 'Hi.' }), env: { NO_COLOR: '1' } })
    expect({ stdout, stderr }).toEqual({
      stdout: 'Hi.\n',
      stderr:
        'Offline model (no key is set, no local server answers): plain requests about files and commands. For more give --model; `lena models` lists what there is.\n',
    })
  })
  it('gives way to a server on this machine', async () => {
    const ollama = { name: 'ollama', baseURL: 'http://127.0.0.1:11434/v1', models: ['qwen3:8b'] } as const
    const { stderr } = await lena(['x'], { model: model({ text: 'Hi.' }), env: { NO_COLOR: '1' }, servers: [ollama] })
    expect(stderr).toBe('Model ollama/qwen3:8b (ollama answers at http://127.0.0.1:11434/v1).\n')
  })
  it.each([
    ['--quiet', ['--quiet', 'x'], {}],
    ['another model', ['x'], { LENA_MODEL: 'openai/x' }],
  ])('is not named with %s', async (_, argv, env) => {
    expect((await lena(argv, { model: model({ text: 'Hi.' }), env: { NO_COLOR: '1', ...env } })).stderr).toBe('')
  })
})

it('leaves no listener behind', async () => {
  const at = world({ model: scriptedModel({ text: 'Hi.' }) })
  const before = [at.stdout, at.stderr].map((stream) => stream.listenerCount('error'))
  await at.run('x')
  expect({
    signals: at.listeners(),
    errors: [at.stdout, at.stderr].map((stream) => stream.listenerCount('error')),
    drains: at.stdout.listenerCount('drain'),
  }).toEqual({ signals: 0, errors: before, drains: 0 })
})
