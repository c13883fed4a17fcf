import { expect, test } from 'vitest'
import { shell } from '../../../src/toolkit/index.ts'
import { failureOf, workspaceWith } from '../support/workspace.ts'

const printed = (text: string) => ({ status: 'success', content: `exit_code: 0\n${text}` })

test.each<{ title: string; command: string; result: object }>([
  { title: 'output', command: 'echo hello', result: printed('hello') },
  { title: 'no output', command: 'true', result: printed('(no output)') },
  {
    title: 'both streams in order',
    command: 'for i in 1 2 3; do echo out $i; echo err $i >&2; done',
    result: printed('out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3'),
  },
  {
    title: 'an exit code is an error that keeps the output',
    command: 'echo before; exit 3',
    result: { status: 'error', content: 'exit_code: 3\nbefore' },
  },
  {
    title: 'a command that is not there',
    command: 'nosuchcommand',
    result: { status: 'error', content: 'exit_code: 127\nbash: line 1: nosuchcommand: command not found' },
  },
  {
    title: 'a shell that is killed',
    command: 'echo x; kill -9 $$',
    result: { status: 'error', content: 'exit_code: 137\nx\n[The shell was ended by SIGKILL.]' },
  },
  {
    title: 'a child that is killed',
    command: 'sh -c "kill -9 \\$\\$"; exit $?',
    result: { status: 'error', content: 'exit_code: 137\nbash: line 1: PID Killed                  sh -c "kill -9 \\$\\$"' },
  },
  { title: 'no input', command: 'cat; read x; echo "got:$x"', result: printed('got:') },
  { title: 'no arguments', command: 'echo $#', result: printed('0') },
  {
    title: 'several lines, a here-document, quotes and a comment',
    command: "cat <<'E' # comment\n$x \"'\nE\nprintf '%s\\n' \"it's\"",
    result: printed("$x \"'\nit's"),
  },
  { title: 'an own trap', command: 'trap "echo bye" EXIT; echo hi', result: printed('hi\nbye') },
  { title: 'a stream by its number', command: 'exec 3>three; echo x >&3; cat three', result: printed('x') },
  { title: 'a broken pipe is quiet', command: 'yes | head -1', result: printed('y') },
  {
    title: 'control sequences are taken out',
    command: "printf '\\033[31mred\\033[0m\\033]0;title\\007 end\\r\\n1%%\\r2%%\\n'",
    result: printed('red end\n1%\n2%'),
  },
  { title: 'bytes that are no text', command: "printf 'a\\377b\\000c\\n'", result: printed('a\ufffdbc') },
  {
    title: 'a character that comes in pieces',
    command: "printf '\\360\\237'; sleep 0.02; printf '\\231'; sleep 0.02; printf '\\202\\n'",
    result: printed('🙂'),
  },
  {
    title: 'a search that finds nothing is no error',
    command: 'grep nothing /dev/null',
    result: { status: 'success', content: 'exit_code: 1\n(no output)\n[nothing matched: exit code 1 of "grep" is no error.]' },
  },
  {
    title: 'a search that fails is one',
    command: 'grep x nosuchfile',
    result: { status: 'error', content: 'exit_code: 2\ngrep: nosuchfile: No such file or directory' },
  },
])('$title', async ({ command, result }) => {
  const { content, ...rest } = await shell({ workspace: await workspaceWith() })({ command })
  expect({ ...rest, content: content.replace(/ +\d+ Killed/, ' PID Killed') }).toEqual(result)
})

test.each([
  [{ command: ' ' }, 'The command is empty.'],
  [{ command: 'a\0b' }, 'The command holds a NUL character, which no command line can have.'],
  [
    { command: `echo ${'x'.repeat(120_000)}` },
    'The command has 120005 bytes; a command line can have 120000. Write the text to a file with write_file and use that.',
  ],
  [{ command: 'true', timeout: 601 }, 'timeout is in seconds, more than 0 and at most 600; got 601.'],
  [{ command: 'true', timeout: 0 }, 'timeout is in seconds, more than 0 and at most 600; got 0.'],
  [{ command: 'true', timeout: Number.NaN }, 'timeout is in seconds, more than 0 and at most 600; got NaN.'],
])('%j is refused', async (input, message) => {
  expect(await failureOf(shell({ workspace: await workspaceWith() })(input))).toBe(message)
})

test('the longest command that is taken runs', async () => {
  const start = 'x='
  const end = '; echo ${#x}'
  const command = start + 'a'.repeat(120_000 - start.length - end.length) + end
  expect(await shell({ workspace: await workspaceWith() })({ command })).toEqual(printed(String(120_000 - start.length - end.length)))
})
