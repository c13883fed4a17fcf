import type { AddTest, Machine } from './machine.ts'
import { definedOf, isTrue, quoted, same } from './machine.ts'

/** What bash sets by itself. A host may add marks of its own, whose names begin so. */
const ofBash = ['PWD', 'OLDPWD', 'SHLVL', '_']
const ownMark = /^LENA_/

const whatItSays = async (at: Machine, command: string, parts: Parameters<Machine['run']>[1] = {}): Promise<string> => {
  const { end, output } = await at.run(command, parts)
  same([end.why, end.exitCode, end.killedBy, end.isHeld], ['exited', 0, undefined, false], `the end of ${command.slice(0, 100)}`)
  return output
}

/** `home`, `env`, and `run` of commands that end by themselves. */
export function testCommands(test: AddTest): void {
  test('the home folder is an absolute path, and the environment holds texts', async (at) => {
    isTrue(at.host.home.startsWith('/'), `home is ${JSON.stringify(at.host.home)}, expected an absolute path`)
    for (const [name, value] of Object.entries(at.host.env))
      isTrue(
        /^[^=\0]+$/.test(name) && (value === undefined || typeof value === 'string'),
        `env has ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
      )
  })

  test('a command line is one for bash, whatever characters it has', async (at) => {
    same(await whatItSays(at, `a=(one "two  words"); [[ \${a[1]} == two* ]] && printf '%s|' "\${a[@]}"`), 'one|two  words|', 'an array')
    same(await whatItSays(at, "cat <<'end'\n$(id) `id` \"x\" 'y' \\ *\nend\n"), '$(id) `id` "x" \'y\' \\ *\n', 'a text in a command line')
    same(await whatItSays(at, 'echo ä漢😀; echo $#'), 'ä漢😀\n0\n', 'a command line that is not ASCII, and how many arguments it has')
    const long = 'x'.repeat(100_000)
    same(await whatItSays(at, `: '${long}'; text='${'y'.repeat(1000)}'; echo \${#text} end`), '1000 end\n', 'a command line of 100 kB')
  })

  test('tells the exit code', async (at) => {
    for (const [command, code] of Object.entries({
      true: 0,
      false: 1,
      'exit 7': 7,
      'exit 255': 255,
      '(exit 3)': 3,
      'no-such-program-anywhere 2>&-': 127,
    })) {
      const { end } = await at.run(command)
      same([end.why, end.exitCode, end.killedBy], ['exited', code, undefined], `the end of ${command}`)
    }
    same((await at.run('if then')).end.exitCode, 2, 'the exit code of what is no command line')
  })

  test('gives both streams in the order in which they were written', async (at) => {
    const wanted = Array.from({ length: 20 }, (_, i) => `out ${i}\nerr ${i}\n`).join('')
    same(await whatItSays(at, 'for i in {0..19}; do echo out $i; echo err $i >&2; done'), wanted, 'the output')
  })

  test('never cuts a character, and loses no byte that is none', async (at) => {
    const pieces: string[] = []
    const command = String.raw`printf 'a\303'; sleep 0.1; printf '\244b\360\237'; sleep 0.1; printf '\230\200|\377|\303'`
    same(await whatItSays(at, command, { onOutput: (text) => pieces.push(text) }), 'aäb😀|\ufffd|\ufffd', 'the output')
    for (const piece of pieces) isTrue(piece !== '', 'an empty piece of output')
  })

  test('gives all of a large output', async (at) => {
    const output = await whatItSays(at, "printf '%s :-)\\n' {100000..299999}")
    same(output.length, 2_200_000, 'characters of an output')
    const wrong = output.split('\n').findIndex((line, i) => line !== (i === 200_000 ? '' : `${100_000 + i} :-)`))
    same(wrong, -1, 'the first line of it that is wrong')
  })

  test('tells what is printed while the command runs', async (at) => {
    // It goes on only once its output was heard of.
    let answer: Promise<unknown> | undefined
    const { end } = await at.run('echo ready; until [ -e go ]; do sleep 0.05; done', {
      onOutput: () => void (answer ??= at.write('go')),
      timeoutMs: 20_000,
    })
    await answer
    same(end.why, 'exited', 'the end of a command that waits until it was heard')
  })

  test('starts in the folder that it is told, by whatever name', async (at) => {
    for (const name of ['plain', "it's a\n$(id)", '-n', 'ä']) {
      await at.files.makeFolder(at.path(name))
      same(await whatItSays(at, 'pwd -P', { cwd: at.path(name) }), `${at.path(name)}\n`, 'the folder')
    }
  })

  test('has the environment that it is given, and no other', async (at) => {
    const { PATH = '/usr/bin:/bin' } = definedOf(at.host.env)
    const env = { PATH, EMPTY: '', QUOTED: `it's "$HOME" \\ $(id)`, LINES: 'a\nb\n', SPACES: ' a  b ', UMLAUT: 'ä漢😀', lower: '=x=' }
    const names = (await whatItSays(at, 'compgen -e', { env })).trim().split('\n')
    same(names.filter((name) => !ofBash.includes(name) && !ownMark.test(name)).sort(), Object.keys(env).sort(), 'the names')
    const values = await whatItSays(at, `printf '%s|' "$PATH" "$EMPTY" "$QUOTED" "$LINES" "$SPACES" "$UMLAUT" "$lower"`, { env })
    same(
      values,
      Object.values(env)
        .map((value) => `${value}|`)
        .join(''),
      'the values',
    )
  })

  test('has no input', async (at) => {
    same(
      await whatItSays(at, 'cat; read -r line || echo nothing; cat | wc -c | tr -d " "', { timeoutMs: 10_000 }),
      'nothing\n0\n',
      'what was read',
    )
  })

  test('tells in which folder the shell ended, without links, if it is asked', async (at) => {
    await at.sh(`mkdir -p sub/deep; ln -s sub/deep link; mkdir ${quoted('a\nb ')}`)
    const folders = {
      'cd sub': 'sub',
      'cd sub; cd deep; false': 'sub/deep',
      'cd link': 'sub/deep',
      'cd sub; exit 3': 'sub',
      'cd sub && { cd deep; }; echo x': 'sub/deep',
      "cd $'a\\nb '": 'a\nb ',
      'cd /': '/',
    }
    for (const [command, name] of Object.entries(folders)) {
      const { end } = await at.run(command, { tellsFolder: true })
      same(end.folder, name === '/' ? '/' : at.path(name), `the folder after ${command}`)
    }
    same((await at.run('(cd sub)', { tellsFolder: true })).end.folder, at.folder, 'the folder after a subshell has moved')
    same((await at.run('cd sub')).end.folder, undefined, 'the folder when nobody has asked')
    const { end, output } = await at.run('cd sub; echo out; echo err >&2; exit 4', { tellsFolder: true })
    same([end.exitCode, output], [4, 'out\nerr\n'], 'exit code and output of a command that tells its folder')
  })

  test('commands run beside each other, each with its own output', async (at) => {
    const all = await Promise.all([1, 2, 3, 4].map((i) => whatItSays(at, `for n in 1 2 3; do echo ${i}; sleep 0.05; done`)))
    same(
      all,
      [1, 2, 3, 4].map((i) => `${i}\n`.repeat(3)),
      'the outputs',
    )
  })

  test('one that cannot be started fails', async (at) => {
    const started = at.run('echo started', { cwd: at.path('gone') }).then(({ output }) => output)
    await started.then(
      (output) => Promise.reject(new Error(`a command in a folder that is not there ended well, and said ${JSON.stringify(output)}`)),
      () => {},
    )
    await at.write('file')
    await at.run('echo started', { cwd: at.path('file') }).then(
      () => Promise.reject(new Error('a command in a folder that is a file ended well')),
      () => {},
    )
  })
}
