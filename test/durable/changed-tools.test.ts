import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { fileJournal } from '../../src/durable/file-journal.ts'
import type { Message } from '../../src/messages/message.ts'
import type { Model } from '../../src/models/model.ts'
import { countingIds } from '../../src/testing/counting-ids.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import type { ToolSource } from '../../src/tools/registry.ts'
import { jsonSchema } from '../../src/tools/schema.ts'
import type { StepRunner } from '../../src/tools/steps.ts'
import { tool } from '../../src/tools/tool.ts'
import { makeAgent } from '../support/make-agent.ts'
import { toolNamed, write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

let folder: string
let count = 0
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'lena-changed-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))
const newFile = (): string => join(folder, `${count++}.jsonl`)

const callsWrite = { calls: [{ name: 'write', input: { at: 1 } }] }
const put = (done: string[] = []): ToolSource => toolNamed('put', () => void done.push('put'))
/** The same tool, which takes another input now. */
const stricter = (done: string[] = []): ToolSource => {
  const inputSchema = jsonSchema<{ where: string }>({ type: 'object', properties: { where: { type: 'string' } }, required: ['where'] })
  return tool({ name: 'write', description: 'Writes.', inputSchema, execute: () => void done.push('write') })
}

const resultsIn = (messages: readonly Message[]): readonly unknown[] =>
  messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_result' ? [[block.status, block.code, block.content.map((part) => 'text' in part && part.text)]] : [],
    ),
  )

/** A process that has the call done, or begun, and dies. */
async function died(file: string, when: 'behind the call' | 'in the call', tool = write(() => 'written')): Promise<void> {
  const steps = fileJournal({ file })
  const breaks: StepRunner = {
    ...steps,
    run: async (step, fn, options) =>
      await steps.run(step, when === 'in the call' && step.kind === 'tool' ? () => Promise.reject(new Error('died')) : fn, options),
  }
  const first = makeAgent([callsWrite, { error: new Error('died') }], { steps: breaks, tools: [tool] })
  await first.agent.invoke('go').catch(() => {})
  await steps[Symbol.asyncDispose]()
}

async function replayed(file: string, tools: readonly ToolSource[], of: (steps: StepRunner) => StepRunner = (steps) => steps) {
  await using steps = fileJournal({ file })
  const { agent, model } = makeAgent([{ text: 'Done.' }], { steps: of(steps), tools })
  const outcome = await agent.invoke('go').then(
    ({ text }) => text,
    (error: unknown) => error,
  )
  return { outcome, results: resultsIn(agent.messages), asked: model.requests.length }
}

describe.each([
  ['has another name now', put],
  ['takes another input now', stricter],
  ['is gone', undefined],
])('a replay whose tool %s', (_what, make) => {
  const tools = (done: string[]): readonly ToolSource[] => (make ? [make(done)] : [])

  it('gives what was done', async () => {
    const [file, done] = [newFile(), [] as string[]]
    await died(file, 'behind the call')
    expect(await replayed(file, tools(done))).toEqual({ outcome: 'Done.', results: [['success', undefined, ['written']]], asked: 1 })
    expect(done).toEqual([])
    // And once more, in a third process: the whole run is there.
    expect(await replayed(file, tools(done))).toEqual({ outcome: 'Done.', results: [['success', undefined, ['written']]], asked: 0 })
  })

  it('does not know what came of a call that was under way', async () => {
    const [file, done] = [newFile(), [] as string[]]
    await died(file, 'in the call')
    const { outcome, results } = await replayed(file, tools(done))
    expect([outcome, done]).toEqual(['Done.', []])
    expect(results).toEqual([['error', 'unknown_outcome', [expect.stringContaining('what came of it is not known') as string]]])
  })

  it('ends where the call had ended the run', async () => {
    const file = newFile()
    await died(
      file,
      'behind the call',
      write((_, { endTurn }) => (endTurn('That is all.'), 'written')),
    )
    expect(await replayed(file, tools([]))).toMatchObject({ outcome: 'That is all.', asked: 0 })
  })
})

it('a call that was never made is told that there is no such tool, as ever, and leaves no record', async () => {
  const file = newFile()
  const script = [callsWrite, { text: 'I see.' }]
  const steps = fileJournal({ file })
  const { agent } = makeAgent(script, { steps, tools: [put()] })
  await agent.invoke('go')
  await steps[Symbol.asyncDispose]()
  expect(resultsIn(agent.messages)).toEqual([['error', 'not_found', [expect.stringContaining('There is no tool "write".') as string]]])
  await using again = fileJournal({ file })
  const step = { name: 'tool:call_1', kind: 'tool', idempotencyKey: 'x' } as const
  expect(await again.recorded!(step, { signal: new AbortController().signal })).toBe(undefined)
})

it('an engine without such a look-up is not asked', async () => {
  const file = newFile()
  await died(file, 'behind the call')
  const { results } = await replayed(file, [put()], ({ concurrency, conversationId, run }) => ({ concurrency, conversationId, run }))
  expect(results).toMatchObject([['error', 'not_found', [expect.anything()]]])
})

it.each([
  ['fails', () => Promise.reject(new Error('the disk is gone')), 'the disk is gone'],
  ['gives what is no outcome', async () => ({ value: 'x' }), 'The steps gave no outcome for tool:call_1'],
])('an engine whose look-up %s ends the run', async (_what, recorded, said) => {
  const file = newFile()
  await died(file, 'behind the call')
  const { outcome, asked } = await replayed(file, [put()], (steps) => ({ ...steps, recorded }))
  expect([outcome, asked]).toEqual([expect.objectContaining({ code: 'steps_failed', message: expect.stringContaining(said) as string }), 0])
})

it('a record of another call under that name parts the run from its journal', async () => {
  const file = newFile()
  await died(file, 'behind the call')
  const { outcome } = await replayed(file, [put()], (steps) => ({
    ...steps,
    recorded: (step, options) => steps.recorded!({ ...step, idempotencyKey: 'another' }, options),
  }))
  expect(outcome).toMatchObject({ code: 'journal_parts' })
})

it('below an agent that is a tool, too', async () => {
  const file = newFile()
  const callsInner = { calls: [{ name: 'inner', input: { input: 'x' } }] }
  const innerOf = (model: Model, ...tools: readonly ToolSource[]): Agent =>
    new Agent({ name: 'inner', description: 'd', ids: countingIds(), retry: false, model, tools })
  // It is cancelled before its second answer.
  const first = fileJournal({ file })
  const dies = innerOf(
    scriptedModel(callsWrite),
    write(() => 'written'),
  )
  const outer = makeAgent([callsInner], { steps: first, tools: [dies] })
  dies.on('messageAdded', ({ message }) => {
    if (message.content.some(({ type }) => type === 'tool_result')) outer.agent.cancel()
  })
  await outer.agent.invoke('go')
  await first[Symbol.asyncDispose]()
  const heard: unknown[] = []
  const goesOn = scriptedModel(({ messages }) => (heard.push(...messages.at(-1)!.content), { text: 'Inner done.' }))
  await using second = fileJournal({ file })
  const again = makeAgent([{ text: 'All done.' }], { steps: second, tools: [innerOf(goesOn, put())] })
  expect((await again.agent.invoke('go')).text).toBe('All done.')
  expect(heard).toMatchObject([{ type: 'tool_result', status: 'success', content: [{ type: 'text', text: 'written' }] }])
  expect(resultsIn(again.agent.messages)).toEqual([['success', undefined, ['Inner done.']]])
})
