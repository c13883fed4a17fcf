import { describe, expect, it } from 'vitest'
import type { FakeResult, FakeTool } from './fake-tools.ts'
import { folderOf } from './fake-tools.ts'
import { play } from './play.ts'
import { project } from './project.ts'

const { basic } = folderOf(project)

const answering =
  (result: FakeResult): FakeTool =>
  () =>
    result
const shown = (text: string): FakeTool => answering({ status: 'success', text })

describe('failures are told in the words of the tool', () => {
  it.each<[code: FakeResult['code'], said: string]>([
    [undefined, 'I could not read `a.txt`: The words of the tool.'],
    ['denied', 'I was not allowed to read `a.txt`: The words of the tool.'],
    ['cancelled', 'The attempt to read `a.txt` was cancelled: The words of the tool.'],
    ['timeout', 'The attempt to read `a.txt` took too long: The words of the tool.'],
    ['unknown_outcome', 'I do not know what came of the attempt to read `a.txt`: The words of the tool.'],
    ['not_found', 'I could not read `a.txt`: The words of the tool.'],
  ])('%s', async (code, said) => {
    const failing: FakeTool = answering({ status: 'error', ...(code && { code }), text: 'Error: The words of the tool.' })
    expect((await play('read a.txt', { tools: { read_file: failing } })).answer).toBe(said)
  })

  it('says so when there are no words', async () => {
    expect((await play('read a.txt', { tools: { read_file: answering({ status: 'error', text: '(no output)' }) } })).answer).toBe(
      'I could not read `a.txt`, and the tool did not say why.',
    )
    expect((await play('read a.txt', { tools: { read_file: answering({ status: 'error', code: 'denied', text: '' }) } })).answer).toBe(
      'I was not allowed to read `a.txt`.',
    )
  })

  it('passes on the near names of a missing file', async () => {
    expect((await play('read a.text', { tools: basic })).answer).toBe(
      'I could not read `a.text`: "a.text" does not exist. Did you mean "a.txt"? See what is there with list_dir.',
    )
  })

  it('tells one failure beside what went well', async () => {
    const { turns, answer } = await play('read missing.txt and list src/util', { tools: basic })
    expect(turns.map((calls) => calls.length)).toEqual([2])
    expect(answer).toBe(
      'I could not read `missing.txt`: "missing.txt" does not exist. See what is there with list_dir.\n\n`src/util` has 1 file:\n\n- b.js',
    )
  })

  it('does not write when it was not allowed to run', async () => {
    const denied = answering({ status: 'error', code: 'denied', text: 'The user said no.' })
    const { turns, answer } = await play('run `npm test`, then write done to out.txt', { tools: { ...basic, shell: denied } })
    expect(turns.map((calls) => calls.map(({ name }) => name))).toEqual([['shell']])
    expect(answer).toBe(
      'I was not allowed to run `npm test`: The user said no.\n\nI did not write `out.txt`, because what was to come before it failed.',
    )
  })

  it('goes on after a failure where the two have nothing to do with each other', async () => {
    const denied = answering({ status: 'error', code: 'denied', text: 'No.' })
    const folder = folderOf(project)
    await play('run `npm test` and write done to out.txt', { tools: { ...folder.basic, shell: denied } })
    expect(folder.files.get('out.txt')).toBe('done\n')
  })
})

describe('a file that changes under its hands', () => {
  it.each(['append "x" to a.txt', 'replace first with 1st in a.txt'])('%s', async (prompt) => {
    const refusing = answering({
      status: 'error',
      text: '"a.txt" has changed since it was last read or written, so it was not overwritten.',
    })
    const { turns, answer } = await play(prompt, { tools: { ...basic, write_file: refusing } })
    expect(turns.map((calls) => calls.map(({ name }) => name))).toEqual([['read_file'], ['write_file']])
    expect(answer).toBe('I could not write `a.txt`: "a.txt" has changed since it was last read or written, so it was not overwritten.')
  })
})

describe('a refusal that reading would not lift', () => {
  it.each(['write x to a.txt', 'create a.txt with x'])('%s', async (prompt) => {
    const { turns, answer } = await play(prompt, {
      tools: { ...basic, write_file: answering({ status: 'error', text: '"a.txt" is on a file system that is read-only.' }) },
    })
    expect(turns).toHaveLength(1)
    expect(answer).toBe('I could not write `a.txt`: "a.txt" is on a file system that is read-only.')
  })
})

describe('tools that are not offered', () => {
  it.each<[prompt: string, tools: readonly string[], said: string]>([
    ['read a.txt', [], 'To read `a.txt` I would need the tool `read_file`, and it is not offered here.'],
    ['list src', [], 'To list `src` I would need the tool `list_dir` or `shell`, and none of them is offered here.'],
    ['run `ls`', ['read_file'], 'To run `ls` I would need the tool `shell`, and it is not offered here.'],
    ['what time is it', ['read_file'], 'To tell the time I would need the tool `shell`, and it is not offered here.'],
    ['write x to y.txt', ['read_file'], 'To write `y.txt` I would need the tool `write_file`, and it is not offered here.'],
    [
      'search for TODO',
      ['read_file', 'list_dir'],
      'To search for `TODO` I would need the tool `grep` or `shell`, and none of them is offered here.',
    ],
    [
      'find all ts files',
      ['read_file'],
      'To find .ts files I would need the tool `glob` or `list_dir` or `shell`, and none of them is offered here.',
    ],
  ])('%s', async (prompt, names, said) => {
    const tools = Object.fromEntries(names.map((name) => [name, basic[name]!]))
    expect(await play(prompt, { tools })).toMatchObject({ turns: [], answer: said })
  })

  it('does what can be done with the others', async () => {
    const { turns, answer } = await play('list src and run `ls`', { tools: { list_dir: basic['list_dir']! } })
    expect(turns).toEqual([[{ name: 'list_dir', input: { path: 'src' } }]])
    expect(answer).toMatch(/`src` has 1 folder and 2 files[\s\S]*To run `ls` I would need the tool `shell`/)
  })
})

describe('other ways to the same end', () => {
  const { all, basic: few } = folderOf(project)

  it('finds with glob where it is offered', async () => {
    const { turns, answer } = await play('find all ts and js files in src', { tools: all })
    expect(turns).toEqual([
      [
        { name: 'glob', input: { pattern: '**/*.ts', path: 'src' } },
        { name: 'glob', input: { pattern: '**/*.js', path: 'src' } },
      ],
    ])
    expect(answer).toBe('3 files in `src` and the folders below it (.ts/.js files):\n\n- src/a.ts\n- src/index.ts\n- src/util/b.js')
  })

  it('finds folder by folder with list_dir alone', async () => {
    const { turns, answer } = await play('find all js files', { tools: { list_dir: few['list_dir']! } })
    expect(turns.map((calls) => calls.map(({ input }) => input['path']))).toEqual([['.'], ['empty', 'src'], ['src/util']])
    expect(answer).toMatch(/^1 file .*\n\n- src\/util\/b\.js$/)
  })

  it('does not look for ever', async () => {
    const endless: FakeTool = () => ({ status: 'success', text: 'deeper/\nb.ts (1 B)' })
    const { turns, answer } = await play('find all ts files', { tools: { list_dir: endless } })
    expect(turns).toHaveLength(6)
    expect(answer).toMatch(/^At least 6 files/)
  })

  it('searches with grep where it is offered, for exactly that text', async () => {
    const { turns, answer } = await play('search for "main = () =>" in src', { tools: all })
    expect(turns).toEqual([[{ name: 'grep', input: { pattern: 'main = \\(\\) =>', path: 'src' } }]])
    expect(answer).toMatch(/^1 line in 1 file contains `main = \(\) =>`/)
  })

  it('lists with ls where there is only a shell', async () => {
    const shell: FakeTool = () => ({ status: 'success', text: 'exit_code: 0\nsub/\nx.txt' })
    const { turns, answer } = await play('list "my folder"', { tools: { shell } })
    expect(turns).toEqual([[{ name: 'shell', input: { command: "ls -1Ap -- 'my folder'" } }]])
    expect(answer).toBe('`my folder` has 1 folder and 1 file:\n\n- sub/\n- x.txt')
  })
})

describe('what was seen only in part', () => {
  const long = `${Array.from({ length: 25 }, (_, index) => `line ${index + 1}`).join('\n')}\n`
  const pages = folderOf({ 'long.txt': long }, { pageLines: 10 }).basic

  it('reads on for what needs all of it', async () => {
    const { turns, answer } = await play('count the words of long.txt', { tools: pages })
    expect(turns.flat().map(({ input }) => input['offset'])).toEqual([undefined, 11, 21])
    expect(answer).toBe('`long.txt` has 50 words.')
  })

  it('does not read on where the tool says it', async () => {
    expect(await play('how many lines does long.txt have', { tools: pages })).toMatchObject({
      turns: [[{ name: 'read_file', input: { path: 'long.txt' } }]],
      answer: '`long.txt` has 25 lines.',
    })
  })

  it('shows the beginning and says so', async () => {
    expect((await play('read long.txt', { tools: pages })).answer).toMatch(
      /^`long\.txt` \(25 lines\):\n\n```txt\nline 1\n[\s\S]*line 10\n```\n\nThese are the first 10 lines\.$/,
    )
  })

  it('stops after twenty pieces, and does not claim to know the rest', async () => {
    const huge = folderOf({ 'huge.txt': 'word\n'.repeat(100) }, { pageLines: 1 }).basic
    const { turns, answer } = await play('count the words of huge.txt', { tools: huge })
    expect(turns).toHaveLength(20)
    expect(answer).toBe('`huge.txt`: 20 words in what I read. Only 20 lines of 100 could be read.')
  })

  it.each<[name: string, text: string]>([
    ['a persisted output', '1\tone\n2\ttwo\n<persisted-output path="x" chars="90000"/>'],
    ['cut lines', '1\tone [… the line is cut here; it has 9000 bytes]\n2\ttwo\n[Lines are cut at 2000 characters.]'],
  ])('does not write %s as if it were whole', async (_, text) => {
    const folder = folderOf({})
    const { answer } = await play('read big.txt and save it to copy.txt', { tools: { ...folder.basic, read_file: shown(text) } })
    expect(folder.files).toEqual(new Map())
    expect(answer).toBe('I did not write `copy.txt`: I have not seen all of what should be written, or not exactly as it is.')
  })

  it('does not append to what it cannot write back', async () => {
    const folder = folderOf({})
    const { answer } = await play('append "x" to mixed.txt', {
      tools: { ...folder.basic, read_file: shown('1\tone\n2\ttwo\n[The line ends are mixed: 1 CRLF, 1 LF.]') },
    })
    expect(folder.files).toEqual(new Map())
    expect(answer).toMatch(/^I did not change `mixed\.txt`: not all of it was shown to me as it is/)
  })

  it('says when a folder was not shown whole', async () => {
    expect(
      (await play('list src', { tools: { list_dir: shown('a/\nb.ts (1 B)\n[7 more of 9 entries are not shown. Narrow it down.]') } }))
        .answer,
    ).toBe('`src` has at least 1 folder and 1 file:\n\n- a/\n- b.ts\n\nThe tool did not show all of it.')
  })
})

describe('an output that was cut', () => {
  it('is not saved as if it were whole', async () => {
    const folder = folderOf({})
    const { answer } = await play('run `big` and save the output to out.txt', {
      tools: { ...folder.basic, shell: shown('exit_code: 0\nfirst\n[… 90000 characters left out …]\nlast') },
    })
    expect(folder.files).toEqual(new Map())
    expect(answer).toMatch(/The tool left a part of the output out\.\n\nI did not write `out\.txt`: I have not seen all/)
  })
})

describe('a picture', () => {
  it('is not read', async () => {
    const tools = { read_file: shown('a.png: image/png, 10 x 10 pixels, 99 bytes\n[an image, image/png]') }
    expect((await play('read a.png', { tools })).answer).toBe(
      '`a.png` is an image, and I can only read text. The tool says: a.png: image/png, 10 x 10 pixels, 99 bytes',
    )
  })
})

describe('odd results', () => {
  it('says that JSON is none', async () => {
    expect((await play('what does package.json depend on', { tools: { read_file: shown('1\t{ nope') } })).answer).toMatch(
      /^`package\.json` cannot be parsed as JSON \(.+\), so I cannot tell what it depends on\.$/,
    )
  })

  it.each<[prompt: string, tool: string, text: string, answer: string]>([
    ['read a.txt', 'read_file', '[The file is empty.]', '`a.txt` is empty.'],
    ['read a.txt', 'read_file', 'no numbers\nhere', '`a.txt` (2 lines):\n\n```txt\nno numbers\nhere\n```'],
    ['read a.md', 'read_file', '1\t```\n2\tcode\n3\t```', '`a.md` (3 lines):\n\n````md\n```\ncode\n```\n````'],
    ['list src', 'list_dir', '[The folder is empty.]', '`src` is empty.'],
    [
      'list src',
      'list_dir',
      '[id]/\n[...slug].tsx (12 B)\na (1).txt (3 B)\nlink -> ../x\nin/ -> ../y\npipe (named pipe)',
      '`src` has 2 folders and 4 files:\n\n- [id]/\n- [...slug].tsx\n- a (1).txt\n- link\n- in/\n- pipe',
    ],
    ['list src', 'list_dir', 'one\t12\ntwo/  4096', '`src` has 1 folder and 1 file:\n\n- one\n- two/'],
    [
      'what does package.json depend on',
      'read_file',
      '1\t{"name":"x"}',
      '`package.json` (x) depends on nothing: it has no dependencies, no devDependencies and no peerDependencies.',
    ],
    [
      'what does notes.txt depend on',
      'read_file',
      '1\thello',
      'I know dependencies only from `package.json`, `requirements.txt`, `Cargo.toml`, `go.mod` and the imports of source code, so I cannot tell what `notes.txt` depends on.',
    ],
    ['run `true`', 'shell', 'exit_code: 0\n(no output)', '`true` ran without an error (exit code 0) and printed nothing.'],
    ['run `x`', 'shell', 'no head at all', '`x` ran:\n\n```\nno head at all\n```'],
  ])('%s, %s: %j', async (prompt, tool, text, answer) => {
    expect((await play(prompt, { tools: { [tool]: shown(text) } })).answer).toBe(answer)
  })
})
