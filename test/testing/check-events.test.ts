import { beforeAll, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/agent/events.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { collect } from '../../src/testing/collect.ts'
import { fullRun } from '../support/full-run.ts'

let events: readonly AgentEvent[] = []
beforeAll(async () => {
  const { agent } = fullRun()
  ;({ events } = await collect(agent.stream('go')))
})

/** Those without which something has no beginning or no end. */
const isEdge = ({ type }: AgentEvent): boolean => /_start$|_end$|_error$/.test(type) || type === 'message_discarded' || type === 'retry'
const at = (type: AgentEvent['type'], n = 0): number =>
  events.map((event, index) => [event.type, index] as const).filter(([other]) => other === type)[n]![1]
const edit = (index: number, change: object): readonly AgentEvent[] =>
  events.map((event, i) => (i === index ? { ...event, ...change } : event))

describe('the events of a real run', () => {
  it('are without fault', () => {
    expect(checkEvents(events)).toEqual([])
  })

  it('none at all are a fault', () => {
    expect(checkEvents([])).toEqual(['there are no events'])
  })

  it('without any one start or end are at fault', () => {
    const unnoticed: string[] = []
    let dropped = 0
    for (let i = 0; i < events.length; i++) {
      if (!isEdge(events[i]!)) continue
      if (checkEvents(events.toSpliced(i, 1)).length === 0) unnoticed.push(`events[${i}] ${events[i]!.type}`)
      dropped++
    }
    expect(unnoticed).toEqual([])
    expect(dropped).toBeGreaterThan(40)
  })

  it('with any one start or end twice are at fault', () => {
    const unnoticed = events.flatMap((event, i) =>
      isEdge(event) && checkEvents(events.toSpliced(i, 0, event)).length === 0 ? [`events[${i}] ${event.type}`] : [],
    )
    expect(unnoticed).toEqual([])
  })

  it('cut off anywhere are at fault', () => {
    expect(events.flatMap((_event, count) => (checkEvents(events.slice(0, count)).length === 0 ? [count] : []))).toEqual([])
  })

  it('with any one start behind its end are at fault', () => {
    const unnoticed: string[] = []
    let moved = 0
    events.forEach((start, i) => {
      const end = endOf(start, i)
      if (end < 0) return
      if (checkEvents(events.toSpliced(end + 1, 0, start).toSpliced(i, 1)).length === 0)
        unnoticed.push(`events[${i}] ${start.type} behind events[${end}]`)
      moved++
    })
    expect(unnoticed).toEqual([])
    expect(moved).toBeGreaterThan(20)
  })
})

/** Where that ends which begins here. */
function endOf(start: AgentEvent, from: number): number {
  const { type } = start
  if (!type.endsWith('_start')) return -1
  const wanted =
    type === 'invocation_start' || type === 'turn_start'
      ? undefined
      : 'callId' in start
        ? start.callId
        : 'blockId' in start
          ? start.blockId
          : (start as { messageId: string }).messageId
  const idOf = (event: AgentEvent): string | undefined =>
    'callId' in event
      ? event.callId
      : 'blockId' in event
        ? event.blockId
        : event.type === 'message_end'
          ? event.message.id
          : 'messageId' in event
            ? event.messageId
            : undefined
  const ends = type === 'message_start' ? ['message_end', 'message_discarded'] : [type.replace('_start', '_end')]
  return events.findIndex((event, index) => index > from && ends.includes(event.type) && (wanted === undefined || idOf(event) === wanted))
}

describe('what is wrong is named', () => {
  it.each<[string, () => readonly AgentEvent[], RegExp]>([
    [
      'an event of another invocation',
      () => edit(3, { invocationId: 'inv_9' }),
      /^events\[3\] \w+: belongs to the invocation inv_9, not to inv_1\.$/,
    ],
    ['an event of another turn', () => edit(at('text_delta'), { turn: 9 }), /text_delta: says that it is of turn 9, in turn 1\.$/],
    ['a turn that is left out', () => edit(at('turn_start', 1), { turn: 3 }), /turn_start: is turn 3 after turn 1\.$/],
    [
      'a delta of a block that is not open',
      () => edit(at('text_delta'), { blockId: 'msg_9:0' }),
      /text_delta: is for the text block msg_9:0, which is not open\.$/,
    ],
    [
      'a delta of another kind',
      () => edit(at('reasoning_delta'), { type: 'text_delta' }),
      /text_delta: is for the text block \S+, which is a reasoning block\.$/,
    ],
    [
      'a delta of another message',
      () => edit(at('text_delta'), { messageId: 'msg_9' }),
      /text_delta: belongs to the message msg_9, open is msg_2\.$/,
    ],
    [
      'a message id that comes again',
      () => edit(at('message_start', 1), { messageId: 'msg_2' }),
      /message_start: starts the message msg_2 a second time\.$/,
    ],
    ['an attempt that is left out', () => edit(at('message_start', 2), { attempt: 3 }), /message_start: is attempt 3 after attempt 1\.$/],
    [
      'a first attempt that is none',
      () => edit(at('message_start', 0), { attempt: 2 }),
      /message_start: is attempt 2, and no retry was announced\.$/,
    ],
    ['a retry that counts wrong', () => edit(at('retry'), { attempt: 5 }), /retry: announces attempt 5 after attempt 1\.$/],
    [
      'progress of a call that is not running',
      () => edit(at('tool_progress'), { callId: 'call_9' }),
      /tool_progress: tells of the call call_9, which is not running\.$/,
    ],
    [
      'an end of a call that is not running',
      () => edit(at('tool_end'), { callId: 'call_9' }),
      /tool_end: ends the call call_9, which is not running\.$/,
    ],
    [
      'the result of another call',
      () =>
        edit(at('tool_end'), { result: { ...(events[at('tool_end')] as AgentEvent & { type: 'tool_end' }).result, toolUseId: 'call_9' } }),
      /tool_end: has the result of another call, call_9\.$/,
    ],
    [
      'a call that runs twice',
      () => edit(at('tool_start', 1), { callId: 'call_1' }),
      /tool_start: starts the run of call_1 a second time\.$/,
    ],
    [
      'a resume inside a turn',
      () => events.toSpliced(at('message_start') + 1, 0, events[at('resume')]!),
      /resume: stands inside a turn\.$/,
    ],
    ['something behind the end', () => [...events, events[1]!], /invocation_end: is not the last event\.$/],
    ['something before the start', () => [events[1]!, ...events], /is the first event, expected invocation_start\.$/],
  ])('%s', (_what, make, fault) => {
    const faults = checkEvents(make())
    expect(faults.filter((line) => fault.test(line))).not.toEqual([])
  })
})

describe('what a turn and an agent below it may not do', () => {
  const base = { invocationId: 'inv_1', turn: 1 }
  const begins = [
    { type: 'invocation_start', invocationId: 'inv_1', turn: 0 },
    { type: 'turn_start', ...base },
  ] as AgentEvent[]
  const asks = (messageId: string): AgentEvent[] => [
    { type: 'message_start', ...base, messageId, model: 'm', attempt: 1 },
    { type: 'message_discarded', ...base, messageId, reason: 'fallback' },
  ]
  const switches: AgentEvent = { type: 'model_switch', ...base, from: 'm', to: 'n', code: 'overloaded' }
  const fails = [
    { type: 'turn_end', ...base },
    { type: 'invocation_error', ...base, error: {} },
  ] as AgentEvent[]

  it('the model is asked again without a word', () => {
    expect(checkEvents([...begins, ...asks('a'), switches, ...asks('b'), ...fails])).toEqual([])
    expect(checkEvents([...begins, ...asks('a'), ...asks('b'), ...fails])).toEqual([
      'events[4] message_start: asks the model again in this turn, and neither a retry nor a model_switch was announced.',
    ])
  })

  it('another model takes over a message that is open', () => {
    const [start, discard] = asks('a') as [AgentEvent, AgentEvent]
    expect(checkEvents([...begins, start, switches, discard, ...fails])).toEqual([
      'events[3] model_switch: comes before the message a was discarded.',
    ])
  })

  const tool: AgentEvent = { type: 'tool_start', ...base, callId: 'call_1', name: 'scout', input: {}, early: false }
  const ends = {
    type: 'tool_end',
    ...base,
    callId: 'call_1',
    name: 'scout',
    result: { type: 'tool_result', toolUseId: 'call_1', status: 'success', content: [] },
    durationMs: 0,
    discarded: false,
  } as AgentEvent
  const below = (event: object): AgentEvent =>
    ({ type: 'agent_event', ...base, path: ['call_1'], event: { invocationId: 'inv_2', turn: 0, ...event } }) as unknown as AgentEvent
  const started = below({ type: 'invocation_start' })
  const failed = below({ type: 'invocation_error', error: {} })

  it.each<[what: string, events: readonly AgentEvent[], faults: readonly string[]]>([
    ['nothing wrong', [tool, started, failed, ends], []],
    ['nothing wrong, run twice', [tool, started, failed, started, failed, ends], []],
    ['nothing wrong, given up', [tool, started, ends], []],
    ['an agent whose call does not run', [started], ['events[2] agent_event: tells of the call call_1, which is not running.']],
    [
      'an agent that does not begin',
      [tool, failed, ends],
      ['events[3] invocation_error: (of the agent below call_1) is the first event, expected invocation_start.'],
    ],
    [
      'an agent that goes on behind its end',
      [tool, started, failed, below({ type: 'warning', code: 'x', message: 'x' }), ends],
      ['events[5] warning: (of the agent below call_1) comes behind the end of its run.'],
    ],
    [
      'a fault inside',
      [tool, started, below({ type: 'turn_end' }), failed, ends],
      ['events[4] turn_end: (of the agent below call_1) ends a turn that has not begun.'],
    ],
  ])('%s', (_what, inside, faults) => {
    expect(checkEvents([...begins, ...inside, ...fails])).toEqual(faults)
  })
})
