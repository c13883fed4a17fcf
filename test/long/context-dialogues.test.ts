import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import type { ContextManager } from '../../src/context/context-manager.ts'
import { contextManagers } from '../../src/context/context-managers.ts'
import { slidingWindow } from '../../src/context/sliding-window.ts'
import { summarising } from '../../src/context/summarising.ts'
import { truncateResults } from '../../src/context/truncate-results.ts'
import { ContextOverflowError } from '../../src/errors.ts'
import { check } from '../../src/messages/check.ts'
import type { Model } from '../../src/models/model.ts'
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

const contextWindow = 4000
const most = contextWindow * 3.5
const wanted = 500

/** Plays the dialogues, refuses what is over its window, and counts. */
async function play(make: (summaries: Model) => ContextManager, counted: boolean) {
  const counts = { calls: 0, refused: 0, summaries: 0, longest: 0, sent: 0, stored: 0, prefixes: 0 }
  let current: Turn = { prompt: '', replies: [], results: [] }
  let reply = 0
  let first = ''
  const model: Model = {
    provider: 'recorded',
    id: 'recorded',
    contextWindow,
    async *stream({ messages }) {
      const size = JSON.stringify(messages).length
      if (size > most) {
        counts.refused++
        throw new ContextOverflowError('prompt is too long')
      }
      counts.calls++
      counts.sent += size
      counts.longest = Math.max(counts.longest, size)
      const beginning = JSON.stringify(messages.slice(0, 2))
      if (messages.length > 2 && beginning !== first) counts.prefixes++
      first = beginning
      const answer = current.replies[reply++] ?? { text: 'done' }
      yield* eventsOf({ ...answer, usage: counted ? { inputTokens: Math.ceil(size / 3.5), outputTokens: 50 } : {} })
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
  const agent = new Agent({ model, tools, context: make(summaryModel), retry: false })
  for (let i = 0; counts.calls < wanted; i++) {
    current = script[i % script.length]!
    reply = answered = 0
    if (current.replies.length === 0) continue
    await agent.invoke(current.prompt)
    expect(check(agent.messages)).toEqual([])
    counts.stored = Math.max(counts.stored, agent.messages.length)
  }
  return counts
}

type Case = {
  readonly name: string
  readonly make: (summaries: Model) => ContextManager
  /** Calls of the model that writes summaries: where the provider counts tokens, and where it does not. */
  readonly summaries: readonly [number, number]
  /** How often the beginning, which providers cache, may be another than in the request before. */
  readonly changes: number
}

const cases: readonly Case[] = [
  { name: 'slidingWindow', make: () => slidingWindow(), summaries: [0, 0], changes: wanted / 5 },
  // A quarter of 20 messages is two turns and a half.
  { name: 'slidingWindow of 20 messages', make: () => slidingWindow({ messages: 20 }), summaries: [0, 0], changes: wanted / 2.5 },
  { name: 'summarising', make: (model) => summarising({ model }), summaries: [71, 50], changes: wanted / 5 },
  {
    name: 'truncateResults, then slidingWindow',
    make: () => contextManagers([truncateResults({ keep: 2 }), slidingWindow()]),
    summaries: [0, 0],
    changes: wanted / 5,
  },
  {
    name: 'truncateResults, then summarising',
    make: (model) => contextManagers([truncateResults({ keep: 2 }), summarising({ model })]),
    summaries: [60, 40],
    changes: wanted / 5,
  },
]

describe.skipIf(missing)('five hundred turns of recorded dialogues in a small window', () => {
  describe.each(cases)('$name', ({ make, summaries, changes }) => {
    it.each([true, false])(
      'never overflow, and cost the same all along; the provider counts tokens: %s',
      async (counted) => {
        const counts = await play(make, counted)
        expect(counts.calls).toBeGreaterThanOrEqual(wanted)
        expect(counts.longest).toBeLessThanOrEqual(most)
        expect(counts.sent).toBeLessThanOrEqual(wanted * most * 1.1)
        expect(counts.stored).toBeLessThan(120)
        expect(counts.summaries).toBe(summaries[counted ? 0 : 1])

        expect(counts.prefixes).toBeLessThan(changes)
      },
      120_000,
    )
  })
})
