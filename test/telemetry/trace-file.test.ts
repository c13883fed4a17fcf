import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { readTraceFile } from '../../src/telemetry/index.ts'
import type { TracedSpan } from '../../src/telemetry/index.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { answering, calling, made } from './support/scripts.ts'
import { linesOf, tempPath, traced } from './support/traced.ts'

const work = made('work', () => 'the secret is 42')

it('writes what happened, a line when it begins and one when it ends', async () => {
  const path = await tempPath()
  const { agent } = traced(path, [calling('work'), answering()], { tools: [work] })
  await agent.invoke('What is the secret?')
  const id = (n: number): string => n.toString(16).padStart(16, '0')
  const trace = '2'.padStart(32, '0')
  const chat = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'scripted',
    'gen_ai.request.model': 'scripted',
    'gen_ai.conversation.id': 'conv_1',
    'gen_ai.request.stream': true,
    'lena.attempt': 1,
  }
  const tokens = { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 2 }
  const begin = { v: 1, type: 'begin', trace }
  expect(await linesOf(path)).toEqual([
    {
      ...begin,
      span: id(1),
      operation: 'invoke_agent',
      name: 'invoke_agent agent',
      at: 1005,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': 'scripted',
        'gen_ai.request.model': 'scripted',
        'gen_ai.agent.name': 'agent',
        'gen_ai.conversation.id': 'conv_1',
      },
    },
    {
      ...begin,
      span: id(3),
      parent: id(1),
      operation: 'chat',
      name: 'chat scripted',
      at: 1010,
      attributes: { ...chat, 'lena.turn': 1 },
    },
    {
      v: 1,
      type: 'end',
      span: id(3),
      at: 1020,
      attributes: { ...tokens, 'gen_ai.response.finish_reasons': ['tool_use'], 'gen_ai.response.time_to_first_chunk': 0.005 },
    },
    {
      ...begin,
      span: id(4),
      parent: id(1),
      operation: 'execute_tool',
      name: 'execute_tool work',
      at: 1025,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'work',
        'gen_ai.tool.call.id': 'call_1',
        'gen_ai.tool.description': 'Works.',
        'gen_ai.tool.type': 'function',
        'gen_ai.agent.name': 'agent',
        'lena.turn': 1,
      },
    },
    { v: 1, type: 'end', span: id(4), at: 1030, attributes: {} },
    {
      ...begin,
      span: id(5),
      parent: id(1),
      operation: 'chat',
      name: 'chat scripted',
      at: 1035,
      attributes: { ...chat, 'lena.turn': 2 },
    },
    {
      v: 1,
      type: 'end',
      span: id(5),
      at: 1045,
      attributes: { ...tokens, 'gen_ai.response.finish_reasons': ['end_turn'], 'gen_ai.response.time_to_first_chunk': 0.005 },
    },
    {
      v: 1,
      type: 'end',
      span: id(1),
      at: 1050,
      attributes: {
        'gen_ai.usage.input_tokens': 20,
        'gen_ai.usage.output_tokens': 4,
        'gen_ai.response.finish_reasons': ['end_turn'],
        'lena.stop_reason': 'end_turn',
      },
    },
  ])
})

it('has no contents in it unless it is asked to, and then no more than so many characters', async () => {
  const path = await tempPath()
  const steps = [calling('work', { about: 'secret' }), answering('The secret is 42.')]
  const prompt = `What is the secret? ${'x'.repeat(500)}`
  await traced(path, steps, { tools: [work] }).agent.invoke(prompt)
  expect(await readFile(path, 'utf8')).not.toContain('secret')
  await traced(path, steps, { tools: [work] }, { content: true, maxContentChars: 100 }).agent.invoke(prompt)
  const lengths = (await linesOf(path)).flatMap(({ attributes }) => Object.values(attributes).map((value) => String(value).length))
  expect(await readFile(path, 'utf8')).toContain('the secret is 42')
  expect(Math.max(...lengths)).toBeLessThan(150)
})

it('is for its owner alone', async () => {
  const path = await tempPath('folder/trace.jsonl')
  await traced(path, [answering()]).agent.invoke('Go.')
  expect([(await stat(path)).mode & 0o777, (await stat(dirname(path))).mode & 0o777]).toEqual([0o600, 0o700])
  await chmod(path, 0o644)
  await traced(path, [answering()]).agent.invoke('Go.')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

it('appends to what is there', async () => {
  const path = await tempPath()
  await traced(path, [answering()]).agent.invoke('Go.')
  await traced(path, [answering()]).agent.invoke('Again.')
  expect((await linesOf(path)).length).toBe(8)
})

it('has the run of a sub-agent in that of the call, and apart from the one beside it', async () => {
  const path = await tempPath()
  const { agent, plugin } = traced(path, [
    { calls: [1, 2].map((n) => ({ name: 'helper', input: { input: `Look at ${n}.` } })) },
    answering(),
  ])
  const model = scriptedModel(answering('Seen.'), answering('Seen.'))
  agent.tools.add(new Agent({ name: 'helper', description: 'Works.', model, plugins: [plugin] }).asTool())
  await agent.invoke('Go.')
  const shape = ({ name, children }: TracedSpan): unknown => (children.length > 0 ? [name, children.map(shape)] : name)
  const helper = ['execute_tool helper', [['invoke_agent helper', ['chat scripted']]]]
  expect((await readTraceFile(path)).spans.map(shape)).toEqual([['invoke_agent agent', ['chat scripted', helper, helper, 'chat scripted']]])
})

it.each([
  ['a folder', async (path: string) => void (await mkdir(path)), 'EISDIR'],
  [
    'a link',
    async (path: string) => {
      await writeFile(join(dirname(path), 'other'), '')
      await symlink(join(dirname(path), 'other'), path)
    },
    'ELOOP',
  ],
])('warns where the path is %s, and the run goes on', async (_, prepare, code) => {
  const path = await tempPath()
  await prepare(path)
  const warnings: string[] = []
  const { agent } = traced(path, [answering(), answering()])
  const onEvent = (event: { readonly type: string; readonly message?: unknown }): void => {
    if (event.type === 'warning') warnings.push(String(event.message))
  }
  expect([String(await agent.invoke('Go.', { onEvent })), String(await agent.invoke('Again.', { onEvent }))]).toEqual(['Done.', 'Done.'])
  expect(warnings).toEqual([expect.stringContaining(code)])
})

it('stops at its greatest length, and says so', async () => {
  const path = await tempPath()
  const { agent } = traced(path, [answering(), answering(), answering()], {}, { maxBytes: 1500 })
  for (const prompt of ['One.', 'Two.', 'Three.']) await agent.invoke(prompt)
  const lines = await linesOf(path)
  expect(lines.at(-1)).toEqual({ v: 1, type: 'full', at: expect.any(Number) })
  expect((await stat(path)).size).toBeLessThan(1600)
  expect((await readTraceFile(path)).isFull).toBe(true)
})
