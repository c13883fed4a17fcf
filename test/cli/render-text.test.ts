import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TextRenderer } from '../../src/cli/render-text.ts'
import { notesTo } from '../../src/cli/notes.ts'
import { Output } from '../../src/cli/output.ts'
import { styleFor } from '../../src/cli/style.ts'
import { Agent, jsonSchema, tool } from '../../src/index.ts'
import type { AgentEvent } from '../../src/index.ts'
import { countingIds, fakeClock, scriptedModel } from '../../src/testing/index.ts'
import { deferred } from '../support/promises.ts'
import { VirtualTerminal } from '../support/virtual-terminal.ts'
import { lena, Screen } from './support/world.ts'

const esc = '\u001b'
const anything = jsonSchema<{ readonly [key: string]: string }>({ type: 'object' })

describe('a task, as text', () => {
  it('streams the answer', async () => {
    expect(await lena(['hello'], { model: scriptedModel({ text: 'Hello, you.' }) })).toEqual({
      code: 0,
      stdout: 'Hello, you.\n',
      stderr: '',
    })
  })

  it('shows each call with what it does and how it ended, apart from the text', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'lena-cli-'))
    await writeFile(join(cwd, 'a.txt'), 'one\ntwo\n')
    const model = scriptedModel(
      { text: '\n\nI will look.', calls: [{ name: 'list_dir', input: {} }] },
      { calls: [{ name: 'read_file', input: { path: 'b.txt' } }] },
      { text: 'There is a.txt.\n' },
    )
    const { stdout, ...rest } = await lena(['look'], { model, cwd })
    expect(rest).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`I will look.
* list_dir
  ok a.txt (8 B), 0 ms
* read_file b.txt
  x failed: "b.txt" does not exist. Did you mean "a.txt"? See what is there with list_dir., 0 ms

There is a.txt.
`)
  })

  it('names the call at its end when something stands between', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'lena-cli-'))
    await writeFile(join(cwd, 'a.txt'), 'one\ntwo\n')
    const model = scriptedModel(
      {
        calls: [
          { name: 'list_dir', input: {} },
          { name: 'list_dir', input: { path: 'nowhere' } },
        ],
      },
      { text: 'Done.' },
    )
    const { stdout } = await lena(['look'], { model, cwd })
    const lines = stdout.split('\n')
    expect(lines.slice(0, 2)).toEqual(['* list_dir', '* list_dir nowhere'])
    // Which of the two ends first is not ours to say.
    expect(lines.slice(2, 4).sort()).toEqual([
      '  ok list_dir: a.txt (8 B), 0 ms',
      '  x list_dir nowhere: failed: "nowhere" does not exist. See what is there with list_dir., 0 ms',
    ])
    expect(lines.slice(4)).toEqual(['', 'Done.', ''])
  })

  it('says that a call was refused, for nobody can be asked', async () => {
    const model = scriptedModel({ calls: [{ name: 'shell', input: { command: 'touch x' } }] }, ({ messages }) => ({
      text: `I was told: ${JSON.stringify(messages.at(-1)!.content[0])}`,
    }))
    const { code, stdout } = await lena(['touch x'], { model })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\* shell touch x\n {2}x denied: The call of shell was refused: it needs the permission of a person, and there/)
    expect(stdout).toContain('"code":"denied"')
  })

  it('passes nothing through that steers the terminal, from model or tool', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'lena-cli-'))
    await writeFile(join(cwd, `a${esc}[2J.txt`), '')
    const model = scriptedModel(
      {
        calls: [
          { name: 'list_dir', input: {} },
          { name: `no${esc}[2Jtool`, input: {} },
        ],
      },
      [
        { type: 'message_start' },
        { type: 'block_start', index: 0, block: { type: 'text' } },
        { type: 'block_delta', index: 0, delta: { type: 'text', text: `a${esc}` } },
        { type: 'block_delta', index: 0, delta: { type: 'text', text: ']0;evil' } },
        { type: 'block_delta', index: 0, delta: { type: 'text', text: '\u0007b\ud83d' } },
        { type: 'block_delta', index: 0, delta: { type: 'text', text: '\ude00' } },
        { type: 'block_stop', index: 0 },
        { type: 'message_stop', stopReason: 'end_turn' },
      ],
    )
    const { stdout, stderr } = await lena(['look'], { model, cwd })
    expect(stdout).not.toContain(esc)
    expect(stderr).not.toContain(esc)
    expect(stdout.split('\n').slice(-3)).toEqual(['', 'ab😀', ''])
  })

  it('is in colour and with signs on a terminal', async () => {
    const { stdout } = await lena(['look'], {
      stdoutTTY: true,
      env: { LENA_MODEL: 'scripted/x', TERM: 'xterm' },
      model: scriptedModel({ calls: [{ name: 'read_file', input: { path: `${'long/'.repeat(40)}file` } }] }, { text: 'Done.' }),
    })
    const terminal = new VirtualTerminal(80, 24)
    terminal.write(stdout)
    expect(terminal.text).toEqual([
      `✗ read_file ${'long/'.repeat(13)}l…`,
      expect.stringMatching(/^ {4}failed: "long\/.*…, 0 ms$/),
      '',
      'Done.',
      '20 tokens in · 10 out · cost not known · 1 call · 0 ms',
      '',
    ])
    expect([terminal.cells[0]![0]!.look, terminal.cells[4]![0]!.look, [...terminal.modes]]).toEqual(['31', '2', ['25']])
  })
})

describe('TextRenderer', () => {
  const show = async (feed: (renderer: TextRenderer) => void | Promise<void>): Promise<{ stdout: string; stderr: string }> => {
    const [stdout, stderr] = [new Screen(false), new Screen(false)]
    const style = styleFor(stdout, {})
    const out = new Output(stdout)
    onTestFinished(() => out.dispose())
    await feed(new TextRenderer(out, style, notesTo(new Output(stderr), { style, quiet: false, out })))
    return { stdout: stdout.text, stderr: stderr.text }
  }
  const base = { invocationId: 'inv_1', turn: 1 }

  it.each([
    ['retry', 'withdrawn, the model is asked again'],
    ['fallback', 'withdrawn, another model is asked'],
    ['cancelled', 'not complete: cancelled'],
    ['error', 'not complete: the model failed'],
  ] as const)('marks text that does not count (%s)', async (reason, said) => {
    const events: AgentEvent[] = [
      { type: 'message_start', ...base, messageId: 'm1', model: 'x', attempt: 1 },
      { type: 'text_delta', ...base, messageId: 'm1', blockId: 'b', text: 'So far' },
      { type: 'message_discarded', ...base, messageId: 'm1', reason },
      { type: 'message_start', ...base, messageId: 'm2', model: 'x', attempt: 2 },
      { type: 'text_delta', ...base, messageId: 'm2', blockId: 'b', text: 'Anew' },
    ]
    expect(await show((renderer) => events.forEach((event) => void renderer.onEvent(event)))).toEqual({
      stdout: `So far\n[the text above is ${said}]\nAnew`,
      stderr: '',
    })
  })

  it('marks nothing when nothing was shown', async () => {
    const events: AgentEvent[] = [
      { type: 'message_start', ...base, messageId: 'm1', model: 'x', attempt: 1 },
      { type: 'message_discarded', ...base, messageId: 'm1', reason: 'retry' },
    ]
    expect(await show((renderer) => events.forEach((event) => void renderer.onEvent(event)))).toEqual({ stdout: '', stderr: '' })
  })

  it('tells warnings and waits on stderr', async () => {
    const events: AgentEvent[] = [
      { type: 'warning', ...base, code: 'odd', message: `odd${esc}[0m things` },
      {
        type: 'retry',
        ...base,
        attempt: 2,
        maxAttempts: 6,
        delayMs: 4000,
        code: 'throttled',
        message: 'The model is asked again in 4000 ms (throttled).',
      },
    ]
    expect(await show((renderer) => events.forEach((event) => void renderer.onEvent(event)))).toEqual({
      stdout: '',
      stderr: '! odd\\x1b[0m things\n! The model is asked again in 4000 ms (throttled).\n',
    })
  })

  it('shows calls that run side by side, each end with its name', async () => {
    const first = deferred<string>()
    const slow = tool({ name: 'slow', description: 'Waits.', inputSchema: anything, isConcurrencySafe: true, execute: () => first.promise })
    const quick = tool({
      name: 'quick',
      description: 'Ends.',
      inputSchema: anything,
      isConcurrencySafe: true,
      execute: () => 'quick\nit was',
    })
    const model = scriptedModel(
      {
        calls: [
          { name: 'slow', input: { path: 'a' } },
          { name: 'quick', input: { path: 'b' } },
        ],
      },
      { text: 'Both.' },
    )
    const agent = new Agent({ model, tools: [slow, quick], clock: fakeClock(), ids: countingIds() })
    const shown = await show(async (renderer) => {
      const onEvent = (event: AgentEvent): void => {
        void renderer.onEvent(event)
        if (event.type === 'tool_end' && event.name === 'quick') first.resolve('at last')
      }
      renderer.onResult(await agent.invoke('go', { onEvent }))
    })
    expect(shown).toEqual({ stdout: '* slow a\n* quick b\n  ok quick b: 2 lines, 0 ms\n  ok slow a: at last, 0 ms\n\nBoth.\n', stderr: '' })
  })

  it('shows an answer that was not streamed', async () => {
    const last = tool({
      name: 'last',
      description: 'Ends it.',
      inputSchema: anything,
      execute: (_, { endTurn }) => endTurn(`The${esc}[1m end.`),
    })
    const agent = new Agent({ model: scriptedModel({ calls: [{ name: 'last', input: {} }] }), tools: [last], clock: fakeClock() })
    const shown = await show(async (renderer) =>
      renderer.onResult(await agent.invoke('go', { onEvent: (event) => renderer.onEvent(event) })),
    )
    expect(shown.stdout).toMatch(/^\* last\n {2}ok .*\n\nThe end\.\n$/)
  })
})
