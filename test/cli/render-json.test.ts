import { describe, expect, it } from 'vitest'
import { AgentError } from '../../src/index.ts'
import type { AgentEvent } from '../../src/index.ts'
import { checkEvents, scriptedModel } from '../../src/testing/index.ts'
import { lena, world } from './support/world.ts'

const metrics = (turns: number, tools: object = {}): object => ({
  turns,
  modelCalls: turns,
  retries: 0,
  durationMs: 0,
  modelMs: 0,
  timeToFirstTokenMs: 0,
  tools,
})
const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 }
const lines = (stdout: string): { readonly type: string }[] => {
  expect(stdout.endsWith('\n')).toBe(true)
  return stdout
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly type: string })
}

describe('--output json', () => {
  it('gives one object at the end', async () => {
    const { code, stdout, stderr } = await lena(['--output', 'json', 'x'], { model: scriptedModel({ text: 'Hello.' }) })
    expect({ code, stderr, objects: lines(stdout) }).toEqual({
      code: 0,
      stderr: '',
      objects: [
        {
          type: 'result',
          ok: true,
          stopReason: 'end_turn',
          text: 'Hello.',
          model: 'scripted',
          usage,
          metrics: metrics(1),
          session: '2test2',
        },
      ],
    })
  })

  it('escapes what steers a terminal', async () => {
    const { stdout } = await lena(['--output', 'json', 'x'], { model: scriptedModel({ text: 'a\u009b\u001b[2Jb' }) })
    expect(stdout).toContain('"text":"a\\u009b\\u001b[2Jb"')
  })

  it('says when a limit stopped it', async () => {
    const { code, stdout } = await lena(['--output', 'json', '--max-turns', '1', 'x'], {
      model: scriptedModel({ text: 'Look.', calls: [{ name: 'list_dir', input: { path: 'src' } }] }),
    })
    expect({ code, objects: lines(stdout) }).toEqual({
      code: 3,
      objects: [
        {
          type: 'result',
          ok: false,
          stopReason: 'limit_turns',
          text: 'Look.',
          model: 'scripted',
          usage,
          metrics: metrics(1, { list_dir: { calls: 1, errors: 0, ms: 0 } }),
          session: '2test2',
        },
      ],
    })
  })

  it('gives what a cancelled run had said', async () => {
    const at = world({ model: scriptedModel({ text: 'So far so good', hang: true, after: 5 }) })
    const running = at.run('--output', 'stream-json', 'x')
    await at.stdout.shows('"so "')
    at.signal('SIGINT')
    expect(await running).toBe(130)
    expect(lines(at.stdout.text).at(-1)).toMatchObject({ type: 'result', ok: false, stopReason: 'cancelled', text: 'So far so ' })
  })

  it('gives an error, and what the run had until then', async () => {
    const model = scriptedModel({ text: 'So far so good', error: new AgentError('broken', { code: 'odd' }), after: 3 })
    const { code, stdout, stderr } = await lena(['--output', 'json', 'x'], { model })
    expect({ code, stderr, objects: lines(stdout) }).toEqual({
      code: 1,
      stderr: 'lena: broken\n',
      objects: [
        {
          type: 'error',
          ok: false,
          code: 'odd',
          message: 'broken',
          text: 'So ',
          usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
        },
      ],
    })
  })

  it.each(['json', 'stream-json'])('tells wrong usage as an object too (%s)', async (format) => {
    const { code, stdout, stderr } = await lena(['--output', format, '--modle', 'x'])
    const message =
      'There is no option --modle. Did you mean --model? If it belongs to the task, put the task in quotes or "--" before it. See `lena --help`.'
    expect({ code, stderr, objects: lines(stdout) }).toEqual({
      code: 2,
      stderr: `lena: ${message}\n`,
      objects: [{ type: 'error', ok: false, code: 'usage', message }],
    })
  })
})

describe('--output stream-json', () => {
  it('gives every event on a line, and the result last', async () => {
    const model = scriptedModel({ text: 'Look.', calls: [{ name: 'list_dir', input: { path: 'src' } }] }, { text: 'Done.' })
    const { code, stdout } = await lena(['--output', 'stream-json', 'x'], { model })
    const all = lines(stdout)
    const events = all.slice(0, -1) as unknown as AgentEvent[]
    expect({ code, faults: checkEvents(events), kinds: [events[0]!.type, events.at(-1)!.type], last: all.at(-1) }).toEqual({
      code: 0,
      faults: [],
      kinds: ['invocation_start', 'invocation_end'],
      last: {
        type: 'result',
        ok: true,
        stopReason: 'end_turn',
        text: 'Done.',
        model: 'scripted',
        usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30 },
        metrics: metrics(2, { list_dir: { calls: 1, errors: 0, ms: 0 } }),
        session: '2test2',
      },
    })
    expect(events.map(({ type }) => type)).toContain('tool_end')
  })

  it('ends with the error of a run that failed', async () => {
    const { code, stdout } = await lena(['--output', 'stream-json', 'x'], { model: scriptedModel({ error: new Error('broken') }) })
    const all = lines(stdout)
    expect({ code, faults: checkEvents(all.slice(0, -1) as unknown as AgentEvent[]), last: all.at(-1) }).toEqual({
      code: 1,
      faults: [],
      last: {
        type: 'error',
        ok: false,
        code: 'model_error',
        message: 'The model failed: broken',
        text: '',
        usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      },
    })
  })
})
