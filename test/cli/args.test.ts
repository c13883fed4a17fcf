import { describe, expect, it } from 'vitest'
import { parseCommand, wantedFormat } from '../../src/cli/args.ts'
import type { CliOptions } from '../../src/cli/args.ts'
import { commandNames, commandOf } from '../../src/cli/commands/index.ts'
import { UsageError } from '../../src/cli/usage-error.ts'

const defaults: CliOptions = {
  print: false,
  output: 'text',
  model: undefined,
  continue: false,
  resume: undefined,
  fork: false,
  session: true,
  mode: undefined,
  allow: [],
  deny: [],
  mcpConfig: [],
  maxTurns: undefined,
  trace: undefined,
  cwd: undefined,
  all: false,
  project: false,
  quiet: false,
}
const command = (name: string, words: readonly string[] = [], options: Partial<CliOptions> = {}): unknown => ({
  name: 'command',
  command: commandOf(name),
  words,
  options: { ...defaults, ...options },
})
const task = (words: readonly string[], options: Partial<CliOptions> = {}, dash = false): unknown => ({
  name: 'task',
  words,
  dash,
  options: { ...defaults, ...options },
})

describe('parseCommand', () => {
  it.each<[string, readonly string[], unknown]>([
    ['nothing', [], task([])],
    ['a quoted task', ['what is here?'], task(['what is here?'])],
    ['a task of words', ['what', 'is', 'here?'], task(['what', 'is', 'here?'])],
    [
      'options before and after',
      ['-p', 'do it', '--model', 'offline', '-q'],
      task(['do it'], { print: true, model: 'offline', quiet: true }),
    ],
    ['short ones together, with a value', ['-pqm', 'offline', 'x'], task(['x'], { print: true, quiet: true, model: 'offline' })],
    ['values behind "="', ['--output=json', '--max-turns=3', '--cwd=/tmp', 'x'], task(['x'], { output: 'json', maxTurns: 3, cwd: '/tmp' })],
    ['a value that looks like an option, behind "="', ['--model=-odd', 'x'], task(['x'], { model: '-odd' })],
    ['the last one counts', ['--model', 'a', '--model', 'b', 'x'], task(['x'], { model: 'b' })],
    ['words behind "--"', ['--', '-p', 'tools'], task(['-p', 'tools'])],
    ['a dash: stdin is waited for', ['sum', 'up', '-'], task(['sum', 'up'], {}, true)],
    ['a dash alone', ['-'], task([], {}, true)],
    ['a dash behind "--" is a word', ['--', '-'], task(['-'])],
    ['an empty word', [''], task([''])],
    ['words that begin like a command', ['toolsmith', 'helper'], task(['toolsmith', 'helper'])],
    ['--version', ['--version'], { name: 'version' }],
    ['-V among others', ['x', '-V', '-p'], { name: 'version' }],
    ['--help', ['--help'], { name: 'help', about: 'task' }],
    ['-h with a task', ['do it', '-h'], { name: 'help', about: 'task' }],
    ['help', ['help'], { name: 'help', about: 'task' }],
    ['help on a command', ['help', 'tools'], { name: 'help', about: 'tools' }],
    ['a command with --help', ['models', '--help'], { name: 'help', about: 'models' }],
    ['tools', ['tools'], command('tools')],
    ['tools in a folder as json', ['--cwd', 'x', 'tools', '--output', 'json'], command('tools', [], { cwd: 'x', output: 'json' })],
    ['models', ['models'], command('models')],
    ['a command with words', ['sessions', 'show', '4kq7wz'], command('sessions', ['show', '4kq7wz'])],
    ['a command with words and an option of its own', ['sessions', 'list', '-a'], command('sessions', ['list'], { all: true })],
    ['--continue', ['--continue', 'go on'], task(['go on'], { continue: true })],
    ['-c and --fork', ['-c', '--fork', 'go on'], task(['go on'], { continue: true, fork: true })],
    ['--resume with an id', ['--resume', '4kq', 'go on'], task(['go on'], { resume: '4kq' })],
    ['--resume with a task behind it', ['--resume', 'fix it'], task(['fix it'], { resume: true })],
    ['-r alone', ['-r'], task([], { resume: true })],
    ['--resume behind "="', ['--resume=abc', 'x'], task(['x'], { resume: 'abc' })],
    ['--resume before "--"', ['--resume', '--', '4kq'], task(['4kq'], { resume: true })],
    ['--trace with a file', ['--trace', 'run.jsonl', 'x'], task(['x'], { trace: 'run.jsonl' })],
    ['--trace before a task', ['--trace', 'list src'], task(['list src'], { trace: true })],
    [
      'words behind mcp, as they are',
      ['--cwd', 'x', 'mcp', 'add', 'a', '--', 'cmd', '-p'],
      command('mcp', ['add', 'a', '--', 'cmd', '-p'], { cwd: 'x' }),
    ],
    ['help on mcp', ['mcp', '--help'], { name: 'help', about: 'mcp' }],
    ['--no-session', ['--no-session', 'x'], task(['x'], { session: false })],
    [
      'a mode, and rules, each several times',
      ['--mode', 'accept-edits', '--allow', 'shell(npm test)', '--allow=write_file', '--deny', 'shell(git push*)', 'x'],
      task(['x'], { mode: 'accept_edits', allow: ['shell(npm test)', 'write_file'], deny: ['shell(git push*)'] }),
    ],
  ])('%s', (_, argv, command) => expect(parseCommand(argv)).toEqual(command))

  it.each<[string, readonly string[], string]>([
    [
      'an unknown option',
      ['--modle', 'x'],
      'There is no option --modle. Did you mean --model? If it belongs to the task, put the task in quotes or "--" before it. See `lena --help`.',
    ],
    [
      'one that is like nothing',
      ['--frobnicate'],
      'There is no option --frobnicate. If it belongs to the task, put the task in quotes or "--" before it. See `lena --help`.',
    ],
    [
      'an unknown letter',
      ['-x'],
      'There is no option -x. If it belongs to the task, put the task in quotes or "--" before it. See `lena --help`.',
    ],
    [
      'a negated one',
      ['--no-print'],
      'There is no option --no-print. Did you mean --print? If it belongs to the task, put the task in quotes or "--" before it. See `lena --help`.',
    ],
    ['two sessions', ['-c', '--resume', '4kq'], '--continue and --resume name two sessions. Give one of them.'],
    ['a fork of nothing', ['--fork', 'x'], '--fork needs the session that is copied: --continue --fork, or --resume ID --fork.'],
    [
      'a session that is not kept',
      ['--no-session', '-c', 'x'],
      '--no-session keeps nothing, and --continue goes on with what is kept. Give one of them.',
    ],
    ['no mode', ['--mode', 'plna', 'x'], '--mode must be default, plan, accept_edits, bypass, got "plna". Did you mean plan?'],
    ['an option of commands alone', ['--all', 'x'], '--all belongs to `lena sessions`. See `lena --help`.'],
    ['no value at the end', ['x', '--model'], '--model needs a value: --model NAME.'],
    ['no value behind "="', ['--model=', 'x'], '--model needs a value: --model NAME.'],
    [
      'an option where the value should be',
      ['--model', '--print', 'x'],
      '--model needs a value, but "--print" follows, which looks like an option. Write --model NAME, or --model=--print if that is the value.',
    ],
    ['a value for a switch', ['--print=yes', 'x'], '--print is a switch and takes no value, got "yes". Write just --print.'],
    ['no format', ['--output', 'jsno', 'x'], '--output must be text, json or stream-json, got "jsno". Did you mean json?'],
    ['no number', ['--max-turns', 'many', 'x'], '--max-turns must be a whole number from 1, got "many".'],
    ['zero', ['--max-turns', '0', 'x'], '--max-turns must be a whole number from 1, got "0".'],
    ['a fraction', ['--max-turns', '1.5', 'x'], '--max-turns must be a whole number from 1, got "1.5".'],
    [
      'a number too large to count',
      ['--max-turns', '99999999999999999999', 'x'],
      '--max-turns must be a whole number from 1, got "99999999999999999999".',
    ],
    [
      'what a command does not know, which may be a task',
      ['sessions', 'are', 'lost'],
      '`lena sessions` has no "are". There are: list, show, fork, remove. If it was meant as a task, write: lena -- sessions are lost',
    ],
    [
      'a word that is nearly right',
      ['sessions', 'lst'],
      '`lena sessions` has no "lst". Did you mean list? There are: list, show, fork, remove. If it was meant as a task, write: lena -- sessions lst',
    ],
    [
      'words behind a command',
      ['tools', 'foo'],
      '`lena tools` takes no arguments, got "foo". If it was meant as a task, write: lena -- tools foo',
    ],
    ['an option of another command', ['models', '--max-turns', '3'], '`lena models` has no option --max-turns. See `lena models --help`.'],
    [
      'a stream of what is no run',
      ['tools', '--output', 'stream-json'],
      '`lena tools` prints text or json, not stream-json: there is no run to stream.',
    ],
    [
      'help on what is no command',
      ['help', 'tool'],
      `There is no command "tool". Did you mean tools? Commands are: ${[...commandNames, 'help'].join(', ')}.`,
    ],
  ])('refuses %s', (_, argv, message) => {
    expect(() => parseCommand(argv)).toThrow(new UsageError(message))
  })
})

describe('wantedFormat', () => {
  it.each<[readonly string[], string]>([
    [['x'], 'text'],
    [['--output', 'json', '--nonsense'], 'json'],
    [['--nonsense', '--output=stream-json'], 'stream-json'],
    [['--output', 'nonsense'], 'text'],
    [['--', '--output', 'json'], 'text'],
  ])('%j → %s', (argv, format) => expect(wantedFormat(argv)).toBe(format))
})
