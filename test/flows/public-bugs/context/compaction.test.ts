import { describe, expect, it } from 'vitest'
import { compact } from '../../../../src/context/compact.ts'
import type { ContextManager } from '../../../../src/context/context-manager.ts'
import { estimateTokens } from '../../../../src/context/estimate-tokens.ts'
import { slidingWindow } from '../../../../src/context/sliding-window.ts'
import { summarising } from '../../../../src/context/summarising.ts'
import { truncateResults } from '../../../../src/context/truncate-results.ts'
import { contextManagers } from '../../../../src/context/context-managers.ts'
import { check } from '../../../../src/messages/check.ts'
import { repair } from '../../../../src/messages/repair.ts'
import { memorySessions } from '../../../../src/sessions/memory-sessions.ts'
import { Session } from '../../../../src/sessions/session.ts'
import { scriptedModel } from '../../../../src/testing/scripted-model.ts'
import { assistant, call, result, user } from '../../../support/history.ts'
import { makeAgent } from '../../../support/make-agent.ts'
import { sketch } from '../../../support/sketch.ts'
import { look, toolNamed } from '../../../support/tools.ts'
import { refuseUnhandled } from '../../../support/unhandled.ts'

refuseUnhandled()

const history = repair([
  user('find it'),
  ...Array.from({ length: 8 }, (_, i) => [
    assistant(call(`c${i}`), call(`d${i}`)),
    user(result(`c${i}`, `line ${i} `.repeat(50)), result(`d${i}`)),
  ]).flat(),
  assistant('found'),
  user('and now?'),
  assistant('nothing more'),
])

describe('a result of 1 MB in a window of 20,000 tokens', () => {
  it.each<[string, ContextManager]>([
    ['a window', slidingWindow()],
    ['a summary', summarising({ model: scriptedModel({ text: 'notes' }, { text: 'notes' }) })],
    ['shorter results and a window', contextManagers([truncateResults(), slidingWindow()])],
  ])('is made to fit by %s before the request that would have it (pi#6879, pi#9740)', async (_, context) => {
    const { agent, model } = makeAgent([{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'Much.' }], {
      context,
      tools: [toolNamed('look', () => 'words '.repeat(175_000), { maxResultChars: Infinity })],
    })
    Object.assign(model, { contextWindow: 20_000 })
    await agent.invoke('go')
    expect(model.requests.length).toBe(2)
    expect(estimateTokens(agent.messages, model)).toBeLessThan(20_000)
    expect(model.requests[1]!.messages.length).toBe(3)
    expect(check(agent.messages)).toEqual([])
  })
})

describe('a summary', () => {
  it('parts no call from its result, wherever it is cut (langchainjs#9740)', async () => {
    for (let keep = 1; keep <= history.length; keep++) {
      const model = scriptedModel({ text: 'the notes' })
      const { messages } = await compact(summarising({ keep }), { messages: history, model, contextWindow: 100_000 })
      expect(check(messages)).toEqual([])
      const calls = messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])))
      const answered = messages.flatMap(({ content }) =>
        content.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])),
      )
      expect(answered).toEqual(calls)
    }
  })

  it('is written of as much as the model can take that writes it, not of a fixed amount (deepagentsjs#846)', async () => {
    const long = repair([user('go'), ...Array.from({ length: 60 }, (_, i) => [assistant('w'.repeat(4000)), user(`${i}`)]).flat()])
    const charsFor = async (contextWindow: number): Promise<number> => {
      const model = { ...scriptedModel({ text: 'the notes' }), contextWindow }
      await compact(summarising({ model, keep: 2 }), { messages: long, model: scriptedModel(), contextWindow: 50_000 })
      return JSON.stringify(model.requests[0]!.messages).length
    }
    const small = await charsFor(8000)
    expect([small < 8000 * 4, (await charsFor(200_000)) > 200_000]).toEqual([true, true])
  })

  it('is what a session goes on from, and what it stands for is still there to go back to (deepagents#2876)', async () => {
    const store = memorySessions()
    const session = (at?: string) => new Session({ id: 's', store, at })
    const { agent } = makeAgent([{ text: 'Yes.' }], {
      session: session(),
      messages: history,
      context: summarising({ model: scriptedModel({ text: 'the notes' }), keep: 2 }),
    })
    await agent.invoke('go')
    const before = agent.messages
    await agent.compact()
    const { messages } = await session().restore()
    expect(messages).toEqual(agent.messages)
    expect(messages.length).toBeLessThan(6)
    expect((await session(before.at(-1)!.id).restore()).messages).toEqual(before)
  })
})

it('what is sent begins with the same bytes from turn to turn, but for the turns that shorten (pi#10267)', async () => {
  const { agent, model } = makeAgent(
    [...Array.from({ length: 60 }, (_, at) => ({ calls: [{ name: 'look', input: { at } }], usage: {} })), { text: 'Done.' }],
    {
      context: slidingWindow({ tokens: 3000 }),
      tools: [look((input) => `seen ${JSON.stringify(input)} ${'words '.repeat(100)}`)],
      instructions: 'Look.',
    },
  )
  let compactions = 0
  await agent.invoke('go', { onEvent: ({ type }) => void (type === 'compaction' && compactions++) })
  const sent = model.requests.map(
    ({ system, tools, messages }) => [JSON.stringify([system, tools]), messages.map((message) => JSON.stringify(message))] as const,
  )
  const changes = sent.filter(([frame, messages], i) => {
    const [frameBefore, before] = sent[i - 1] ?? [frame, []]
    return frame !== frameBefore || before.some((message, at) => message !== messages[at])
  }).length
  expect(compactions).toBeGreaterThan(2)
  expect(changes).toBe(compactions)
  expect(sketch(agent.messages).at(-1)).toBe('assistant: "Done."')
})
