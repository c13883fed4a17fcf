import { describe, expect, it } from 'vitest'
import { IncompleteStreamError, OverloadedError } from '../../../src/errors.ts'
import { answerTo, name } from './support/ask.ts'
import type { Part } from './support/scripted.ts'
import { calls, finish, says } from './support/scripted.ts'

const ending = (finishReason: unknown, usage: unknown = {}): Part => ({ type: 'finish', finishReason, usage })

describe('why an answer ends', () => {
  it.each([
    [{ unified: 'stop', raw: 'end_turn' }, 'end_turn'],
    [{ unified: 'stop', raw: undefined }, 'end_turn'],
    [{ unified: 'length', raw: 'max_tokens' }, 'max_tokens'],
    [{ unified: 'content-filter', raw: 'SAFETY' }, 'content_filtered'],
    [{ unified: 'other', raw: 'eos' }, 'end_turn'],
    // The provider's own word, where it says more.
    [{ unified: 'stop', raw: 'stop_sequence' }, 'stop_sequence'],
    [{ unified: 'stop', raw: 'pause_turn' }, 'pause_turn'],
    [{ unified: 'other', raw: 'compaction' }, 'pause_turn'],
    [{ unified: 'content-filter', raw: 'refusal' }, 'refusal'],
    [{ unified: 'content-filter', raw: 'stop' }, 'refusal'],
    [{ unified: 'content-filter', raw: 'guardrail_intervened' }, 'guardrail_intervened'],
    [{ unified: 'length', raw: 'model_context_window_exceeded' }, 'context_window_exceeded'],
    [{ unified: 'other', raw: 'MAX_TOKENS' }, 'max_tokens'],
    // An older specification has the word alone.
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['content-filter', 'content_filtered'],
    ['other', 'end_turn'],
  ])('%o: %s', async (finishReason, stopReason) => {
    expect((await answerTo([...says('a'), ending(finishReason)])).message?.stopReason).toBe(stopReason)
  })

  it.each([
    [{ unified: 'stop', raw: 'stop' }, 'tool_use'],
    [{ unified: 'tool-calls', raw: undefined }, 'tool_use'],
    ['tool-calls', 'tool_use'],
  ])('after calls, %o: %s', async (finishReason, stopReason) => {
    expect((await answerTo([...calls('look', '{}', 'a'), ending(finishReason)])).message?.stopReason).toBe(stopReason)
  })

  it('is no call where none was made', async () => {
    expect((await answerTo([...says('a'), finish('tool-calls')])).message?.stopReason).toBe('end_turn')
  })

  it.each([
    [{ unified: 'error', raw: undefined }, '"error"'],
    [{ unified: 'error', raw: 'MALFORMED_FUNCTION_CALL' }, '"MALFORMED_FUNCTION_CALL"'],
    [{ unified: 'other', raw: 'insufficient_system_resource' }, '"insufficient_system_resource"'],
    ['error', '"error"'],
  ])('%o: an error, after what came and what it cost', async (finishReason, said) => {
    const { error, events, partialText } = await answerTo([...says('a'), ending(finishReason, { outputTokens: { total: 3 } })])
    expect([error, (error as OverloadedError).message]).toEqual([
      expect.any(OverloadedError),
      `${name}: the answer was broken off (finish reason ${said}).`,
    ])
    expect([partialText, events.at(-1)]).toEqual(['a', { type: 'metadata', usage: { outputTokens: 3 }, cumulative: true }])
  })

  it.each([
    [{ unified: 'interrupted', raw: undefined }, ' ("interrupted")'],
    [{ unified: 'other', raw: undefined }, ' ("other")'],
    ['unknown', ' ("unknown")'],
    [undefined, ''],
  ])('%o: the stream was cut', async (finishReason, said) => {
    const { error } = await answerTo([...says('a'), ending(finishReason)])
    expect([error, (error as IncompleteStreamError).message]).toEqual([
      expect.any(IncompleteStreamError),
      `${name}: the stream ended without a finish reason${said}.`,
    ])
  })

  it('nothing: the stream was cut, wherever', async () => {
    const parts = [...says('a'), ...calls('look', '{"at":1}', 'c')]
    for (let count = 0; count <= parts.length; count++) {
      const { message, error } = await answerTo(parts.slice(0, count))
      expect({ message, error }, `after ${count} parts`).toEqual({ message: undefined, error: expect.any(IncompleteStreamError) })
    }
  })
})

describe('what an answer cost', () => {
  const nothing = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
  it.each([
    [
      'all',
      { inputTokens: { total: 9, noCache: 4, cacheRead: 3, cacheWrite: 2 }, outputTokens: { total: 5, text: 4, reasoning: 1 } },
      [9, 5, 14, 3, 2, 1],
    ],
    [
      'without a total',
      { inputTokens: { noCache: 4, cacheRead: 3, cacheWrite: 2 }, outputTokens: { total: 5 } },
      [9, 5, 14, 3, 2, undefined],
    ],
    ['the output alone', { inputTokens: nothing, outputTokens: { total: 5 } }, [0, 5, 5, undefined, undefined, undefined]],
    [
      'in an older form',
      { inputTokens: 9, outputTokens: 5, totalTokens: 14, cachedInputTokens: 3, reasoningTokens: 1 },
      [9, 5, 14, 3, undefined, 1],
    ],
    [
      'in an older form, in part',
      { inputTokens: 9, outputTokens: undefined, totalTokens: NaN },
      [9, 0, 9, undefined, undefined, undefined],
    ],
  ])('is told: %s', async (_what, usage, [inputTokens, outputTokens, totalTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens]) => {
    const { message } = await answerTo([ending('stop', usage)])
    expect({ ...message?.usage }).toEqual({ inputTokens, outputTokens, totalTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens })
  })

  it.each([[undefined], [null], [{}], [{ inputTokens: null, outputTokens: nothing }]])('is not known: %o', async (usage) => {
    expect((await answerTo([ending('stop', usage)])).message?.usage).toBe(undefined)
  })
})
