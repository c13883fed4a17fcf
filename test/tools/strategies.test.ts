import { describe, expect, it } from 'vitest'
import { concurrent, scheduled, sequential } from '../../src/tools/strategies.ts'
import type { ScheduledCall, ToolStrategy } from '../../src/tools/strategies.ts'
import { calls, idsOf } from '../support/schedule.ts'

type View = {
  readonly waiting: readonly ScheduledCall[]
  readonly running?: readonly ScheduledCall[]
  readonly sealed?: boolean
  readonly maxConcurrency?: number
}
const next = (strategy: ToolStrategy, { waiting, running = [], sealed = true, maxConcurrency = 10 }: View) =>
  idsOf(strategy.next({ waiting, running, sealed, maxConcurrency }))

const [a, b, c, d] = calls(true, true, true, true) as [ScheduledCall, ScheduledCall, ScheduledCall, ScheduledCall]
const unsafe = (call: ScheduledCall): ScheduledCall => ({ ...call, safe: false, readOnly: false })
const keyed = (call: ScheduledCall, key: string): ScheduledCall => ({ ...call, safe: key })
const writing = (call: ScheduledCall): ScheduledCall => ({ ...call, readOnly: false })

describe('scheduled starts', () => {
  it.each<[string, View, readonly string[]]>([
    ['nothing of nothing', { waiting: [] }, []],
    ['all safe neighbours', { waiting: [a, b, c] }, ['c0', 'c1', 'c2']],
    ['safe ones up to an unsafe one', { waiting: [a, b, unsafe(c), d] }, ['c0', 'c1']],
    ['an unsafe one alone', { waiting: [unsafe(a), b] }, ['c0']],
    ['no unsafe one beside another', { waiting: [unsafe(b)], running: [a] }, []],
    ['nothing beside an unsafe one', { waiting: [b, c], running: [unsafe(a)] }, []],
    ['no more than the cap', { waiting: [b, c, d], running: [a], maxConcurrency: 3 }, ['c1', 'c2']],
    ['nothing when the cap is reached', { waiting: [b], running: [a], maxConcurrency: 1 }, []],
    ['different keys together, one key one by one', { waiting: [keyed(a, 'x'), keyed(b, 'y'), keyed(c, 'x'), d] }, ['c0', 'c1', 'c3']],
    ['no key that is at work', { waiting: [keyed(b, 'x'), keyed(c, 'y')], running: [keyed(a, 'x')] }, ['c2']],
    ['an empty key like any other', { waiting: [keyed(a, ''), keyed(b, ''), c] }, ['c0', 'c2']],
    ['a safe writer', { waiting: [writing(a), b] }, ['c0', 'c1']],
    [
      'no read past a keyed write before it, nor a write past that',
      { waiting: [writing(keyed(a, 'x')), b, writing(keyed(c, 'y'))] },
      ['c0'],
    ],
    ['no read beside a keyed write that runs', { waiting: [b, writing(c)], running: [writing(keyed(a, 'x'))] }, ['c2']],
    ['no keyed write past a read before it', { waiting: [writing(keyed(b, 'x'))], running: [a] }, []],
    ['keyed reads past a keyed write of another key', { waiting: [keyed(b, 'y')], running: [writing(keyed(a, 'x'))] }, ['c1']],
    ['early, only what observes', { waiting: [a, writing(b), keyed(c, 'x')], sealed: false }, ['c0', 'c2']],
    ['early, nothing behind an unsafe one', { waiting: [a, unsafe(b), c], sealed: false }, ['c0']],
    ['early, no unsafe one', { waiting: [unsafe(a)], sealed: false }, []],
    ['early, no call past a writer of its key', { waiting: [writing(keyed(a, 'x')), keyed(b, 'x')], sealed: false }, []],
  ])('%s', (_what, view, started) => expect(next(scheduled, view)).toEqual(started))
})

describe('concurrent starts', () => {
  it.each<[string, View, readonly string[]]>([
    ['all at once, whatever their flags', { waiting: [a, unsafe(b), keyed(c, 'x'), keyed(d, 'x')] }, ['c0', 'c1', 'c2', 'c3']],
    ['as many as the cap allows', { waiting: [b, c, d], running: [a], maxConcurrency: 2 }, ['c1']],
    ['nothing above the cap', { waiting: [c], running: [a, b], maxConcurrency: 1 }, []],
    ['nothing early', { waiting: [a], sealed: false }, []],
  ])('%s', (_what, view, started) => expect(next(concurrent, view)).toEqual(started))
})

describe('sequential starts', () => {
  it.each<[string, View, readonly string[]]>([
    ['the first', { waiting: [a, b] }, ['c0']],
    ['nothing beside another', { waiting: [b], running: [a] }, []],
    ['nothing early', { waiting: [a], sealed: false }, []],
    ['nothing of nothing', { waiting: [] }, []],
  ])('%s', (_what, view, started) => expect(next(sequential, view)).toEqual(started))
})

describe('the strategies', () => {
  it('say what they are', () => {
    expect([scheduled, concurrent, sequential].map(({ name, early }) => ({ name, early }))).toEqual([
      { name: 'scheduled', early: true },
      { name: 'concurrent', early: false },
      { name: 'sequential', early: false },
    ])
  })
})
