import type { FileHandle } from 'node:fs/promises'
import { appendFile, mkdtemp, open as openFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { fileJournal, JournalError } from 'lena-agent/durable'
import type { Journal } from 'lena-agent/durable'
import { stepRunnerConformance } from 'lena-agent/testing'
import type { Step, StepRunner } from '../../src/tools/steps.ts'
import { makeAgent } from '../support/make-agent.ts'
import { write } from '../support/tools.ts'

const { signal } = new AbortController()
const look: Step = { name: 'tool:call_1', kind: 'tool', idempotencyKey: 'conv_1:call_1' }
const notAgain = (): Promise<never> => Promise.reject(new Error('ran again'))

let folder: string
let count = 0
const open: Journal[] = []
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'lena-journal-'))))
afterAll(async () => {
  for (const journal of open) await journal[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const newFile = (): string => join(folder, `${count++}.jsonl`)
function journalOf(file: string, onRepeat?: (step: Step) => void): Journal {
  const journal = fileJournal({ file, onRepeat })
  open.push(journal)
  return journal
}
const linesOf = async (file: string): Promise<readonly unknown[]> =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof JournalError ? error.code : error),
  )

describe('a file journal is an engine', () => {
  const files = new Map<StepRunner, string>()
  const opened = (file: string): Journal => {
    const journal = journalOf(file)
    files.set(journal, file)
    return journal
  }
  stepRunnerConformance(
    { test: it },
    async () => opened(newFile()),
    async (steps) => {
      await (steps as Journal)[Symbol.asyncDispose]()
      return opened(files.get(steps)!)
    },
  )
})

it('has a header, the start of each tool step, and the end of each step', async () => {
  const file = newFile()
  const journal = journalOf(file)
  const ask: Step = { name: 'model:1', kind: 'model', idempotencyKey: 'k' }
  await journal.run(ask, async () => ({ a: 1 }), { signal })
  await journal.run(look, async () => 'seen', { signal })
  expect(await linesOf(file)).toEqual([
    { type: 'journal', version: 1, conversationId: journal.conversationId },
    { type: 'ended', ...ask, value: { a: 1 } },
    { type: 'started', ...look },
    { type: 'ended', ...look, value: 'seen' },
  ])
})

it('puts a torn last line aside, and goes on behind the whole ones', async () => {
  const file = newFile()
  const first = journalOf(file)
  await first.run(look, async () => 'seen', { signal })
  await first[Symbol.asyncDispose]()
  const torn = '{"type":"ended","name":"tool:call_2"'
  await appendFile(file, torn)
  const second = journalOf(file)
  expect(await second.run(look, notAgain, { signal })).toBe('seen')
  await second.run({ ...look, name: 'tool:call_2' }, async () => 'new', { signal })
  expect((await linesOf(file)).length).toBe(5)
  expect(await readFile(`${file}.torn`, 'utf8')).toBe(`${torn}\n`)
})

it('says which step was under way, and runs it again with its key', async () => {
  const file = newFile()
  const first = journalOf(file)
  await failure(first.run(look, () => Promise.reject(new Error('died')), { signal }))
  await first[Symbol.asyncDispose]()
  const repeated: Step[] = []
  const second = journalOf(file, (step) => repeated.push(step))
  expect(await failure(second.run({ ...look, idempotencyKey: 'other' }, async () => 1, { signal }))).toBe('journal_parts')
  expect(repeated).toEqual([])
  expect(await second.run(look, async () => 'seen', { signal })).toBe('seen')
  expect(repeated).toEqual([look])
})

it('has its name on the disk, too, before a step is done', async () => {
  const file = newFile()
  const journal = journalOf(file)
  const handle = await openFile(file, 'r')
  const sync = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync')
  onTestFinished(() => sync.mockRestore())
  await handle.close()
  expect(await journal.run(look, async () => sync.mock.calls.length, { signal })).toBe(1)
})

describe('it refuses', () => {
  it('a second holder of the file, until the first lets it go', async () => {
    const file = newFile()
    const [first, second, third] = [journalOf(file), journalOf(file), journalOf(file)]
    await first.run(look, async () => 'seen', { signal })
    expect(await failure(second.run(look, notAgain, { signal }))).toBe('journal_locked')
    await first[Symbol.asyncDispose]()
    expect(await third.run(look, notAgain, { signal })).toBe('seen')
  })

  it('but takes it once the other has let it go, by the same journal', async () => {
    const file = newFile()
    const [first, second] = [journalOf(file), journalOf(file)]
    await first.run(look, async () => 'seen', { signal })
    expect(await failure(second.run(look, notAgain, { signal }))).toBe('journal_locked')
    await first[Symbol.asyncDispose]()
    expect(await second.run(look, notAgain, { signal })).toBe('seen')
  })

  it('to write where something else has written', async () => {
    const file = newFile()
    const journal = journalOf(file)
    await journal.run(look, async () => 'seen', { signal })
    await appendFile(file, '\n')
    expect(await failure(journal.run({ ...look, name: 'tool:call_2' }, notAgain, { signal }))).toBe('journal_locked')
  })

  it.each([{ kind: 'model' as const }, { idempotencyKey: 'other' }, { fingerprint: 'b' }])('a step that is another: %j', async (other) => {
    const file = newFile()
    const journal = journalOf(file)
    const printed = { ...look, fingerprint: 'a' }
    await journal.run(printed, async () => 'seen', { signal })
    expect(await failure(journal.run({ ...printed, ...other }, notAgain, { signal }))).toBe('journal_parts')
    expect(await journal.run(printed, notAgain, { signal })).toBe('seen')
  })

  it('to run a tool once its file is removed or replaced, and a first step without a file', async () => {
    for (const change of [(file: string) => rm(file), (file: string) => writeFile(`${file}~`, '').then(() => rename(`${file}~`, file))]) {
      const file = newFile()
      const journal = journalOf(file)
      await journal.run(look, async () => 'seen', { signal })
      await change(file)
      expect(await failure(journal.run({ ...look, name: 'tool:call_2' }, notAgain, { signal }))).toBe('journal_damaged')
    }
    const file = newFile()
    const journal = journalOf(file)
    await rm(file)
    await expect(journal.run(look, notAgain, { signal })).rejects.toThrow(`The journal ${file} was removed before its first step.`)
  })

  it('the same step twice at once', async () => {
    const journal = journalOf(newFile())
    let end: ((value: string) => void) | undefined
    const first = journal.run(look, () => new Promise<string>((resolve) => (end = resolve)), { signal })
    expect(await failure(journal.run(look, notAgain, { signal }))).toBe('journal_parts')
    while (end === undefined) await new Promise(setImmediate)
    end('seen')
    expect(await first).toBe('seen')
  })

  it('a line that cannot be read, before any step is done', async () => {
    const file = newFile()
    const first = journalOf(file)
    await first.run(look, async () => 'seen', { signal })
    await first[Symbol.asyncDispose]()
    await appendFile(file, 'nonsense\n')
    expect(await failure(journalOf(file).run(look, notAgain, { signal }))).toBe('journal_damaged')
  })

  it.each(['nonsense\n', 'no line', '{"type":"journal","version":2,"conversationId":"c"}\n'])(
    'a file that is no journal: %j',
    async (text) => {
      const file = newFile()
      await writeFile(file, text)
      expect(() => fileJournal({ file })).toThrow(JournalError)
      expect(await readFile(file, 'utf8')).toBe(text)
    },
  )

  it('to record what a step came to that it was closed under, and lets the file go', async () => {
    const file = newFile()
    const journal = journalOf(file)
    const step = journal.run(look, async () => (await journal[Symbol.asyncDispose](), 'seen'), { signal })
    await expect(step).rejects.toThrow(`The journal ${file} was closed before the step tool:call_1 had its record.`)
    expect(await failure(step)).toBe('journal_closed')
    expect(await journalOf(file).run(look, async () => 'again', { signal })).toBe('again')
  })

  it('a file in a folder that is not there, and says so', () => {
    const file = join(folder, 'missing', 'run.jsonl')
    expect(() => fileJournal({ file })).toThrow(`The journal ${file} cannot be made: its folder is not there. Make it first.`)
  })

  it('steps once it is closed', async () => {
    const journal = journalOf(newFile())
    await journal[Symbol.asyncDispose]()
    await journal[Symbol.asyncDispose]()
    expect(await failure(journal.run(look, notAgain, { signal }))).toBe('journal_closed')
  })
})

it('carries an agent on: the second process asks nothing and runs nothing that was done', async () => {
  const file = newFile()
  const keys: string[] = []
  const tools = [write((_input, { idempotencyKey }) => (keys.push(idempotencyKey), 'written'))]
  const first = journalOf(file)
  const died = makeAgent([{ calls: [{ name: 'write', input: { at: 1 } }] }, { error: new Error('died') }], { steps: first, tools })
  await died.agent.invoke('go').catch(() => {})
  await first[Symbol.asyncDispose]()
  const { agent, model } = makeAgent([{ text: 'Done.' }], { steps: journalOf(file), tools })
  expect((await agent.invoke('go')).text).toBe('Done.')
  model.assertComplete()
  expect(keys).toEqual([`${first.conversationId}:call_1`])
})

describe('an agent whose journal fails', () => {
  it('at a call ends with that error, and the model reads nothing of it; the next one, with a journal that is well, goes on', async () => {
    const file = newFile()
    const ran: string[] = []
    const journal = journalOf(file)
    const script = [{ calls: [{ name: 'write', input: { at: 1 } }] }, { text: 'Done.' }]
    const first = makeAgent(script, {
      steps: journal,
      tools: [write(async (_, { idempotencyKey }) => (ran.push(idempotencyKey), await journal[Symbol.asyncDispose](), 'written'))],
    })
    await expect(first.agent.invoke('go')).rejects.toMatchObject({ name: 'JournalError', code: 'journal_closed' })
    expect([first.model.requests.length, first.agent.messages.at(-1)?.content]).toMatchObject([
      1,
      [{ type: 'tool_result', status: 'success', content: [{ type: 'text', text: 'written' }] }],
    ])
    const again = makeAgent(script.slice(1), {
      steps: journalOf(file),
      tools: [write((_, { idempotencyKey }) => (ran.push(idempotencyKey), 'written'))],
    })
    expect((await again.agent.invoke('go')).text).toBe('Done.')
    // Its record was not written, so it ran again, under the same key.
    expect([ran.length, new Set(ran).size]).toEqual([2, 1])
  })
})
