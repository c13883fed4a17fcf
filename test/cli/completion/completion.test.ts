import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { commandNames } from '../../../src/cli/commands/index.ts'
import { settingNames } from '../../../src/cli/config/setting-table.ts'
import { optionNames } from '../../../src/cli/option-table.ts'
import { lena } from '../support/world.ts'

vi.setConfig({ testTimeout: 60_000 })

const shells = { bash: 'bash', zsh: 'zsh', fish: 'fish' }
const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0
const [hasBash, hasZsh, hasFish] = [has('bash'), has('zsh'), has('fish')]
for (const [shell, isThere] of Object.entries({ bash: hasBash, zsh: hasZsh, fish: hasFish }))
  if (!isThere) console.warn(`The completion of ${shell} is not tried: there is no ${shell}.`)

const script = async (shell: string): Promise<string> => (await lena(['completion', shell])).stdout

describe('lena completion', () => {
  it.each(['bash', 'zsh', 'fish'])('%s: names each command, and each option that some command takes', async (shell) => {
    const text = await script(shell)
    for (const name of commandNames) expect(text).toContain(name)
    const named = optionNames.filter((name) => text.includes(shell === 'fish' ? `-l ${name} ` : `--${name}`))
    expect(named).toEqual(optionNames)
  })

  it.each<[readonly string[]]>([[[]], [['bash', 'zsh']]])('needs one shell: %j', async (words) => {
    expect(await lena(['completion', ...words])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'lena: `lena completion` needs the name of one shell: bash, zsh, fish.\n',
    })
  })
})

/** A folder with the script of a shell, a `lena` that knows two sessions, and a place to work in. */
async function folderFor(shell: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lena-completion-'))
  writeFileSync(join(folder, `lena.${shell}`), await script(shell))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'lena'), '#!/bin/sh\n[ "$1" = sessions ] && printf "ID  LAST USED\\n4kq7wz  now\\n5abcde  now\\n"\n')
  chmodSync(join(folder, 'bin', 'lena'), 0o755)
  mkdirSync(join(folder, 'work', 'a folder'), { recursive: true })
  writeFileSync(join(folder, 'work', 'a file'), '')
  return folder
}
const envOf = (folder: string): Record<string, string> => ({
  PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  HOME: folder,
})

/** What is offered for a line whose last word is being typed, in each shell. */
const offers: readonly (readonly [readonly string[], readonly string[]])[] = [
  [[''], [...commandNames, 'help']],
  [['se'], ['sessions']],
  [['help', 'mo'], ['models']],
  [
    ['sessions', ''],
    ['list', 'show', 'fork', 'remove'],
  ],
  [['sessions', 'show', '4'], ['4kq7wz']],
  [
    ['--resume', ''],
    ['4kq7wz', '5abcde'],
  ],
  [['--mode', 'acc'], ['accept_edits']],
  [
    ['--output', ''],
    ['text', 'json', 'stream-json'],
  ],
  [['-o', 'st'], ['stream-json']],
  [['--mod'], ['--model', '--mode']],
  [['sessions', '--a'], ['--all']],
  [['models', '--al'], []],
  [['--model', 'off'], ['offline']],
  [
    ['config', 'get', 'perm'],
    ['permissions.mode', 'permissions.rules'],
  ],
  [['config', 'set', ''], settingNames],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['--output', 'json', 'sess'], ['sessions']],
  [
    ['--output', 'json', 'sessions', ''],
    ['list', 'show', 'fork', 'remove'],
  ],
  [['sessions', '--output', 'json', 'show', '5'], ['5abcde']],
  [['a task of words', 'and'], []],
]

describe.runIf(hasBash)('in bash', () => {
  let folder: string
  beforeAll(async () => {
    folder = await folderFor('bash')
  })

  /** What bash offers for a line whose last word is being typed. */
  function offered(...words: readonly string[]): readonly string[] {
    const line = ['lena', ...words]
    const program = `source "$SCRIPT"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lena; printf '%s\\n' "\${COMPREPLY[@]}"`
    const said = execFileSync('bash', ['--norc', '-c', program, 'bash', ...line], {
      cwd: join(folder, 'work'),
      env: { ...envOf(folder), SCRIPT: join(folder, 'lena.bash') },
      encoding: 'utf8',
    })
    return said.split('\n').filter((text) => text !== '')
  }

  it.each(offers)('%j', (words, expected) => expect([...offered(...words)].sort()).toEqual([...expected].sort()))

  it.each<[readonly string[], readonly string[]]>([
    [['-C', 'a'], ['a folder']],
    [
      ['--mcp-config', 'a'],
      ['a file', 'a folder'],
    ],
  ])('%j', (words, expected) => expect([...offered(...words)].sort()).toEqual(expected))

  it('is what an interactive bash uses once the line of the help is in its settings', () => {
    const said = execFileSync('bash', ['--norc', '-c', 'eval "$(cat "$SCRIPT")"; complete -p lena'], {
      env: { PATH: process.env['PATH'] ?? '', SCRIPT: join(folder, 'lena.bash') },
      encoding: 'utf8',
    })
    expect(said).toBe('complete -o bashdefault -o default -F _lena lena\n')
  })
})

describe.runIf(hasFish)('in fish', () => {
  let folder: string
  beforeAll(async () => void (folder = await folderFor('fish')))

  it.each(offers)('%j', (words, expected) => {
    const said = execFileSync(shells.fish, ['--no-config', '-c', 'source $SCRIPT; complete -C "$LINE"'], {
      cwd: join(folder, 'work'),
      env: { ...envOf(folder), SCRIPT: join(folder, 'lena.fish'), LINE: ['lena', ...words].join(' ') },
      encoding: 'utf8',
    })
    const names = said.split('\n').flatMap((line) => line.split('\t')[0] || [])
    expect(names.sort()).toEqual([...expected].sort())
  })
})

describe.runIf(hasZsh)('in zsh', () => {
  /** For each line: one zsh is asked for all, for it takes long to begin. */
  let offered: readonly (readonly string[])[]
  beforeAll(async () => {
    const folder = await folderFor('zsh')
    const lines = offers.map(([words]) => ['lena', ...words].join(' '))
    const said = execFileSync('zsh', ['-f', join(import.meta.dirname, 'offered.zsh'), join(folder, 'lena.zsh'), ...lines], {
      cwd: join(folder, 'work'),
      env: envOf(folder),
      encoding: 'utf8',
      timeout: 100_000,
    })
    offered = said.split('OVER\n').map((each) => each.split('\n').flatMap((line) => line.trim() || []))
  }, 120_000)

  it.each(offers.map(([words, expected], index) => [words, expected, index] as const))('%j', (words, expected, index) => {
    const names = [...offered[index]!].sort()
    // Its id may be left out: what stands behind it then is offered as well.
    if (words[0] === '--resume') expect(names).toEqual(expect.arrayContaining([...expected]))
    else expect(names).toEqual([...expected].sort())
  })
})

describe.each([
  ['zsh', hasZsh, ['-n']],
  ['fish', hasFish, ['--no-execute']],
] as const)('in %s', (shell, isThere, check) => {
  it.runIf(isThere)('can be read', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'lena-completion-')), `lena.${shell}`)
    writeFileSync(path, await script(shell))
    expect(spawnSync(shell, [...check, path], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })
})
