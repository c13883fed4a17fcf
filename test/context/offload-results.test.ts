import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { compact } from '../../src/context/compact.ts'
import { contextManagers } from '../../src/context/context-managers.ts'
import { offloadResults } from '../../src/context/offload-results.ts'
import { slidingWindow } from '../../src/context/sliding-window.ts'
import { ContextOverflowError } from '../../src/errors.ts'
import { check } from '../../src/messages/check.ts'
import type { ToolResultBlock } from '../../src/messages/content.ts'
import type { Message } from '../../src/messages/message.ts'
import type { ModelRequest } from '../../src/models/model.ts'
import { repair } from '../../src/messages/repair.ts'
import { fileResults } from '../../src/results/file-results.ts'
import { memoryResults } from '../../src/results/memory-results.ts'
import type { ResultStore } from '../../src/results/result-store.ts'
import { collect } from '../../src/testing/collect.ts'
import type { ScriptStep } from '../../src/testing/scripted-model.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { readFile } from '../../src/toolkit/read-file.ts'
import { assistant, call, result, user } from '../support/history.ts'
import { makeAgent } from '../support/make-agent.ts'
import { look } from '../support/tools.ts'

const long = (id: string): string =>
  Array.from({ length: 200 }, (_, line) => `${id} line ${line} of many, each with something to say`).join('\n')
/** Five calls; the results of all but the last two are old. */
const history = repair([
  user('find the bug'),
  ...['a', 'b', 'c', 'd', 'e'].flatMap((id) => [assistant(call(id)), user(result(id, id === 'b' ? 'short' : long(id)))]),
  assistant('well'),
])
const resultsIn = (messages: readonly Message[]): readonly ToolResultBlock[] =>
  messages.flatMap(({ content }) => content.filter((block) => block.type === 'tool_result'))
const textIn = ({ content: [first] }: ToolResultBlock): string => (first?.type === 'text' ? first.text : '')
const pathIn = (block: ToolResultBlock): string => /<persisted-output path="([^"]*)"/.exec(textIn(block))![1]!

const view = (store: ResultStore | undefined, messages = history) => ({
  messages,
  model: scriptedModel(),
  contextWindow: 1000,
  ...(store && { results: { store, conversationId: 'c', reader: () => ({ name: 'read_file', offset: 'line' as const }) } }),
})

describe('old results that are large', () => {
  it('go to the store whole, and a reference with their beginning stays', async () => {
    const store = memoryResults()
    const made = await compact(offloadResults({ keep: 2 }), view(store))
    expect(check(made.messages)).toEqual([])
    const [a, b, c, d, e] = resultsIn(made.messages)
    expect([b, d, e]).toEqual(resultsIn(history).filter((_, index) => [1, 3, 4].includes(index)))
    for (const [id, block] of [
      ['a', a!],
      ['c', c!],
    ] as const) {
      const stored = await store.read(pathIn(block), { offset: 0, limit: 1_000_000, signal: new AbortController().signal })
      expect(stored.text).toBe(long(id))
      expect(textIn(block)).toContain(`${id} line 0 of many`)
      expect(textIn(block)).toContain('Read on with read_file, path as above, offset=')
      expect(textIn(block).length).toBeLessThan(1500)
    }
    expect(made.tokensAfter).toBeLessThan(made.tokensBefore * 0.7)
    // What is not touched is the same object.
    expect(made.messages.filter((message) => history.includes(message)).length).toBe(history.length - 2)
  })

  it('go there once: a reference is not moved again, nor what was stored for a history that nobody took', async () => {
    let puts = 0
    const memory = memoryResults()
    const store: ResultStore = { ...memory, put: async (...args) => (puts++, await memory.put(...args)) }
    const manager = offloadResults({ keep: 0 })
    const first = await compact(manager, view(store))
    expect((await compact(manager, view(store))).messages).toEqual(first.messages)
    expect((await compact(manager, view(store, first.messages as Message[]))).changed).toBe(false)
    expect(puts).toBe(4)
  })

  it('stay when the store fails: one warning, and the window behind it does the work', async () => {
    const broken: ResultStore = { ...memoryResults(), put: async () => Promise.reject(new Error('disk full')) }
    const warnings: string[] = []
    const managers = contextManagers([offloadResults({ keep: 0 }), slidingWindow({ tokens: 3000 })])
    const made = await compact(managers, { ...view(broken), warn: (text) => void warnings.push(text) })
    expect(warnings).toEqual(['A result could not be stored (disk full); it stays in the history.'])
    expect([check(made.messages), made.changed]).toEqual([[], true])
  })

  it('that were read from the store are shortened, and not stored again', async () => {
    const memory = memoryResults()
    const { path } = await memory.put({ text: long('x'), callId: 'x', conversationId: 'c' }, { signal: new AbortController().signal })
    const store: ResultStore = { ...memory, put: async () => Promise.reject(new Error('not again')) }
    const reading = { ...call('r', 'read_file'), input: { path, offset: 40 } }
    const made = await compact(
      offloadResults({ keep: 0 }),
      view(store, repair([user('go'), assistant(reading), user(result('r', long('x')))])),
    )
    expect(textIn(resultsIn(made.messages)[0]!)).toMatch(/\[\d+ characters of this result left out to save room\]/)
  })

  it('are left alone where it is not worth it, where there is room, and where there is no store', async () => {
    const store: ResultStore = { ...memoryResults(), put: async () => Promise.reject(new Error('not asked for')) }
    const { signal } = new AbortController()
    const now = { ...view(store), tokens: 100, signal }
    expect(await offloadResults({ keep: 0 }).before!(now)).toBe(undefined)
    expect(await offloadResults({ keep: 0 }).before!({ ...now, contextWindow: 1_000_000, tokens: 900_000 })).toBe(undefined)
    expect(await compact(offloadResults({ keep: 0 }), view(undefined))).toMatchObject({ changed: false })
  })

  it('are read on by the model, page by page, from the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lena-offload-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const results = fileResults({ dir: join(folder, 'results') })
    const tools = [readFile({ workspace: folder })]
    const { agent } = makeAgent([], { messages: history, context: offloadResults({ keep: 1 }), results, tools })
    await agent.compact()
    const path = pathIn(resultsIn(agent.messages)[0]!)
    const asks = (offset: number) => ({ calls: [{ name: 'read_file', input: { path, offset, limit: 100 } }] })
    const second = makeAgent([asks(1), asks(101), { text: 'Read.' }], { messages: agent.messages, results, tools })
    await second.agent.invoke('go on')
    const pages = resultsIn(second.agent.messages)
      .slice(-2)
      .map((block) => JSON.stringify(block.content))
    expect(pages[0]).toContain('a line 0 of many')
    expect(pages[0]).toContain('a line 99 of many')
    expect(pages[1]).toContain('a line 100 of many')
    expect(pages[1]).toContain('a line 199 of many')
  })

  it('give an agent without a reader the tool read_result at once, and an overflow is overcome', async () => {
    const reads = ({ messages }: ModelRequest): ScriptStep => {
      const path = /persisted-output path=\\"([^"\\]*)/.exec(JSON.stringify(messages))![1]!
      return { calls: [{ name: 'read_result', input: { path, offset: 0, limit: 30 } }] }
    }
    const { agent, model } = makeAgent([{ error: new ContextOverflowError('too long') }, reads, { text: 'fits' }], {
      messages: history,
      context: offloadResults({ keep: 0 }),
      results: memoryResults(),
      tools: [look()],
    })
    const { events, result: done } = await collect(agent.stream('go'))
    expect(done?.text).toBe('fits')
    expect(events.filter(({ type }) => type === 'compaction').length).toBe(1)
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ['look'],
      ['look', 'read_result'],
      ['look', 'read_result'],
    ])
    expect(JSON.stringify(agent.messages.at(-2))).toContain('a line 0 of many')
  })
})
