import { Writable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { OutputStream } from '../../../src/cli/io.ts'
import { notesTo } from '../../../src/cli/notes.ts'
import { Output } from '../../../src/cli/output.ts'
import { footerOf } from '../../../src/cli/screen/footer.ts'
import { ScreenRenderer } from '../../../src/cli/screen/screen-renderer.ts'
import { SeenChanges } from '../../../src/cli/screen/seen-changes.ts'
import { styleFor } from '../../../src/cli/style.ts'
import type { AgentEvent, JsonObject, ToolResultBlock } from '../../../src/index.ts'
import type { FakeClock } from '../../../src/testing/index.ts'
import { fakeClock } from '../../../src/testing/index.ts'
import { VirtualTerminal } from '../../support/virtual-terminal.ts'

type Told = { readonly clock: FakeClock; readonly terminal: VirtualTerminal; tell(...events: readonly AgentEvent[]): Promise<void> }

function telling(columns = 60, seen?: SeenChanges): Told {
  const terminal = new VirtualTerminal(columns, 30)
  const stream = Object.assign(
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        terminal.write(String(chunk))
        done()
      },
    }),
    { isTTY: true, columns, rows: 30 },
  ) as OutputStream
  const clock = fakeClock()
  const out = new Output(stream)
  onTestFinished(() => out.dispose())
  const style = styleFor(stream, {})
  const renderer = new ScreenRenderer({ out, style, notes: notesTo(out, { style, quiet: false }), clock, seen })
  return {
    clock,
    terminal,
    async tell(...events) {
      for (const event of events) await renderer.onEvent(event)
      // The next frame.
      await clock.advance(40)
    },
  }
}

const base = { invocationId: 'inv_1', turn: 1 }
const begun: AgentEvent = { type: 'invocation_start', ...base }
const start = (callId: string, name: string, input: JsonObject): AgentEvent => ({
  type: 'tool_start',
  ...base,
  callId,
  name,
  input,
  early: false,
})
const end = (callId: string, name: string, text: string, rest: Partial<ToolResultBlock> = {}): AgentEvent => ({
  type: 'tool_end',
  ...base,
  callId,
  name,
  result: { type: 'tool_result', toolUseId: callId, status: 'success', content: [{ type: 'text', text }], ...rest },
  durationMs: 5,
  discarded: false,
})
const says = (messageId: string, text: string): readonly AgentEvent[] => [
  { type: 'message_start', ...base, messageId, model: 'x', attempt: 1 },
  { type: 'text_delta', ...base, messageId, blockId: 'b', text },
]
const withoutSpinner = (rows: readonly string[]): readonly string[] => rows.map((row) => row.replace(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/, '~'))

describe('calls on the screen', () => {
  it('run beside each other below the text, each with its time and what it last said, and stay as they ended', async () => {
    const { tell, terminal, clock } = telling()
    await tell(begun, ...says('m1', 'I will **look**.\n\nAnd then'))
    expect(withoutSpinner(terminal.text)).toEqual(['I will look.', '', 'And then', '', '~ Writing · Ctrl-C cancels'])
    await tell(start('c1', 'shell', { command: 'npm test' }), start('c2', 'grep', { pattern: 'x' }))
    await clock.advance(2000)
    await tell({ type: 'tool_progress', ...base, callId: 'c1', name: 'shell', value: 'one\n3 of 9\u001b[2J passed\n' })
    expect(withoutSpinner(terminal.text)).toEqual([
      'I will look.',
      '',
      'And then',
      '',
      '~ shell npm test 2 s',
      '    3 of 9 passed',
      '~ grep x 2 s',
      '',
      '~ Running 2 s · Ctrl-C cancels',
    ])
    await tell(end('c2', 'grep', 'a.ts:1: x\nb.ts:2: x'))
    await tell(end('c1', 'shell', 'exit_code: 1\nbroken', { status: 'error' }))
    expect(withoutSpinner(terminal.text)).toEqual([
      'I will look.',
      '',
      'And then',
      '',
      '✓ grep x  2 lines, 5 ms',
      '✗ shell npm test  exit code 1, 5 ms',
      '    broken',
      '',
      '~ Waiting for the model 2 s · Ctrl-C cancels',
    ])
  })

  it('a difference is shown, a plan is shown, other text is counted', async () => {
    const { tell, terminal } = telling()
    await tell(begun, start('c1', 'edit_file', { path: 'a' }), end('c1', 'edit_file', 'Edited a.\n@@ -1 +1 @@\n-b\n+c'))
    await tell(start('c2', 'todo', {}), {
      type: 'tool_progress',
      ...base,
      callId: 'c2',
      name: 'todo',
      value: { todo: [{ text: 'One\u001b[2J', status: 'done' }] },
    })
    await tell(
      end('c2', 'todo', '1 of 1 step done.\n[x] One'),
      start('c3', 'read_file', { path: 'b' }),
      end('c3', 'read_file', 'x\n'.repeat(900)),
    )
    expect(terminal.text.slice(0, 7)).toEqual([
      '✓ edit_file a  +1 -1, 5 ms',
      '    @@ -1 +1 @@',
      '    -b',
      '    +c',
      '✓ todo  2 lines, 5 ms',
      '    ☑ One\\x1b[2J',
      '✓ read_file b  900 lines, 5 ms',
    ])
  })

  it('a difference that was shown with the question is not shown again; another one is', async () => {
    const seen = new SeenChanges()
    const { tell, terminal } = telling(60, seen)
    const input = { path: 'a' }
    seen.add(input, ['@@ -1,2 +1,2 @@', ' a', '-b', '+c'])
    await tell(begun, start('c1', 'edit_file', input), end('c1', 'edit_file', 'Edited a.\n@@ -1 +1 @@\n-b\n+c'))
    await tell(start('c2', 'edit_file', input), end('c2', 'edit_file', 'Edited a.\n@@ -1 +1 @@\n-b\n+d'))
    const many = Array.from({ length: 80 }, (_, index) => `+${index}`).join('\n')
    await tell(
      start('c3', 'write_file', input),
      end('c3', 'write_file', `Wrote a.\n@@ -1 +1 @@\n${many}\n[7 more changed lines are not shown.]`),
    )
    expect(terminal.text.slice(0, 6)).toEqual([
      '✓ edit_file a  +1 -1, 5 ms',
      '✓ edit_file a  +1 -1, 5 ms',
      '    @@ -1 +1 @@',
      '    -b',
      '    +d',
      '✓ write_file a  87 changed lines, 5 ms',
    ])
  })

  it('what a sub-agent does is what its call is at', async () => {
    const { tell, terminal } = telling()
    await tell(begun, start('c1', 'task', { prompt: 'find it' }), {
      type: 'agent_event',
      ...base,
      path: ['c1'],
      event: start('d1', 'grep', { pattern: 'it' }),
    })
    expect(withoutSpinner(terminal.text).slice(0, 2)).toEqual(['~ task find it', '    grep it'])
  })

  it('a command that was ended says how, and one whose output is kept says where', async () => {
    const { tell, terminal } = telling(60)
    await tell(
      begun,
      start('c1', 'shell', { command: 'sleep 9' }),
      end('c1', 'shell', 'exit_code: 143\nasleep', { status: 'error', code: 'cancelled' }),
      start('c2', 'shell', { command: 'seq' }),
      end(
        'c2',
        'shell',
        'exit_code: 0\none\n[… 500 characters left out …]\nend\n[The output is kept: <persisted-output path="/kept/x.txt">. Read it.]',
      ),
    )
    expect(terminal.text.slice(0, 7)).toEqual([
      '✗ shell sleep 9  cancelled, 5 ms',
      '    asleep',
      '✓ shell seq  more than 2 lines, 5 ms',
      '    one',
      '    end',
      '    the whole output: /kept/x.txt',
      '',
    ])
  })

  it('long titles are cut, also in a narrow window', async () => {
    const { tell, terminal } = telling(20)
    await tell(begun, start('c1', 'shell', { command: 'x'.repeat(100) }), end('c1', 'shell', 'exit_code: 0'))
    expect(terminal.text.slice(0, 2)).toEqual(['✓ shell xxxxxxxxxx…', '    no output, 5 ms'])
  })
})

describe('text that does not count', () => {
  it('is simply taken back when nothing of it was finished', async () => {
    const { tell, terminal } = telling()
    await tell(
      begun,
      ...says('m1', 'Half a par'),
      { type: 'message_discarded', ...base, messageId: 'm1', reason: 'retry' },
      ...says('m2', 'Anew'),
    )
    expect(withoutSpinner(terminal.text)).toEqual(['Anew', '', '~ Writing · Ctrl-C cancels'])
  })

  it('is marked when it is on the screen for good', async () => {
    const { tell, terminal } = telling()
    await tell(begun, ...says('m1', 'A paragraph.\n\nHalf'), { type: 'message_discarded', ...base, messageId: 'm1', reason: 'fallback' })
    expect(terminal.text.slice(0, 4)).toEqual(['A paragraph.', '', 'Half', '[the text above is withdrawn, another model is asked]'])
  })
})

describe('the line below a turn', () => {
  const metrics = { turns: 1, modelCalls: 1, retries: 0, durationMs: 1234, modelMs: 1, timeToFirstTokenMs: 1, cost: undefined, tools: {} }
  const message = (model: string) => ({ id: 'm', role: 'assistant' as const, content: [], metadata: { model } })
  const usage = { inputTokens: 12_345, outputTokens: 67, totalTokens: 12_412 }

  it.each<[string, Parameters<typeof footerOf>[0], string]>([
    [
      'tokens, and that the cost is not known',
      { usage, metrics, message: message('x') },
      '12,345 tokens in · 67 out · cost not known · 1.2 s',
    ],
    [
      'what came from a cache, a cost, the calls',
      {
        usage: { ...usage, cacheReadTokens: 12_000 },
        metrics: { ...metrics, cost: 0.01234, tools: { a: { calls: 2, errors: 0, ms: 1 } } },
        message: message('x'),
      },
      '12,345 tokens in (12,000 cached) · 67 out · $0.0123 · 2 calls · 1.2 s',
    ],
    [
      'a cost that is next to nothing',
      { usage, metrics: { ...metrics, cost: 0.00001 }, message: message('x') },
      '12,345 tokens in · 67 out · less than $0.0001 · 1.2 s',
    ],
    ['the offline model costs nothing', { usage, metrics, message: message('offline') }, '12,345 tokens in · 67 out · 1.2 s'],
    [
      'nobody counted',
      { usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 }, metrics, message: message('x') },
      'tokens not counted · cost not known · 1.2 s',
    ],
  ])('%s', (_, result, line) => expect(footerOf(result)).toBe(line))
})
