import { appendFile, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CliOptions } from '../../../src/cli/args.ts'
import { Output } from '../../../src/cli/output.ts'
import { traceCommand } from '../../../src/cli/trace/command.ts'
import { newTracePath, tracesFolder } from '../../../src/cli/trace/traces-folder.ts'
import { Agent } from '../../../src/agent/agent.ts'
import { ThrottledError } from '../../../src/errors.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import { answering, made } from '../../telemetry/support/scripts.ts'
import { traced } from '../../telemetry/support/traced.ts'
import { world } from '../support/world.ts'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'lena-trace-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

/** `lena trace <words>` in a folder. */
async function trace(words: readonly string[], workspace: string, options: Partial<CliOptions> = {}, at = world()) {
  const { io, stdout, stderr } = at
  const [out, err] = [new Output(io.stdout), new Output(io.stderr)]
  const run = { io, out, err, words, workspace, options: { output: 'text', quiet: false, ...options } as CliOptions }
  try {
    const code = await traceCommand(run)
    await Promise.all([out.taken(), err.taken()])
    return { code, stdout: stdout.text, stderr: stderr.text }
  } finally {
    out.dispose()
    err.dispose()
  }
}

async function written(): Promise<string> {
  const workspace = await folder()
  const usage = { inputTokens: 12_000, outputTokens: 20, cacheReadTokens: 8000 }
  const { agent, plugin } = traced(
    join(workspace, 'run.jsonl'),
    [
      { error: new ThrottledError('Slow down.', { provider: 'scripted' }) },
      {
        calls: [
          { name: 'work', input: {} },
          { name: 'helper', input: { input: 'Look.' } },
        ],
        usage,
      },
      answering(),
    ],
    {
      retry: { maxAttempts: 2, baseMs: 0 },
      tools: [made('work', () => ({ status: 'error', content: 'No.' }))],
    },
    {
      prices: { 'scripted/scripted': { input: 10, output: 10 } },
      content: (name, words) => (name === 'exception.message' ? words : undefined),
    },
  )
  const model = { ...scriptedModel(answering('Seen.')), id: 'helper' }
  agent.tools.add(new Agent({ name: 'helper', description: 'Works.', model, plugins: [plugin] }).asTool())
  await agent.invoke('Go.')
  return workspace
}

describe('lena trace', () => {
  it('shows a file as a tree, with times, tokens and costs', async () => {
    expect(await trace(['run.jsonl'], await written())).toEqual({
      code: 0,
      stdout: `1970-01-01 00:00:01 UTC
     +0 ms  invoke_agent agent  90 ms  12,010 in (8,000 cached), 22 out  end_turn
     +5 ms    chat scripted  5 ms  failed: throttled (Slow down.)
    +15 ms    chat scripted  10 ms  12,000 in (8,000 cached), 20 out  $0.12  tool_use  attempt 2
    +30 ms    execute_tool work  5 ms  failed: tool_error
    +40 ms    execute_tool helper  30 ms
    +45 ms      invoke_agent helper  20 ms  10 in, 2 out  end_turn
    +50 ms        chat helper  10 ms  10 in, 2 out  end_turn
    +75 ms    chat scripted  10 ms  10 in, 2 out  $0.0001  end_turn

1 run, 4 calls of a model, 12,020 tokens in, 24 out, $0.12 (the price of 2 of 4 calls is not known).
`,
      stderr: '',
    })
  })

  it('shows what was open when the process ended, and says that a line is not whole', async () => {
    const workspace = await written()
    const path = join(workspace, 'run.jsonl')
    const lines = (await readFile(path, 'utf8')).split('\n').slice(0, 5)
    await writeFile(path, `${lines.join('\n')}\n{"v":1,"ty`)
    expect(await trace(['run.jsonl'], workspace)).toEqual({
      code: 0,
      stdout: `1970-01-01 00:00:01 UTC
     +0 ms  invoke_agent agent  open: it had not ended where the trace ends
     +5 ms    chat scripted  5 ms  failed: throttled (Slow down.)
    +15 ms    chat scripted  10 ms  12,000 in (8,000 cached), 20 out  $0.12  tool_use  attempt 2

1 run, 2 calls of a model, 12,000 tokens in, 20 out, $0.12 (the price of 1 of 2 calls is not known).
`,
      stderr: '! The last line is not whole: its process ended while it was being written.\n',
    })
  })

  it('says what it left out', async () => {
    const workspace = await folder()
    await writeFile(join(workspace, 'run.jsonl'), '{"v":7}\nnonsense\nnonsense\n{"v":1,"type":"full","at":1}\n')
    const { stdout, stderr } = await trace(['run.jsonl'], workspace)
    expect({ stdout, stderr }).toEqual({
      stdout: 'There is no run in this trace.\n',
      stderr: [
        '! The trace is as long as it may be. What came then is not in it.',
        '! 1 line is of another version of the format, and left out.',
        '! 2 lines are none of a trace, and left out.',
        '',
      ].join('\n'),
    })
    expect((await trace(['run.jsonl'], workspace, { quiet: true })).stderr).toBe('')
  })

  it('gives a program all of it as JSON', async () => {
    const workspace = await written()
    const { stdout, stderr } = await trace(['run.jsonl'], workspace, { output: 'json' })
    const read = JSON.parse(stdout)
    expect(stderr).toBe('')
    expect({ ...read, spans: read.spans.map(({ name, children }: any) => [name, children.map((child: any) => child.name)]) }).toEqual({
      file: join(workspace, 'run.jsonl'),
      spans: [['invoke_agent agent', ['chat scripted', 'chat scripted', 'execute_tool work', 'execute_tool helper', 'chat scripted']]],
      isTorn: false,
      isFull: false,
      otherVersions: 0,
      damaged: 0,
    })
  })

  it('writes out whatever steers a terminal', async () => {
    const workspace = await folder()
    const bad = 'chat \u001b]0;title\u0007m\nforged\u202e'
    const lines = [
      { v: 1, type: 'begin', trace: 't', span: 's', operation: 'chat', name: bad, at: 1, attributes: { 'lena.stop_reason': bad } },
      { v: 1, type: 'end', span: 's', at: 2, attributes: {}, error: { type: bad, message: bad } },
    ]
    await writeFile(join(workspace, 'run.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
    const { stdout } = await trace(['run.jsonl'], workspace)
    const shown = 'chat \\x1b]0;title\\x07m\\nforged\\u{202e}'
    expect(stdout.split('\n')[1]).toBe(`     +0 ms  ${shown}  1 ms  ${shown}  failed: ${shown} (${shown})`)
    // oxlint-disable-next-line no-control-regex
    expect((await trace(['run.jsonl'], workspace, { output: 'json' })).stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  })

  it('shows a file whose spans stand in each other without end', async () => {
    const workspace = await folder()
    const span = (n: number): object => ({
      v: 1,
      type: 'begin',
      trace: 't',
      span: `s${n}`,
      parent: `s${n - 1}`,
      operation: 'chat',
      name: 'chat m',
      at: n,
      attributes: {},
    })
    await writeFile(join(workspace, 'run.jsonl'), Array.from({ length: 12_000 }, (_, n) => JSON.stringify(span(n))).join('\n'))
    expect((await trace(['run.jsonl'], workspace)).stdout.split('\n').filter((line) => line.includes('chat m')).length).toBe(12_000)
    expect((await trace(['run.jsonl'], workspace, { output: 'json' })).code).toBe(0)
  }, 60_000)
})

describe('which trace', () => {
  it('is the newest that was written without a name', async () => {
    const at = world()
    const workspace = await folder()
    for (const [tag, seconds] of [
      ['a', 100],
      ['b', 300],
      ['c', 200],
    ] as const) {
      const path = newTracePath(at.io, tag)
      await mkdir(dirname(path), { recursive: true })
      await appendFile(
        path,
        JSON.stringify({ v: 1, type: 'begin', trace: 't', span: tag, operation: 'chat', name: `chat ${tag}`, at: 1, attributes: {} }),
      )
      await utimes(path, seconds, seconds)
    }
    await writeFile(join(tracesFolder(at.io), 'notes.txt'), '')
    expect((await trace([], workspace, {}, at)).stdout).toContain('chat b')
    expect((await trace(['last'], workspace, {}, at)).stdout).not.toContain('chat a')
    expect(newTracePath(at.io, 'x')).toBe(
      join(tracesFolder(at.io), `${new Date(at.io.clock.now()).toISOString().replaceAll(/[:.]/g, '-')}-x.jsonl`),
    )
  })

  it.each([
    [[], 'There is no trace in '],
    [['a', 'b'], '`lena trace` takes one file, got 2: "a" "b".'],
    [['nowhere.jsonl'], 'does not exist.'],
    [['.'], 'is no file.'],
  ])('%j is refused', async (words, message) => {
    await expect(trace(words, await folder())).rejects.toThrow(message)
  })
})
