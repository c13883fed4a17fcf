import { describe, expect, it } from 'vitest'
import { correctedStopReason } from '../../../src/models/corrected-stop-reason.ts'
import type { ModelEvent } from '../../../src/models/model-events.ts'
import type { ModelStopReason } from '../../../src/messages/stop-reason.ts'
import { assemble, assembler, calling, delta, end, input, said, start, stop, thought } from '../../support/assemble.ts'

const usage = (report: object, cumulative?: boolean): ModelEvent => ({ type: 'metadata', usage: report, ...(cumulative && { cumulative }) })

describe('usage', () => {
  it.each<[string, readonly ModelEvent[], unknown]>([
    ['none: none', [], undefined],
    ['metadata without usage: none', [{ type: 'metadata' }], undefined],
    [
      'reports add up',
      [usage({ inputTokens: 10, outputTokens: 1 }), usage({ outputTokens: 2, reasoningTokens: 1 })],
      { inputTokens: 10, outputTokens: 3, totalTokens: 13, reasoningTokens: 1 },
    ],
    [
      'running totals take the place of the last, part by part',
      [
        usage({ inputTokens: 10, outputTokens: 1, cacheReadTokens: 4 }, true),
        usage({ outputTokens: 5 }, true),
        usage({ outputTokens: 9, cacheWriteTokens: 2 }, true),
      ],
      { inputTokens: 10, outputTokens: 9, totalTokens: 19, cacheReadTokens: 4, cacheWriteTokens: 2 },
    ],
  ])('%s', async (_what, events, expected) => expect((await assemble([...events, end()])).usage).toEqual(expected))
})

describe('the model', () => {
  it('is what the provider says it is', async () => {
    expect((await assemble([{ type: 'message_start', model: 'm-2026' }, end()])).model).toBe('m-2026')
    expect((await assemble([{ type: 'message_start' }, end()])).model).toBeUndefined()
  })
})

describe('the time to the first token', () => {
  const timed = (events: readonly (ModelEvent | number)[]) => {
    let time = 1000
    const machine = assembler({ now: () => time })
    for (const event of events) typeof event === 'number' ? (time += event) : void machine.push(event)
    return machine.finish().then(({ timeToFirstTokenMs }) => timeToFirstTokenMs)
  }

  it.each<[string, readonly (ModelEvent | number)[], number | undefined]>([
    ['runs from the request to the first piece', [5, { type: 'message_start' }, 20, said(0, 'a'), 100, said(0, 'b'), end()], 25],
    ['counts a thought', [7, thought(0, 'a'), 9, said(1, 'b'), end()], 7],
    ['counts a call with a name', [7, calling(0, 'add'), 9, input(0, '{}'), end()], 7],
    ['is unknown when nothing was said', [7, usage({ outputTokens: 0 }), end()], undefined],
  ])('%s', async (_what, events, expected) => expect(await timed(events)).toBe(expected))
})

describe('the stop reason', () => {
  const all: readonly ModelStopReason[] = [
    'end_turn',
    'tool_use',
    'max_tokens',
    'stop_sequence',
    'content_filtered',
    'guardrail_intervened',
    'refusal',
    'pause_turn',
    'context_window_exceeded',
  ]
  const corrected: Record<'with calls' | 'without calls', Partial<Record<ModelStopReason, ModelStopReason>>> = {
    'with calls': { end_turn: 'tool_use', pause_turn: 'tool_use' },
    'without calls': { tool_use: 'end_turn' },
  }

  it.each(all.flatMap((reason) => [[reason, 'with calls'] as const, [reason, 'without calls'] as const]))('%s %s', async (reason, what) => {
    const content = what === 'with calls' ? [calling(0, 'add'), stop(0)] : [said(0, 'a')]
    const message = await assemble([...content, end(reason)])
    expect(message.stopReason).toBe(corrected[what][reason] ?? reason)
    expect(correctedStopReason(reason, message.content)).toBe(message.stopReason)
  })

  it('is not moved by what the provider ran itself', async () => {
    expect(
      (await assemble([start(0, { type: 'server_tool_use', id: 's', name: 'web', input: {} }), stop(0), end('end_turn')])).stopReason,
    ).toBe('end_turn')
  })
})

describe('a redaction', () => {
  it('of the output stands for all that the model said', async () => {
    const message = await assemble([
      said(0, 'secret'),
      calling(1, 'add'),
      { type: 'redaction', target: 'output', replacement: '[removed]' },
      end('tool_use'),
    ])
    expect([message.content, message.stopReason, message.redactions]).toEqual([
      [{ type: 'text', text: '[removed]' }],
      'end_turn',
      [{ target: 'output', replacement: '[removed]' }],
    ])
  })

  it('of the input leaves the output alone, and is told', async () => {
    const message = await assemble([
      said(0, 'a'),
      delta(0, { type: 'text', text: 'b' }),
      { type: 'redaction', target: 'input', replacement: '[removed]' },
      end('guardrail_intervened'),
    ])
    expect([message.content, message.stopReason, message.redactions]).toEqual([
      [{ type: 'text', text: 'ab' }],
      'guardrail_intervened',
      [{ target: 'input', replacement: '[removed]' }],
    ])
  })
})
