import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { fc } from '../support/fast-check.ts'
import { readTraceFile } from '../../src/telemetry/index.ts'
import { answering, calling, made } from './support/scripts.ts'
import { tempPath, traced } from './support/traced.ts'

const whole = { isTorn: false, isFull: false, otherVersions: 0, damaged: 0 }

async function written(): Promise<string> {
  const path = await tempPath()
  const { agent } = traced(path, [calling('work'), answering()], { tools: [made('work', () => ({ status: 'error', content: 'No.' }))] })
  await agent.invoke('Go.')
  return path
}

it('reads the spans of a file as a tree', async () => {
  const { spans, ...rest } = await readTraceFile(await written())
  const run = spans[0]!
  expect(rest).toEqual(whole)
  expect(run.children.map(({ operation, name, durationMs, error }) => ({ operation, name, durationMs, error }))).toEqual([
    { operation: 'chat', name: 'chat scripted', durationMs: 10, error: undefined },
    { operation: 'execute_tool', name: 'execute_tool work', durationMs: 5, error: { type: 'tool_error' } },
    { operation: 'chat', name: 'chat scripted', durationMs: 10, error: undefined },
  ])
  expect({ ...run, attributes: Object.keys(run.attributes).length, children: run.children.length }).toEqual({
    trace: '2'.padStart(32, '0'),
    span: '1'.padStart(16, '0'),
    link: undefined,
    operation: 'invoke_agent',
    name: 'invoke_agent agent',
    startedAt: 1005,
    durationMs: 45,
    attributes: 9,
    error: undefined,
    children: 3,
  })
})

it('shows spans that were open when the process ended, and that a line was being written', async () => {
  const path = await written()
  const lines = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, `${lines.slice(0, 4).join('\n')}\n${lines[4]!.slice(0, 20)}`)
  const { spans, ...rest } = await readTraceFile(path)
  expect(rest).toEqual({ ...whole, isTorn: true })
  expect([spans[0]!, ...spans[0]!.children].map(({ name, durationMs }) => [name, durationMs])).toEqual([
    ['invoke_agent agent', undefined],
    ['chat scripted', 10],
    ['execute_tool work', undefined],
  ])
})

it('passes over lines that it does not know, and counts them', async () => {
  const path = await written()
  const good = await readTraceFile(path)
  await appendFile(
    path,
    [
      '{"v":2,"type":"begin","span":"x"}',
      '{"v":"next"}',
      'no json',
      '[]',
      '{}',
      '{"v":1,"type":"end","span":"unknown","at":1}',
      '{"v":1,"type":"begin","trace":"t","span":"s","name":"n","operation":"other","at":1}',
      '{"v":1,"type":"begin","trace":"t","span":"s","name":"n","operation":"chat","at":1e300}',
      '',
      '',
    ].join('\n'),
  )
  expect(await readTraceFile(path)).toEqual({ ...good, otherVersions: 2, damaged: 6 })
})

it('takes a span whose parent is in another file as one that stands alone', async () => {
  const path = await tempPath()
  const line = {
    v: 1,
    type: 'begin',
    trace: 't',
    span: 'b',
    parent: 'a',
    operation: 'chat',
    name: 'chat m',
    at: 1,
    attributes: { bad: { x: 1 }, ok: ['y'] },
  }
  await writeFile(path, JSON.stringify(line))
  expect(await readTraceFile(path)).toEqual({
    ...whole,
    spans: [
      {
        trace: 't',
        span: 'b',
        link: undefined,
        operation: 'chat',
        name: 'chat m',
        startedAt: 1,
        durationMs: undefined,
        attributes: { ok: ['y'] },
        error: undefined,
        children: [],
      },
    ],
  })
})

it('reads any file that was cut anywhere: what was whole before the cut is there', async () => {
  const path = await written()
  const bytes = await readFile(path)
  const cut = await tempPath('cut.jsonl')
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length), async (at) => {
      await writeFile(cut, bytes.subarray(0, at))
      const lines = bytes.subarray(0, at).toString().split('\n')
      const rest = lines.pop()!
      const begun = [...lines, rest].filter((line) => line.startsWith('{"v":1,"type":"begin"') && line.endsWith('}}')).length
      const { spans, ...read } = await readTraceFile(cut)
      const isWhole = rest === '' || rest.endsWith('}}') || isJson(rest)
      expect(read).toEqual({ ...whole, isTorn: !isWhole })
      expect(spans.flatMap((span) => [span, ...span.children]).length).toBe(begun)
    }),
  )
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
