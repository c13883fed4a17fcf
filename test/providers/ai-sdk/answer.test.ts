import { describe, expect, it } from 'vitest'
import { ModelError } from '../../../src/errors.ts'
import { answerTo, name, own } from './support/ask.ts'
import type { Part } from './support/scripted.ts'
import { calls, finish, says } from './support/scripted.ts'

const contentOf = async (...parts: readonly Part[]): Promise<unknown> => {
  const { message, error } = await answerTo([...parts, finish()])
  if (!message) throw error
  return message.content
}

describe('an answer', () => {
  it('comes to these events', async () => {
    const { events, message } = await answerTo([
      { type: 'stream-start', warnings: [{ type: 'other', message: 'ignored' }] },
      { type: 'response-metadata', id: 'r1', modelId: 'm-1-0709', timestamp: new Date(0) },
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: 'SIG' } } },
      ...says('Hi.'),
      { type: 'ping' },
      ...calls('look', '{"at":1}', 'c1'),
      {
        type: 'finish',
        finishReason: { unified: 'tool-calls', raw: 'tool_use' },
        usage: {
          inputTokens: { total: 10, noCache: 3, cacheRead: 5, cacheWrite: 2 },
          outputTokens: { total: 7, text: 4, reasoning: 3 },
        },
        providerMetadata: { anthropic: { tier: 'standard' } },
      },
    ])
    const usage = { inputTokens: 10, outputTokens: 7, cacheReadTokens: 5, cacheWriteTokens: 2, reasoningTokens: 3 }
    expect(events).toEqual([
      { type: 'message_start', model: 'm-1-0709', responseId: 'r1' },
      { type: 'block_start', index: 0, block: { type: 'reasoning' } },
      { type: 'block_delta', index: 0, delta: { type: 'reasoning', text: 'hm' } },
      { type: 'block_delta', index: 0, delta: { type: 'provider', data: { metadata: { anthropic: { signature: 'SIG' } } } } },
      { type: 'block_stop', index: 0 },
      { type: 'block_start', index: 1, block: { type: 'text' } },
      { type: 'block_delta', index: 1, delta: { type: 'text', text: 'Hi.' } },
      { type: 'block_stop', index: 1 },
      { type: 'block_start', index: 2, block: { type: 'tool_use', id: 'c1', name: 'look' } },
      { type: 'block_delta', index: 2, delta: { type: 'tool_input', text: '{"at' } },
      { type: 'block_delta', index: 2, delta: { type: 'tool_input', text: '":1}' } },
      { type: 'block_stop', index: 2 },
      { type: 'metadata', usage, cumulative: true, provider: { anthropic: { tier: 'standard' } } },
      { type: 'message_stop', stopReason: 'tool_use' },
    ])
    expect(message).toEqual({
      content: [
        { type: 'reasoning', text: 'hm', ...own({ metadata: { anthropic: { signature: 'SIG' } } }) },
        { type: 'text', text: 'Hi.' },
        { type: 'tool_use', id: expect.any(String), name: 'look', input: { at: 1 }, ...own({ id: 'c1' }) },
      ],
      stopReason: 'tool_use',
      usage: { ...usage, totalTokens: 17 },
      model: 'm-1-0709',
      timeToFirstTokenMs: 0,
      redactions: [],
    })
  })

  it('begins also where the model does not say so', async () => {
    const { events } = await answerTo([{ type: 'text-delta', id: '0', delta: 'Hi.' }, finish()])
    expect(events.map(({ type }) => type)).toEqual(['message_start', 'block_start', 'block_delta', 'block_stop', 'message_stop'])
  })

  it('is told in raw chunks before what was made of them, to who asks', async () => {
    const warnings = [{ type: 'unsupported', feature: 'topK' }] as const
    const parts: readonly Part[] = [
      { type: 'stream-start', warnings: [...warnings] },
      { type: 'raw', rawValue: { at: new Date(0), n: 1n === 1n, gone: undefined } },
      ...says('Hi.'),
      { type: 'raw', rawValue: undefined },
      { type: 'stream-start', warnings: [] },
      finish(),
    ]
    const { events } = await answerTo(parts, { raw: true })
    expect(events.filter(({ type }) => !type.startsWith('block'))).toEqual([
      { type: 'raw', chunk: { type: 'stream-start', warnings } },
      { type: 'raw', chunk: { at: '1970-01-01T00:00:00.000Z', n: true } },
      { type: 'message_start' },
      { type: 'raw', chunk: null },
      { type: 'message_stop', stopReason: 'end_turn' },
    ])
    expect((await answerTo(parts)).events.some(({ type }) => type === 'raw')).toBe(false)
  })

  it('may be nothing at all', async () => {
    const { message } = await answerTo([{ type: 'stream-start', warnings: [] }, finish()])
    expect([message?.content, message?.usage, message?.stopReason]).toEqual([[], undefined, 'end_turn'])
  })
})

describe('texts', () => {
  it('may lack their start and their end', async () => {
    expect(await contentOf({ type: 'text-delta', id: '0', delta: 'a' }, { type: 'reasoning-delta', id: '0', delta: 'b' })).toEqual([
      { type: 'text', text: 'a' },
      { type: 'reasoning', text: 'b', ...own() },
    ])
    expect(await contentOf(...says('a').slice(0, 2), ...says('b'))).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ])
  })

  it('may come at the same time, and have one id one after the other', async () => {
    expect(
      await contentOf(
        { type: 'text-start', id: 'a' },
        { type: 'text-start', id: 'b' },
        { type: 'text-delta', id: 'a', delta: '1' },
        { type: 'text-delta', id: 'b', delta: 'x' },
        { type: 'text-delta', id: 'a', delta: '2' },
        { type: 'text-end', id: 'a' },
        { type: 'text-delta', id: 'b', delta: 'y' },
        { type: 'text-end', id: 'b' },
        ...says('z', 'a'),
      ),
    ).toEqual([
      { type: 'text', text: '12' },
      { type: 'text', text: 'xy' },
      { type: 'text', text: 'z' },
    ])
  })

  it('that say nothing are none', async () => {
    expect(await contentOf(...says(''), { type: 'reasoning-start', id: 'r' }, { type: 'reasoning-end', id: 'r' })).toEqual([])
  })

  it('keep what the provider says of them, the later word on top', async () => {
    expect(
      await contentOf(
        { type: 'text-start', id: '0', providerMetadata: { openai: { itemId: 'i', phase: null } } },
        { type: 'text-delta', id: '0', delta: 'a', providerMetadata: { google: { thoughtSignature: 'T' } } },
        { type: 'text-end', id: '0', providerMetadata: { openai: { phase: 'final' }, google: {}, empty: {} } },
      ),
    ).toEqual([
      { type: 'text', text: 'a', ...own({ metadata: { openai: { itemId: 'i', phase: 'final' }, google: { thoughtSignature: 'T' } } }) },
    ])
  })

  it('of thought may be a signature alone', async () => {
    expect(
      await contentOf(
        { type: 'reasoning-start', id: '0' },
        { type: 'reasoning-delta', id: '0', delta: '', providerMetadata: { anthropic: { signature: 'SIG' } } },
        { type: 'reasoning-end', id: '0' },
        { type: 'reasoning-start', id: '1', providerMetadata: { anthropic: { redactedData: 'DATA' } } },
        { type: 'reasoning-end', id: '1' },
      ),
    ).toEqual([
      { type: 'reasoning', text: '', ...own({ metadata: { anthropic: { signature: 'SIG' } } }) },
      { type: 'reasoning', text: '', ...own({ metadata: { anthropic: { redactedData: 'DATA' } } }) },
    ])
  })
})

describe('sources', () => {
  const source = (n: number): Part => ({ type: 'source', sourceType: 'url', id: `s${n}`, url: `https://x.test/${n}`, title: `t${n}` })
  const citation = (n: number): object => ({ title: `t${n}`, url: `https://x.test/${n}` })

  it('belong to the text that is open, or has just ended, or begins next', async () => {
    expect(
      await contentOf(
        source(1),
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: 'a' },
        source(2),
        { type: 'text-end', id: '0' },
        source(3),
        ...calls('look', '{}', 'c1'),
        source(4),
        ...says('b'),
      ),
    ).toEqual([
      { type: 'text', text: 'a', citations: [citation(1), citation(2), citation(3)] },
      { type: 'tool_use', id: expect.any(String), name: 'look', input: {}, ...own({ id: 'c1' }) },
      { type: 'text', text: 'b', citations: [citation(4)] },
    ])
  })

  it('have a text of their own where there is none', async () => {
    expect(await contentOf(...says('a'), ...calls('look', '{}', 'c1'), source(1))).toEqual([
      { type: 'text', text: 'a' },
      expect.objectContaining({ type: 'tool_use' }),
      { type: 'text', text: '', citations: [citation(1)] },
    ])
  })

  it('may be documents, and say which words they support', async () => {
    const providerMetadata = { anthropic: { startPageNumber: 2 } }
    const paper = {
      type: 'source',
      sourceType: 'document',
      id: 's',
      mediaType: 'application/pdf',
      title: 'Paper',
      providerMetadata,
    } as const
    expect(
      await contentOf(
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: 'a' },
        paper,
        { type: 'source', sourceType: 'document', id: 's', mediaType: 'text/plain', filename: 'a.txt' },
        { type: 'text-end', id: '0', citations: [{ source: paper, startIndex: 0, endIndex: 1, citedText: 'quoted' }] },
      ),
    ).toEqual([
      {
        type: 'text',
        text: 'a',
        citations: [
          { title: 'Paper', ...own({ metadata: providerMetadata }) },
          { title: 'a.txt' },
          { title: 'Paper', quote: 'quoted', start: 0, end: 1, ...own({ metadata: providerMetadata }) },
        ],
      },
    ])
  })
})

describe('files', () => {
  const png = { type: 'image', mediaType: 'image/png' } as const
  const file = (data: unknown, mediaType = 'image/png'): Part => ({ type: 'file', mediaType, data })

  it('are pictures or documents, in the forms of both specifications', async () => {
    const bytes = new TextEncoder().encode('hi')
    const base64 = { type: 'base64', data: 'aGk=' }
    expect(
      await contentOf(
        file('aGk='),
        file(bytes),
        file({ type: 'data', data: 'aGk=' }),
        file({ type: 'data', data: bytes }),
        file({ type: 'url', url: new URL('https://x.test/a.png') }),
        file({ type: 'url', url: new URL('gs://b/A.png'), originalUrl: 'gs://B/A.png' }),
        { ...file('aGk=', 'text/csv'), providerMetadata: { openai: { containerId: 'c' } } },
      ),
    ).toEqual([
      ...[1, 2, 3, 4].map(() => ({ ...png, source: base64, ...own() })),
      { ...png, source: { type: 'url', url: 'https://x.test/a.png' }, ...own() },
      { ...png, source: { type: 'url', url: 'gs://B/A.png' }, ...own() },
      { type: 'document', mediaType: 'text/csv', source: base64, ...own({ metadata: { openai: { containerId: 'c' } } }) },
    ])
  })
})

describe('what has no name with us', () => {
  it('is kept for the provider', async () => {
    const kept = (part: object): object => ({ type: 'server_tool_result', toolUseId: '', content: null, provider: { [name]: { part } } })
    expect(
      await contentOf(
        { type: 'custom', kind: 'openai.compaction', providerMetadata: { openai: { itemId: 'i' } } },
        { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } },
      ),
    ).toEqual([
      kept({ type: 'custom', kind: 'openai.compaction', metadata: { openai: { itemId: 'i' } } }),
      kept({ type: 'reasoning-file', mediaType: 'image/png', source: { type: 'base64', data: 'aGk=' } }),
    ])
  })

  it('is passed over where it is no part, or one of a later specification', async () => {
    const odd = [null, 'text', { type: 'text-shimmer', id: '0', delta: 'x' }] as unknown as readonly Part[]
    expect(await contentOf(...odd, ...says('a'))).toEqual([{ type: 'text', text: 'a' }])
  })

  it('is an error where the provider waits for an answer to it', async () => {
    const { error } = await answerTo([{ type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' }, finish()])
    expect(error).toBeInstanceOf(ModelError)
    expect([(error as ModelError).message, (error as ModelError).retryable]).toEqual([
      `${name}: the provider asks for an approval of a tool that it runs itself, which cannot be passed on. Set up that tool so that it needs none.`,
      false,
    ])
  })
})
