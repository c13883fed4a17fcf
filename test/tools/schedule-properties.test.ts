import { fc } from '../support/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { concurrent, scheduled, sequential } from '../../src/tools/strategies.ts'
import type { ScheduledCall, ToolStrategy } from '../../src/tools/strategies.ts'
import { calls, schedule } from '../support/schedule.ts'

const anyFlags = fc.record({ safe: fc.constantFrom<boolean | string>(true, true, false, 'x', 'y'), readOnly: fc.boolean() })
const anyCalls = fc
  .array(anyFlags, { maxLength: 12 })
  .map((flags) => calls(...flags.map(({ safe }) => safe)).map((call, index) => ({ ...call, readOnly: flags[index]!.readOnly })))
const anyCap = fc.integer({ min: 1, max: 4 })
/** Which of those that run ends next, or of which it becomes known what it is. */
const anyOrder = fc.array(fc.nat(100), { minLength: 24, maxLength: 24 })
/** Of which it is not known at first: those go in as calls that must run alone. */
const anyLate = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 })
const none: readonly boolean[] = []

/** One looks at everything, the other changes what has its key: what is read is what the calls before it left. */
const readsWhatTheOtherWrites = (one: ScheduledCall, other: ScheduledCall): boolean =>
  one.safe === true && one.readOnly && typeof other.safe === 'string' && !other.readOnly

/** May the call start beside `running`, when `ended` have ended? Said here once more, in the words of the contract. */
function mayStart(call: ScheduledCall, all: readonly ScheduledCall[], running: ReadonlySet<string>, ended: ReadonlySet<string>): boolean {
  const before = all.filter(({ index }) => index < call.index)
  const isOver = ({ id }: ScheduledCall): boolean => ended.has(id)
  if (call.safe === false) return running.size === 0 && before.every(isOver)
  if (all.some(({ id, safe }) => safe === false && running.has(id))) return false
  return before.every(
    (other) =>
      isOver(other) ||
      (other.safe !== false &&
        (other.safe === true || other.safe !== call.safe) &&
        !readsWhatTheOtherWrites(call, other) &&
        !readsWhatTheOtherWrites(other, call)),
  )
}

type Moment = {
  /** All calls as they are known to be. */
  readonly all: readonly ScheduledCall[]
  readonly running: ReadonlySet<string>
  readonly ended: ReadonlySet<string>
}
type Watch = {
  readonly onStart: (call: ScheduledCall, moment: Moment) => void
  readonly onQuiet: (waiting: readonly ScheduledCall[], moment: Moment) => void
}
type Course = {
  readonly strategy: ToolStrategy
  readonly maxConcurrency: number
  readonly order: readonly number[]
  readonly late?: readonly boolean[]
}

/** Runs all calls, ending them in any order, and shows each start and each quiet moment. */
async function watch(
  calls: readonly ScheduledCall[],
  { strategy, maxConcurrency, order, late = none }: Course,
  { onStart, onQuiet }: Watch,
): Promise<readonly string[]> {
  const running = new Set<string>()
  const ended = new Set<string>()
  const isOver = ({ id }: ScheduledCall): boolean => running.has(id) || ended.has(id)
  const all = calls.map((call, at) => (late[at] ? { ...call, safe: false, readOnly: false } : call))
  const unknown = new Set(all.filter((_, at) => late[at]))
  const moment: Moment = { all, running, ended }
  const run = schedule([...all], {
    strategy,
    maxConcurrency,
    onStart: (call) => {
      onStart(call, moment)
      running.add(call.id)
    },
  })
  for (let step = 0; running.size > 0; step++) {
    onQuiet(
      all.filter((call) => !isOver(call)),
      moment,
    )
    const next = [...running, ...unknown][order[step]! % (running.size + unknown.size)]!
    if (typeof next === 'string') {
      running.delete(next)
      ended.add(next)
      await run.end(next)
    } else {
      // One that has begun was the careful one when it did, and is.
      unknown.delete(next)
      if (!isOver(next)) all[next.index] = calls[next.index]!
      await run.revise(next, calls[next.index]!)
    }
  }
  await run.done
  return run.started
}

const ignore = (): void => {}

describe('scheduled, whatever the calls, the cap and the order of their ends', () => {
  it('never starts a call beside or past one that it may not run beside or past', async () => {
    await fc.assert(
      fc.asyncProperty(anyCalls, anyCap, anyOrder, anyLate, async (calls, maxConcurrency, order, late) => {
        await watch(
          calls,
          { strategy: scheduled, maxConcurrency, order, late },
          {
            onStart: (call, { all, running, ended }) => {
              expect(call).toEqual(all[call.index])
              expect({ call: call.id, may: mayStart(call, all, running, ended) }).toEqual({ call: call.id, may: true })
              expect(running.size).toBeLessThan(maxConcurrency)
            },
            onQuiet: ignore,
          },
        )
      }),
    )
  })

  it('never lets a call wait that could run', async () => {
    await fc.assert(
      fc.asyncProperty(anyCalls, anyCap, anyOrder, anyLate, async (calls, maxConcurrency, order, late) => {
        await watch(
          calls,
          { strategy: scheduled, maxConcurrency, order, late },
          {
            onStart: ignore,
            onQuiet: (waiting, { all, running, ended }) => {
              if (running.size < maxConcurrency) expect(waiting.filter((call) => mayStart(call, all, running, ended))).toEqual([])
            },
          },
        )
      }),
    )
  })
})

describe.each([scheduled, concurrent, sequential])('$name', (strategy) => {
  it('starts every call once, within the cap', async () => {
    await fc.assert(
      fc.asyncProperty(anyCalls, anyCap, anyOrder, anyLate, async (calls, maxConcurrency, order, late) => {
        const started = await watch(
          calls,
          { strategy, maxConcurrency, order, late },
          { onStart: (_call, { running }) => void expect(running.size).toBeLessThan(maxConcurrency), onQuiet: ignore },
        )
        expect([...started].sort()).toEqual(calls.map(({ id }) => id).sort())
      }),
    )
  })
})

describe('sequential', () => {
  it('starts the calls in their order', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyCalls,
        anyCap,
        anyOrder,
        async (all, cap, order) =>
          void expect(await watch(all, { strategy: sequential, maxConcurrency: cap, order }, { onStart: ignore, onQuiet: ignore })).toEqual(
            all.map(({ id }) => id),
          ),
      ),
    )
  })
})
