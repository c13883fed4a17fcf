import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import type { ContextManager } from '../../src/context/context-manager.ts'
import { contextManagers } from '../../src/context/context-managers.ts'
import { offloadResults } from '../../src/context/offload-results.ts'
import { slidingWindow } from '../../src/context/sliding-window.ts'
import { summarising } from '../../src/context/summarising.ts'
import { truncateResults } from '../../src/context/truncate-results.ts'
import { ContextOverflowError } from '../../src/errors.ts'
import { check } from '../../src/messages/check.ts'
import type { Message } from '../../src/messages/message.ts'
import type { Model } from '../../src/models/model.ts'
import { memoryResults } from '../../src/results/memory-results.ts'
import type { ResultStore } from '../../src/results/result-store.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import type { ScriptedAnswer } from '../../src/testing/scripted-model.ts'
import { jsonSchema } from '../../src/tools/schema.ts'
import { tool } from '../../src/tools/tool.ts'

const folder = '../shared/corpora/transcripts'
const missing = !existsSync(`${folder}/tau-airline.jsonl`)

type Recorded = {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[]
}
type Turn = { readonly prompt: string; readonly replies: ScriptedAnswer[]; readonly results: string[] }

/** Prompts, and what the model and the tools said until the next one. */
function turns(): Turn[] {
  const dialogues = readFileSync(`${folder}/tau-airline.jsonl`, 'utf8').trim().split('\n')
  const coding = ['swe-agent-marshmallow-1867.json', 'swe-agent-test-repo-1c2844.json'].map((file) =>
    readFileSync(`${folder}/${file}`, 'utf8'),
  )
  const all: Turn[] = []
  for (const recorded of [...coding, ...dialogues].flatMap((text) => (JSON.parse(text) as { messages: Recorded[] }).messages)) {
    const { role, content, tool_calls } = recorded
    if (role === 'user') all.push({ prompt: content ?? '', replies: [], results: [] })
    else if (role === 'tool') all.at(-1)!.results.push(content ?? '')
    else if (role === 'assistant') {
      const calls = (tool_calls ?? []).map(({ function: { name, arguments: input } }) => ({ name, input }))
      all.at(-1)!.replies.push({ ...(content && { text: content }), calls })
    }
  }
  return all
}

const contextWindow = 6000
const most = contextWindow * 3.5
const wanted = 500

/** What is known of tokens: the provider counts them; it does not; and it does not even say how many it takes, but refuses. */
const providers = ['counts', 'is silent', 'refuses'] as const
type Provider = (typeof providers)[number]

/** Plays the dialogues, refuses what is over its window, and counts. */
async function play(make: (summaries: Model) => ContextManager, provider: Provider) {
  const counts = { calls: 0, refused: 0, summaries: 0, longest: 0, sent: 0, stored: 0, prefixes: 0, compactions: 0, offloaded: 0 }
  let current: Turn = { prompt: '', replies: [], results: [] }
  let reply = 0
  let before: readonly unknown[] = []
  const model: Model = {
    provider: 'recorded',
    id: 'recorded',
    ...(provider !== 'refuses' && { contextWindow }),
    async *stream({ messages, tools, system }) {
      expect(check(messages as readonly Message[])).toEqual([])
      const size = JSON.stringify([system, tools, messages]).length
      if (size > most) {
        counts.refused++
        throw new ContextOverflowError('prompt is too long')
      }
      counts.calls++
      counts.sent += size
      counts.longest = Math.max(counts.longest, size)
      // Providers cache what is the same from the beginning on: that is the whole request before, or the cache is lost.
      if (!before.every((message, index) => message === messages[index])) counts.prefixes++
      before = messages
      const answer = current.replies[reply++] ?? { text: 'done' }
      yield* eventsOf({ ...answer, usage: provider === 'counts' ? { inputTokens: Math.ceil(size / 3.5), outputTokens: 50 } : {} })
    },
  }
  const summaryModel: Model = {
    provider: 'recorded',
    id: 'notes',
    contextWindow,
    async *stream({ messages, tools }) {
      expect(tools).toEqual([])
      expect(JSON.stringify(messages).length).toBeLessThan(most)
      yield* eventsOf({ text: `Notes ${++counts.summaries}: ${'a fact. '.repeat(40)}` })
    },
  }
  const script = turns()
  const names = [...new Set(script.flatMap(({ replies }) => replies.flatMap(({ calls = [] }) => calls.map(({ name }) => name))))]
  let answered = 0
  const tools = names.map((name) =>
    tool({
      name,
      description: name,
      inputSchema: jsonSchema<Record<string, unknown>>({ type: 'object' }),
      execute: async () => current.results[answered++] ?? 'nothing',
    }),
  )
  const memory = memoryResults()
  const results: ResultStore = { ...memory, put: async (...args) => (counts.offloaded++, await memory.put(...args)) }
  const agent = new Agent({ model, tools, context: make(summaryModel), retry: false, results })
  for (let i = 0; counts.calls < wanted; i++) {
    current = script[i % script.length]!
    reply = answered = 0
    if (current.replies.length === 0) continue
    await agent.invoke(current.prompt, { onEvent: ({ type }) => void (counts.compactions += type === 'compaction' ? 1 : 0) })
    expect(check(agent.messages)).toEqual([])
    counts.stored = Math.max(counts.stored, agent.messages.length)
  }
  return counts
}

type Case = {
  readonly name: string
  readonly make: (summaries: Model) => ContextManager
  /** Calls of the model that writes summaries, and results that are stored: for each kind of provider. */
  readonly summaries?: readonly number[]
  readonly offloaded?: readonly number[]
  /** At most so many changes of the history, which cost the provider's cache. */
  readonly compactions: number
}

const cases: readonly Case[] = [
  { name: 'slidingWindow', make: () => slidingWindow(), compactions: wanted / 4 },
  // A quarter of 20 messages is two turns and a half.
  { name: 'slidingWindow of 20 messages', make: () => slidingWindow({ messages: 20 }), compactions: wanted / 2.5 },
  { name: 'summarising', make: (model) => summarising({ model }), summaries: [46, 74, 34], compactions: wanted / 4 },
  {
    name: 'truncateResults, then slidingWindow',
    make: () => contextManagers([truncateResults({ keep: 2 }), slidingWindow()]),
    compactions: wanted / 4,
  },
  {
    name: 'truncateResults, then summarising',
    make: (model) => contextManagers([truncateResults({ keep: 2 }), summarising({ model })]),
    summaries: [40, 65, 28],
    compactions: wanted / 4,
  },
  {
    name: 'offloadResults, then slidingWindow',
    make: () => contextManagers([offloadResults({ keep: 2, minChars: 1100, previewChars: 100 }), slidingWindow()]),
    offloaded: [25, 17, 35],
    compactions: wanted / 4,
  },
]

describe.skipIf(missing)('five hundred turns of recorded dialogues in a small window', () => {
  describe.each(cases)('$name', ({ make, summaries = [0, 0, 0], offloaded = [0, 0, 0], compactions }) => {
    it.each(providers)(
      'never overflow, and cost the same all along; the provider %s',
      async (provider) => {
        const counts = await play(make, provider)
        const column = providers.indexOf(provider)
        expect(counts.calls).toBeGreaterThanOrEqual(wanted)
        expect(counts.longest).toBeLessThanOrEqual(most)
        expect(counts.sent).toBeLessThanOrEqual(counts.calls * most)
        expect(counts.stored).toBeLessThan(120)
        expect([counts.summaries, counts.offloaded]).toEqual([summaries[column], offloaded[column]])
        expect(counts.compactions).toBeLessThan(compactions)
        if (provider === 'refuses') {
          // One request may be refused, and shortened, more than once.
          expect(counts.refused).toBeGreaterThan(0)
          expect(counts.refused).toBeLessThanOrEqual(counts.compactions)
          expect(counts.prefixes).toBeLessThanOrEqual(counts.compactions)
        } else {
          // The beginning changes with a compaction and never else, and none is made for nothing.
          expect(counts.prefixes).toBe(counts.compactions)
          expect(counts.refused).toBe(0)
        }
      },
      120_000,
    )
  })
})
