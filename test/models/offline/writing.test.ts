import { describe, expect, it } from 'vitest'
import { folderOf } from './fake-tools.ts'
import { play } from './play.ts'
import { project } from './project.ts'

const commands: Readonly<Record<string, { readonly exitCode: number; readonly output: string }>> = {
  'echo hi': { exitCode: 0, output: 'hi' },
  false: { exitCode: 1, output: 'it went wrong' },
}

/** What a prompt leaves in the folder: the files that are new or other than before. */
async function written(
  prompt: string,
  files: Readonly<Record<string, string>> = project,
): Promise<{ readonly changed: Record<string, string>; readonly answer: string; readonly calls: readonly (readonly string[])[] }> {
  const folder = folderOf(files, { shell: (command) => commands[command] })
  const { answer, turns } = await play(prompt, { tools: folder.basic })
  const changed = Object.fromEntries([...folder.files].filter(([path, text]) => files[path] !== text))
  return { changed, answer, calls: turns.map((calls) => calls.map(({ name }) => name)) }
}

describe('writes what it is given', () => {
  it.each<[prompt: string, changed: Record<string, string>]>([
    ['write hello to notes.txt', { 'notes.txt': 'hello\n' }],
    ['write "hello and goodbye" to notes.txt', { 'notes.txt': 'hello and goodbye\n' }],
    ['write stop and list to notes.txt', { 'notes.txt': 'stop and list\n' }],
    ['write one, list, three to notes.txt', { 'notes.txt': 'one, list, three\n' }],
    ['create notes.txt with the text hello world', { 'notes.txt': 'hello world\n' }],
    ['create a file called notes.txt that says hi there', { 'notes.txt': 'hi there\n' }],
    ['make a new file named "my notes.txt" with "hello"', { 'my notes.txt': 'hello\n' }],
    ['create an empty file notes.txt', { 'notes.txt': '' }],
    ['create hello.py:\n```python\nprint("hi")\nrun()\n```', { 'hello.py': 'print("hi")\nrun()\n' }],
    ['write this to x.txt:\nread a.txt\nand list src', { 'x.txt': 'read a.txt\nand list src\n' }],
    ['write "a" to x.txt and "b" to y.txt', { 'x.txt': 'a\n', 'y.txt': 'b\n' }],
    ['write {"a": 1} to x.json', { 'x.json': '{"a": 1}\n' }],
    ['append "fourth" to a.txt', { 'a.txt': 'first\nsecond line\nthird\nfourth\n' }],
    ['add "zeroth" to the top of a.txt', { 'a.txt': 'zeroth\nfirst\nsecond line\nthird\n' }],
    ['append hello to new.txt', { 'new.txt': 'hello\n' }],
    ['replace first with 1st in a.txt', { 'a.txt': '1st\nsecond line\nthird\n' }],
    ['in a.txt, replace "second line" with "$& 2"', { 'a.txt': 'first\n$& 2\nthird\n' }],
  ])('%s', async (prompt, changed) => expect((await written(prompt)).changed).toEqual(changed))
})

describe('writes what it found', () => {
  it.each<[prompt: string, changed: Record<string, string>]>([
    ['read a.txt and write its first line to b.txt', { 'b.txt': 'first\n' }],
    ['copy the first line of a.txt to b.txt', { 'b.txt': 'first\n' }],
    ['count the lines of README.md and write the number to count.txt', { 'count.txt': '7\n' }],
    ['count the lines in a.txt and README.md and write the total to t.txt', { 't.txt': '10\n' }],
    ['read package.json, say what it depends on, and save the answer in out.txt', { 'out.txt': 'zod\nhono\nvitest\n' }],
    ['save the dependencies of package.json in deps.txt', { 'deps.txt': 'zod\nhono\nvitest\n' }],
    ['list src then save it in out.txt', { 'out.txt': 'util/\na.ts\nindex.ts\n' }],
    ['write the list of files in src to list.txt', { 'list.txt': 'util/\na.ts\nindex.ts\n' }],
    ['save a list of all ts files to list.txt', { 'list.txt': 'src/a.ts\nsrc/index.ts\n' }],
    ["write today's date to d.txt", { 'd.txt': 'Wed Mar  4 10:11:12 UTC 2026\n' }],
    ['write the version of package.json to v.txt', { 'v.txt': '1.2.3\n' }],
    ['run `echo hi` and save the output to out.txt', { 'out.txt': 'hi\n' }],
    ['write the output of `echo hi` to out.txt', { 'out.txt': 'hi\n' }],
    ['run `false` and save the output to out.txt', { 'out.txt': 'it went wrong\n' }],
    ['write hello to x.txt and then append world to it', { 'x.txt': 'hello\nworld\n' }],
    ['open a.txt and replace "first" with "1st"', { 'a.txt': '1st\nsecond line\nthird\n' }],
    [
      'read a.txt and save a summary to s.txt',
      { 's.txt': '`a.txt` has 3 lines, 4 words and 24 characters. It begins: “first second line third”\n' },
    ],
    ['read a.txt and save it to b.txt', { 'b.txt': 'first\nsecond line\nthird\n' }],
  ])('%s', async (prompt, changed) => expect((await written(prompt)).changed).toEqual(changed))

  it('copies a file of several pieces whole', async () => {
    const lines = `${Array.from({ length: 4500 }, (_, index) => `line ${index + 1}`).join('\n')}\n`
    expect(await written('write big.txt to copy.txt', { 'big.txt': lines })).toEqual({
      changed: { 'copy.txt': lines },
      answer: `I wrote 4500 lines (${lines.length} characters) to \`copy.txt\`.`,
      calls: [['read_file'], ['read_file'], ['read_file'], ['write_file']],
    })
  })

  it('writes nothing when what it should write could not be had', async () => {
    expect(await written('read missing.txt and write its first line to b.txt')).toEqual({
      changed: {},
      answer:
        'I could not read `missing.txt`: "missing.txt" does not exist. See what is there with list_dir.\n\nI did not write `b.txt`, because there is nothing to write.',
      calls: [['read_file']],
    })
  })
})

describe('says what it did', () => {
  it('shows a short text', async () => expect((await written('write hello to notes.txt')).answer).toBe('I wrote `hello` to `notes.txt`.'))

  it('says that it replaced something, and has read it before', async () => {
    expect(await written('write hello to a.txt')).toEqual({
      changed: { 'a.txt': 'hello\n' },
      answer: 'I wrote `hello` to `a.txt`. The file existed; I read it first and replaced its 3 lines.',
      calls: [['write_file'], ['read_file'], ['write_file']],
    })
  })

  it('does not create over a file that exists', async () => {
    expect(await written('create a.txt with "x"')).toEqual({
      changed: {},
      answer: '`a.txt` exists already, so I did not create it. To replace it, ask me to write it: write "…" to a.txt.',
      calls: [['write_file']],
    })
  })

  it('says when a command that it wrote down has failed', async () => {
    expect((await written('write the output of `false` to out.txt')).answer).toBe(
      'I wrote `it went wrong` to `out.txt`. The command failed with exit code 1: this is what it printed.',
    )
  })

  it('keeps CRLF', async () =>
    expect((await written('append "c" to w.txt', { 'w.txt': 'a\r\nb\r\n' })).changed).toEqual({ 'w.txt': 'a\r\nb\r\nc\r\n' }))

  it('adds a line of its own where the last one has no end', async () =>
    expect((await written('append "b" to n.txt', { 'n.txt': 'a' })).changed).toEqual({ 'n.txt': 'a\nb\n' }))

  it('changes nothing where there is nothing to replace', async () => {
    expect(await written('replace zebra with horse in a.txt')).toEqual({
      changed: {},
      answer: '`a.txt` does not contain `zebra`, so I changed nothing.',
      calls: [['read_file']],
    })
  })
})

describe('does not think up texts', () => {
  it.each([
    ['write a poem about cats to poem.txt', 'poem.txt', 'a poem about cats'],
    ['write unit tests for src/a.ts to src/a.test.ts', 'src/a.test.ts', 'unit tests for src/a.ts'],
    ['create app.js with a function that adds two numbers', 'app.js', 'a function that adds two numbers'],
  ])('%s', async (prompt, path, what) => {
    expect(await written(prompt)).toEqual({
      changed: {},
      answer: `I did not write \`${path}\`: “${what}” is not a text that I was given, and I cannot think one up. I can write a text that you put in quotes, or something that I found in a file or a command.`,
      calls: [],
    })
  })
})
