import { describe, expect, it } from 'vitest'
import { compact } from '../../../../src/context/compact.ts'
import { estimateTokens } from '../../../../src/context/estimate-tokens.ts'
import { slidingWindow } from '../../../../src/context/sliding-window.ts'
import { summarising } from '../../../../src/context/summarising.ts'
import { truncateResults } from '../../../../src/context/truncate-results.ts'
import { ContextOverflowError } from '../../../../src/errors.ts'
import { check } from '../../../../src/messages/check.ts'
import type { Message, MessageInput } from '../../../../src/messages/message.ts'
import { textOf } from '../../../../src/messages/content.ts'
import { repair } from '../../../../src/messages/repair.ts'
import { collect } from '../../../../src/testing/collect.ts'
import { scriptedModel } from '../../../../src/testing/scripted-model.ts'
import { assistant, call, result, user } from '../../../support/history.ts'
import { makeAgent } from '../../../support/make-agent.ts'
import { look } from '../../../support/tools.ts'
import { refuseUnhandled } from '../../../support/unhandled.ts'

refuseUnhandled()

const view = (messages: readonly Message[]) => ({ messages, model: scriptedModel(), contextWindow: 1_000_000 })
const windowed = async (history: readonly MessageInput[], messages: number): Promise<readonly Message[]> => {
  const whole = repair(history, { openCalls: 'keep' })
  return (await slidingWindow({ messages }).before!({ ...view(whole), tokens: 10, signal: new AbortController().signal })) ?? whole
}

describe('a window', () => {
  it.each<[string, readonly MessageInput[]]>([
    [
      'a prompt, two pairs and an answer (BUG-43)',
      [user('go'), assistant(call('a')), user(result('a')), assistant(call('b')), user(result('b')), assistant('well')],
    ],
    ['a prompt and three pairs (hs#2173)', [user('go'), ...['a', 'b', 'c'].flatMap((id) => [assistant(call(id)), user(result(id))])]],
    ['prompts and answers in turn (hs#1749)', [user('1'), assistant('2'), user('3'), assistant('4'), user('5')]],
    [
      'a newest message with an open call (hs#2087)',
      [user('1'), assistant('2'), user('3'), assistant('4'), user('5'), assistant(call('x'))],
    ],
  ])('of four over %s begins with a user message and parts no pair', async (_, history) => {
    const made = await windowed(history, 4)
    expect(made[0]!.role).toBe('user')
    expect(check(made).filter((fault) => !/open|no result|without a result/i.test(JSON.stringify(fault)))).toEqual([])
    expect(made.length).toBeLessThanOrEqual(4)
    expect(made.at(-1)!.content).toEqual(history.at(-1)!.content)
  })

  it.each([1, 0, -1, 2.5, Number.NaN])('of %s messages is refused (V41, V42)', (messages) => {
    expect(() => slidingWindow({ messages })).toThrow('slidingWindow({ messages }): expected a whole number of messages, at least 4')
  })

  it('that has nothing to leave out gives the original error after one call', async () => {
    const error = new ContextOverflowError('too long')
    const { agent, model } = makeAgent([{ error }], { context: slidingWindow() })
    await expect(agent.invoke('p'.repeat(5000))).rejects.toBe(error)
    expect(model.requests.length).toBe(1)
  })
})

describe('a result that is too large', () => {
  const history = repair([
    user('go'),
    assistant(call('small')),
    user(result('small', 'x'.repeat(50))),
    assistant(call('large')),
    user(result('large', 'y'.repeat(400_000))),
  ])

  it('is the one that is shortened, wherever it stands, and no message is left out (BUG-45, hs#4341)', async () => {
    const made = await slidingWindow().reduce({
      ...view(history),
      contextWindow: 100_000,
      tokens: estimateTokens(history, scriptedModel()),
      signal: new AbortController().signal,
      error: new ContextOverflowError('too long'),
    })
    expect(made!.map(({ id }) => id)).toEqual(history.map(({ id }) => id))
    expect(made!.slice(0, 4)).toEqual(history.slice(0, 4))
    expect(JSON.stringify(made![4]).length).toBeLessThan(200_000)
  })

  it('is shortened with a mark and an event, never in silence (hs#167)', async () => {
    const { agent } = makeAgent([{ error: new ContextOverflowError('too long') }, { text: 'Yes.' }], {
      messages: history,
      context: truncateResults({ keep: 0 }),
    })
    const { events } = await collect(agent.stream('and?'))
    expect(events.filter(({ type }) => type === 'compaction').length).toBe(1)
    expect(JSON.stringify(agent.messages)).toContain('[399500 characters of this result left out to save room]')
  })

  it('is cut between characters, and what is sent and kept is well-formed (BUG-63)', async () => {
    for (let pad = 0; pad < 4; pad++) {
      const emoji = repair([user('go'), assistant(call('a')), user(result('a', 'x'.repeat(pad) + '👩‍👩‍👧'.repeat(2000))), assistant('well')])
      const { messages } = await compact(truncateResults({ keep: 0 }), view(emoji))
      // JSON writes half of a pair as an escape.
      expect(JSON.stringify(messages)).not.toMatch(/\\ud[89a-f]/i)
      expect(messages).not.toEqual(emoji)
    }
  })
})

it('a summary of a history with calls is asked for as text, and needs no tools (hs#998, hs#1003, hs#611)', async () => {
  const history = repair([
    user('find it'),
    ...Array.from({ length: 8 }, (_, i) => [assistant(call(`c${i}`)), user(result(`c${i}`, `line ${i} `.repeat(50)))]).flat(),
  ])
  const model = scriptedModel({ text: 'the notes' })
  const made = await compact(summarising({ keep: 2 }), { ...view(history), model, contextWindow: 1000 })
  expect(textOf(made.messages[0]!)).toContain('the notes')
  expect(model.requests.map(({ tools, messages }) => [tools, messages.flatMap(({ content }) => content.map(({ type }) => type))])).toEqual([
    [[], ['text']],
  ])
})

it.each([
  ['never counts tokens', {}],
  ['counts none', { inputTokens: 0, outputTokens: 0 }],
  ['counts the output alone', { outputTokens: 20 }],
])('a provider that %s does not keep the history from being shortened', async (_, usage) => {
  const { agent } = makeAgent(
    [...Array.from({ length: 10 }, (_, at) => ({ calls: [{ name: 'look', input: { at } }], usage })), { text: 'Done.' }],
    { context: slidingWindow({ tokens: 2000 }), tools: [look(() => 'words '.repeat(300))] },
  )
  const { events } = await collect(agent.stream('go'))
  expect(events.filter(({ type }) => type === 'compaction').length).toBeGreaterThan(0)
  expect(check(agent.messages)).toEqual([])
})
