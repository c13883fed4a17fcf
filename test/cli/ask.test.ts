import { describe, expect, it } from 'vitest'
import { askAtTerminal } from '../../src/cli/ask.ts'
import type { LineRead, ReadLineOptions } from '../../src/cli/line-reader.ts'
import { Output } from '../../src/cli/output.ts'
import { styleFor } from '../../src/cli/style.ts'
import { jsonSchema, tool } from '../../src/index.ts'
import type { Flag, JsonObject } from '../../src/index.ts'
import type { Rule } from '../../src/permissions/index.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import type { ScriptStep } from '../../src/testing/index.ts'
import { Screen, world } from './support/world.ts'

const named = (name: string, isDestructive: Flag<unknown> = false) =>
  tool({ name, description: 'Does it.', inputSchema: jsonSchema({ type: 'object' }), isDestructive, execute: () => 'done' })

/** Asks for one call; the lines are what the person answers. */
async function ask(
  answers: readonly (string | LineRead)[],
  {
    input = { command: 'ls' },
    destructive = false,
    always,
  }: { input?: JsonObject; destructive?: Flag<unknown>; always?: readonly Rule[] } = {},
) {
  const screen = new Screen(true)
  const to = new Output(screen)
  const prompts: string[] = []
  const left = [...answers]
  let interrupts = 0
  const read = async ({ prompt, answer }: ReadLineOptions): Promise<LineRead> => {
    prompts.push(`${prompt}${answer ? '' : '(not as an answer)'}`)
    to.write('(not while it is asked)')
    const next = left.shift()!
    return typeof next === 'string' ? { kind: 'line', text: next } : next
  }
  const asking = askAtTerminal({
    reader: { read },
    to,
    held: [to],
    style: styleFor(screen, { NO_COLOR: '1' }),
    interrupt: () => interrupts++,
  })
  const answer = await asking({
    tool: named('shell', destructive),
    input,
    reason: 'It may change something.',
    always,
    signal: new AbortController().signal,
  })
  expect(left).toEqual([])
  return { answer, prompts, interrupts, screen: screen.text.replaceAll('(not while it is asked)', '') }
}

const again = '  Please answer y, a or n: '
const choices = '  [y]es / [a]lways shell / [n]o: '

describe('the answer', () => {
  it.each<[string, readonly (string | LineRead)[], unknown, readonly string[]]>([
    ['y', ['y'], true, [choices]],
    ['Yes', [' Yes '], true, [choices]],
    ['a', ['a'], 'always', [choices]],
    ['n, and Enter for no reason', ['n', ''], { approved: false }, [choices, '  Why not? (Enter for no reason): ']],
    ['n and a reason', ['no', 'use npm'], { approved: false, reason: 'use npm' }, [choices, '  Why not? (Enter for no reason): ']],
    ['n with its reason', ['n use npm'], { approved: false, reason: 'use npm' }, [choices]],
    ['what is none: asked again', ['', 'what?', 'yellow', 'y but', 'y'], true, [choices, again, again, again, again]],
    ['the end of input', [{ kind: 'end' }], false, [choices]],
    ['the end of input at the reason', ['n', { kind: 'end' }], { approved: false }, [choices, '  Why not? (Enter for no reason): ']],
    ['a cancelled run', [{ kind: 'aborted' }], false, [choices]],
  ])('%s', async (_, answers, answer, prompts) => {
    expect(await ask(answers)).toMatchObject({ answer, prompts, interrupts: 0 })
  })

  it('is nothing after Ctrl-C, which cancels the turn', async () => {
    expect(await ask([{ kind: 'interrupt' }])).toMatchObject({ answer: false, interrupts: 1 })
  })

  it.each<[string, Flag<unknown>]>([
    ['always', true],
    ['for this input', (input) => (input as { command: string }).command === 'ls'],
    [
      'because it cannot be said',
      () => {
        throw new Error('broken')
      },
    ],
    ['which is known late', async () => true],
    ['because it cannot be found out', () => Promise.reject(new Error('broken'))],
    ['because what is found out is no answer', async () => 'no' as unknown as boolean],
  ])('cannot be "always" for what cannot be undone (%s)', async (_, destructive) => {
    expect(await ask(['a', 'y'], { destructive })).toMatchObject({
      answer: true,
      prompts: ['  [y]es / [n]o: ', '  Please answer y or n: '],
    })
  })

  it('can be "always" where it is known late that it can be undone', async () => {
    expect(await ask(['a'], { destructive: async () => false })).toMatchObject({ answer: 'always', prompts: [choices] })
  })

  it.each(['before', 'while it is found out what can be undone'])(
    'is no when the run is cancelled %s, and nothing is asked',
    async (when) => {
      const controller = new AbortController()
      const screen = new Screen(true)
      const to = new Output(screen)
      const asking = askAtTerminal({
        reader: { read: () => Promise.reject(new Error('nobody is asked')) },
        to,
        held: [to],
        style: styleFor(screen, { NO_COLOR: '1' }),
        interrupt: () => {},
      })
      if (when === 'before') controller.abort()
      const destructive = (): Promise<never> => {
        controller.abort()
        return new Promise(() => {})
      }
      const answer = await asking({ tool: named('shell', destructive), input: {}, reason: 'It may.', signal: controller.signal })
      expect([answer, screen.text]).toEqual([false, ''])
    },
  )
})

describe('the question', () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join('\n')
  it.each<[string, JsonObject, string]>([
    ['a command', { command: 'npm test' }, '    npm test\n'],
    ['a command of several lines, whole', { command: lines(12) }, `${lines(12).replaceAll(/^/gm, '    ')}\n`],
    [
      'a command longer than anybody reads',
      { command: lines(201) },
      `${lines(200).replaceAll(/^/gm, '    ')}\n    ... 1 more line, not shown\n`,
    ],
    ['what a command hides', { command: 'ls \u001b[8m; rm -rf ~\r\u202e' }, '    ls \\x1b[8m; rm -rf ~\\r\\u{202e}\n'],
    [
      'a path and the beginning of a text',
      { path: 'src/a.ts', content: `${lines(12)}\n` },
      `    path: src/a.ts\n    content (12 lines, 87 characters):\n${lines(10).replaceAll(/^/gm, '    ')}\n    ... 2 more lines, not shown\n`,
    ],
    ['numbers and the like', { path: 'a', deep: { x: [1] }, count: 2 }, '    path: a\n    deep: {"x":[1]}\n    count: 2\n'],
    ['a long line', { text: 'x'.repeat(310) }, `    text: ${'x'.repeat(300)}... 10 more characters, not shown\n`],
    ['nothing', {}, ''],
  ])('shows %s', async (_, input, shown) => {
    expect((await ask(['y'], { input })).screen).toBe(`? shell It may change something.\n${shown}`)
  })
})

describe('what "always" allows', () => {
  const allow = (pattern?: string): Rule => ({ decision: 'allow', tool: 'shell', ...(pattern !== undefined && { pattern }) })

  it.each<[string, readonly Rule[], string]>([
    ['a rule', [allow('npm test')], '  always: shell(npm test)\n'],
    ['each of several', [allow('npm ci'), allow('make')], '  always: shell(npm ci)\n  always: shell(make)\n'],
    ['every call of the tool', [allow()], '  always: shell\n'],
    ['what a rule hides', [allow('a\n\u001b[8mb')], '  always: shell(a\\n\\x1b[8mb)\n'],
  ])('is shown: %s', async (_, always, shown) => {
    expect(await ask(['a'], { always })).toEqual({
      answer: 'always',
      prompts: ['  [y]es / [a]lways / [n]o: '],
      interrupts: 0,
      screen: `? shell It may change something.\n    ls\n${shown}`,
    })
  })

  it('is no choice where it would allow nothing', async () => {
    expect(await ask(['a', 'y'], { always: [] })).toEqual({
      answer: true,
      prompts: ['  [y]es / [n]o: ', '  Please answer y or n: '],
      interrupts: 0,
      screen: '? shell It may change something.\n    ls\n',
    })
  })
})

describe('on the terminal', { timeout: 30_000 }, () => {
  const shell = (command: string): ScriptStep => ({ calls: [{ name: 'shell', input: { command } }] })
  const tells: ScriptStep = ({ messages }) => ({
    text: (messages.at(-1)!.content[0] as unknown as { content: readonly { text: string }[] }).content[0]!.text,
  })

  it('runs what was allowed', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel(shell('kill -0 1 && echo hello'), tells) })
    const running = at.run('x')
    await at.stdout.shows('[n]o: ')
    at.type('y\r')
    expect(await running).toBe(0)
    expect(at.stdout.text.replaceAll('\r\n', '\n')).toContain('\nexit_code: 0\nhello\n')
  })

  it('does not run what was refused, and tells the model why', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel(shell('kill -0 1 && echo hello'), tells) })
    const running = at.run('x')
    await at.stdout.shows('[n]o: ')
    at.type('n use printf\r')
    expect(await running).toBe(0)
    expect(at.stdout.text).toContain('The user did not allow this call of shell. They said: use printf\n')
  })

  it('asks no more after "always"', async () => {
    const at = world({
      stdin: 'terminal',
      model: scriptedModel(shell('kill -0 1 && echo one'), shell('kill -0 1 && echo two'), tells),
    })
    const running = at.run('x')
    await at.stdout.shows('[n]o: ')
    at.type('a\r')
    expect(await running).toBe(0)
    expect(at.stdout.text.split('  always: shell(kill -0 1)').length - 1).toBe(1)
    expect(at.stdout.text.split('[a]lways').length - 1).toBe(1)
    expect(at.stdout.text).toContain('\ntwo')
  })

  it('takes nothing for an answer that was typed before the question', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel(shell('kill -0 1 && echo hello'), tells) })
    at.type('y\r')
    const running = at.run('x')
    await at.stdout.shows('[n]o: ')
    at.type('n\r')
    await at.stdout.shows('Why not?')
    at.type('\r')
    expect(await running).toBe(0)
    expect(at.stdout.text).toContain('The user did not allow this call of shell.\n')
  })

  it('cancels the run at Ctrl-C', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel(shell('kill -0 1 && echo hello')) })
    const running = at.run('x')
    await at.stdout.shows('[n]o: ')
    at.type('\u0003')
    expect({ code: await running, stderr: at.stderr.text }).toEqual({ code: 130, stderr: 'Cancelled.\n' })
  })

  it('lets go of the keyboard when the run is cancelled', async () => {
    const at = world({ stdin: 'terminal', model: scriptedModel(shell('kill -0 1 && echo hello')) })
    const running = at.run('x')
    await at.stdout.shows('[n]o: ')
    at.signal('SIGTERM')
    expect({ code: await running, listening: at.io.stdin.listenerCount('keypress') }).toEqual({ code: 143, listening: 0 })
  })

  it('asks on stderr when the answer goes into a file', async () => {
    const at = world({ stdin: 'terminal', stdoutTTY: false, model: scriptedModel(shell('kill -0 1 && echo hello'), { text: 'Done.' }) })
    const running = at.run('x')
    await at.stderr.shows('[n]o: ')
    at.type('y\r')
    expect(await running).toBe(0)
    expect(at.stdout.text).toMatch(/^\* shell kill -0 1 && echo hello\n {2}ok 2 lines, \d+ ms\n\nDone\.\n$/)
  })
})
