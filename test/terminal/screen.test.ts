import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasTerminal, newFolder } from './support/lena.ts'
import { onScreen } from './support/screen.ts'

const ctrlC = '\u0003'
const ctrlD = '\u0004'
const up = '\u001b[A'
const keeps = 'stty -g > before; $LENA; code=$?; stty -g > after; exit $code'

const folderWith = (files: Readonly<Record<string, string>>): string => {
  const cwd = newFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content)
  return cwd
}
const settings = (cwd: string): readonly [string, string] => [
  readFileSync(join(cwd, 'before'), 'utf8'),
  readFileSync(join(cwd, 'after'), 'utf8'),
]
/** Without what changes from run to run. */
const steady = (rows: readonly string[]): readonly string[] =>
  rows.map((row) => row.replaceAll(/\d+(?:\.\d)? (?:ms|s)\b/g, 'N ms').replace(/in \/\S+?(?=[,.] )/, 'in FOLDER'))

describe.skipIf(!hasTerminal).concurrent('on a screen', { timeout: 60_000 }, () => {
  it('streams markdown, and goes on from task to task', async (test) => {
    const { sees, type, terminal, ended } = onScreen(test, [], { script: 'markdown', cwd: newFolder() })
    await sees(/^> *$/)
    type('report\r')
    await sees(/cost not known/)
    await sees(/^>$/)
    type('go on\r')
    await sees(/And on it goes/)
    await sees(/^>$/)
    type(ctrlD)
    expect((await ended).code).toBe(0)
    const rows = steady(terminal.text)
    const begin = rows.indexOf('> report')
    expect(rows.slice(begin, begin + 21)).toEqual([
      '> report',
      'Report',
      '',
      'The tests of lena pass, see the page.',
      '',
      '1. First',
      '2. Second',
      '   • and below it',
      '',
      '  const answer = 42 // of all',
      '',
      'file │ lines',
      '─────┼──────',
      'a.ts │   120',
      'b.ts │     7',
      '',
      '│ Done.',
      expect.stringMatching(/^\d+ tokens in · \d+ out · cost not known · N ms$/),
      '',
      '> go on',
      'And on it goes.',
    ])
    expect({ unknown: terminal.unknown, modes: [...terminal.modes] }).toEqual({ unknown: [], modes: ['25'] })
    const link = terminal.cells.flat().filter(({ url }) => url !== '')
    expect([link.map(({ text }) => text).join(''), link[0]!.url]).toEqual(['the page', 'https://example.org/a'])
  })

  it('greets in whole words, also in a narrow window', async (test) => {
    const { sees, type, terminal, ended } = onScreen(test, [], { script: 'markdown', cwd: newFolder(), columns: 20 })
    await sees(/^> *$/)
    const words = 'model scripted/model, /help for help, Ctrl-D to leave.'.split(' ')
    const shown = new Set(terminal.text.flatMap((row) => row.split(' ')))
    expect(words.filter((word) => !shown.has(word))).toEqual([])
    type(ctrlD)
    expect((await ended).code).toBe(0)
  })

  it('tells of what it can do in whole words, also in a narrow window', async (test) => {
    const { sees, type, terminal, ended } = onScreen(test, [], { script: 'markdown', cwd: newFolder(), columns: 50, rows: 60 })
    await sees(/^> *$/)
    type('/help\r')
    await sees(/\/exit/)
    await sees(/^>$/)
    const at = terminal.text.findIndex((row) => row.startsWith('  /permissions'))
    expect(terminal.text.slice(at, at + 3)).toEqual([
      '  /permissions [MODE | allow RULE | deny RULE | fo',
      'rget]',
      '                    what runs without a question,',
    ])
    expect(terminal.text.filter((row) => row.startsWith('  /model'))).toEqual(['  /model [NAME]     the model; with a name: go on'])
    type(ctrlD)
    expect((await ended).code).toBe(0)
  })

  it('shows what an edit would change, and makes it when that is allowed', async (test) => {
    const cwd = folderWith({ 'greet.ts': "const a = 1\nexport const greet = () => 'Hello'\n" })
    const { sees, type, terminal, ended } = onScreen(test, ['translate it'], { script: 'edits', cwd, around: keeps })
    await sees(/\[n\]o:/)
    const asked = terminal.text.findIndex((row) => row.startsWith('? edit_file'))
    expect(terminal.text.slice(asked + 1, asked + 6)).toEqual([
      '    greet.ts +1 -1',
      '    @@ -1,2 +1,2 @@',
      '     const a = 1',
      "    -export const greet = () => 'Hello'",
      "    +export const greet = () => 'Bonjour'",
    ])
    const looks = terminal.cells.slice(asked + 4, asked + 6).map((row) => row.at(-1)!.look)
    expect(looks).toEqual(['31', '32'])
    type('y\r')
    expect((await ended).code).toBe(0)
    // Once: it was seen before it was made. What follows is what the tool told the model.
    const done = terminal.text.findIndex((row) => row.startsWith('✓ edit_file'))
    expect(steady(terminal.text.slice(done, done + 2))).toEqual(["✓ edit_file greet.ts old='Hello' new='Bonjour'  +1 -1, N ms", ''])
    expect(readFileSync(join(cwd, 'greet.ts'), 'utf8')).toContain('Bonjour')
    const [before, after] = settings(cwd)
    expect(after).toBe(before)
  })

  it('a refusal takes a reason, which the model hears', async (test) => {
    const cwd = folderWith({ 'greet.ts': "export const greet = () => 'Hello'\n" })
    const { sees, type, terminal, ended } = onScreen(test, ['translate it'], { script: 'edits', cwd, columns: 120 })
    await sees(/\[n\]o:/)
    type('n\r')
    await sees(/Why not\?/)
    type('say Salut\r')
    expect((await ended).code).toBe(0)
    expect(readFileSync(join(cwd, 'greet.ts'), 'utf8')).toContain('Hello')
    expect(terminal.text.join(' ')).toContain('The user did not allow this call of edit_file. They said: say Salut')
  })

  it('ten thousand lines of output are some lines and a count', async (test) => {
    const cwd = newFolder()
    const { terminal, ended } = onScreen(test, ['count'], {
      script: 'floods',
      cwd,
      columns: 200,
      env: { XDG_STATE_HOME: join(cwd, 'kept') },
    })
    expect((await ended).code).toBe(0)
    expect(terminal.text.length).toBeLessThan(40)
    expect(terminal.text).toContain('    line 1')
    expect(terminal.text).toContain('    line 10000')
    expect(terminal.text.filter((row) => /more lines/.test(row))).toEqual([
      expect.stringMatching(/^ {4}… \d+ more lines, and \d+ characters$/),
    ])
    const paths = terminal.text.flatMap((row) => /^ {4}the whole output: (\S+)$/.exec(row)?.[1] ?? [])
    expect(paths.map((path) => readFileSync(path, 'utf8').split('\n').length)).toEqual([10_001])
    expect(terminal.text).toContain('That was a lot.')
  })

  it('nothing in a file, a command or an answer steers the terminal', async (test) => {
    const evil = 'a\u001b[2J\u001b]0;owned\u0007\u001b]52;c;ZXZpbA==\u0007b\u009b31mc\u202ed\rx\n'
    const cwd = folderWith({ 'notes.txt': evil })
    const { ended, terminal, sees, type } = onScreen(test, ['read it'], { script: 'sneaks', cwd, columns: 120 })
    await Promise.race([sees(/\[n\]o:/).then(() => type('y\r')), ended]).catch(() => {})
    expect((await ended).code).toBe(0)
    expect({ unknown: terminal.unknown, title: terminal.title }).toEqual({ unknown: [], title: '' })
    expect(terminal.text.some((row) => row.includes('shell cat notes.txt # \\x1b[2J\\u{202e}'))).toBe(true)
    expect(terminal.text.join('\n')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  })

  it('Ctrl-C in a stream and in a tool cancels the turn; the conversation goes on, with what was typed before', async (test) => {
    const cwd = newFolder()
    const { sees, type, terminal, ended } = onScreen(test, [], { script: 'waits', cwd, env: { LENA_STATE_DIR: join(cwd, 'state') } })
    await sees(/^> *$/)
    type('wait\r')
    await sees(/\[n\]o:/)
    type('y\r')
    await sees(/^ {4}begun$/)
    await sees(/Running .*Ctrl-C cancels/)
    type(ctrlC)
    await sees(/Cancelled\./)
    await sees(/^>$/)
    type(`${up} longer\r`)
    await sees(/^> wait longer$/)
    await sees(/Going on\./)
    await sees(/^>$/)
    type(ctrlD)
    expect((await ended).code).toBe(0)
    expect(terminal.text.some((row) => /cancelled/.test(row))).toBe(true)
    const history = join(cwd, 'state', 'history.jsonl')
    expect(existsSync(history) ? readFileSync(history, 'utf8') : '').toBe('"wait"\n"wait longer"\n')
  })

  it('keeps what is typed in a turn out of its output, for the next line', async (test) => {
    const { sees, type, terminal, ended } = onScreen(test, [], { script: 'hangs', cwd: newFolder() })
    await sees(/^> *$/)
    type('one\r')
    await sees(/So far/)
    type('two')
    type(ctrlC)
    await sees(/Cancelled\./)
    await sees(/^>$/)
    type('three\r')
    await sees(/^> three$/)
    await sees(/Going on\./)
    type(ctrlD)
    expect((await ended).code).toBe(0)
    expect(terminal.text.filter((row) => row.includes('two'))).toEqual([])
    expect(terminal.text.filter((row) => row.includes('not complete: cancelled'))).toHaveLength(1)
  })

  it('goes on in the session that it was left in', async (test) => {
    const cwd = newFolder()
    const env = { LENA_STATE_DIR: join(cwd, 'state') }
    expect((await onScreen(test, ['report'], { script: 'markdown', cwd, env }).ended).code).toBe(0)
    const { ended, terminal } = onScreen(test, ['--continue', 'and now'], { script: 'echoes', cwd, env, columns: 200 })
    expect((await ended).code).toBe(0)
    expect(terminal.text.join('\n')).toMatch(/user: report \| assistant: [^]*user: and now/)
  })

  it('is drawn anew in a window that changes its size', async (test) => {
    const cwd = newFolder()
    const { sees, type, terminal, ended, resize } = onScreen(test, [], { script: 'waits', cwd, columns: 60, rows: 16 })
    await sees(/^> *$/)
    type('wait\r')
    await sees(/\[n\]o:/)
    type('y\r')
    await sees(/^ {4}begun$/)
    await resize(20, 10)
    await sees(/^. Running\b.{0,12}$/)
    type(ctrlC)
    await sees(/Cancelled\./)
    await sees(/^>$/)
    expect(terminal.text.filter((row) => /Running/.test(row))).toEqual([])
    expect(terminal.unknown).toEqual([])
    type(ctrlD)
    expect((await ended).code).toBe(0)
  })

  it.for([
    ['a fault', 'crashes', 1],
    ['SIGTERM', 'waits', 143],
    ['SIGHUP', 'waits', 129],
  ] as const)('leaves the terminal as it was after %s', async ([how, script, code], test) => {
    const cwd = newFolder()
    const around = 'stty -g > before; sh -c \'echo $$ > pid; exec "$@"\' sh $LENA; code=$?; stty -g > after; exit $code'
    const { sees, type, terminal, ended } = onScreen(test, ['go'], { script, cwd, around })
    if (script === 'waits') {
      await sees(/\[n\]o:/)
      type('y\r')
      await sees(/Running/)
      process.kill(Number(readFileSync(join(cwd, 'pid'), 'utf8')), how)
    }
    expect((await ended).code).toBe(code)
    const [before, after] = settings(cwd)
    expect({ after, modes: [...terminal.modes] }).toEqual({ after: before, modes: ['25'] })
    if (how === 'a fault') expect(terminal.text).toContain('lena: out of nowhere')
  })

  it('leaves the terminal as it was while it is stopped with Ctrl-Z, and goes on', async (test) => {
    const cwd = newFolder()
    // A shell with job control: it gets the terminal back when the program is stopped.
    const around = `bash -mic 'stty -g > before; $LENA; stty -g > after; echo stopped; fg; exit 0' 2>/dev/null`
    const { sees, type, ended } = onScreen(test, [], { script: 'markdown', cwd, around })
    await sees(/^> *$/)
    type('rep\u001a')
    await sees(/^stopped$/)
    await sees(/^> rep$/)
    type('ort\r')
    await sees(/cost not known/)
    type(ctrlD)
    await ended
    const [before, after] = settings(cwd)
    expect(after).toBe(before)
  })
})
