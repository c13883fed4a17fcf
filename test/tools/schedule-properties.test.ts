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
/** Which of those that run ends next. */
const anyOrder = fc.array(fc.nat(100), { minLength: 12, maxLength: 12 })

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

type Watch = {
  readonly onStart: (call: ScheduledCall, running: ReadonlySet<string>, ended: ReadonlySet<string>) => void
  readonly onQuiet: (waiting: readonly ScheduledCall[], running: ReadonlySet<string>, ended: ReadonlySet<string>) => void
}

/** Runs all calls, ending them in any order, and shows each start and each quiet moment. */
async function watch(
  all: readonly ScheduledCall[],
  strategy: ToolStrategy,
  maxConcurrency: number,
  order: readonly number[],
  { onStart, onQuiet }: Watch,
): Promise<readonly string[]> {
  const running = new Set<string>()
  const ended = new Set<string>()
  const run = schedule(all, {
    strategy,
    maxConcurrency,
    onStart: (call) => {
      onStart(call, running, ended)
      running.add(call.id)
    },
  })
  for (let step = 0; running.size > 0; step++) {
    onQuiet(
      all.filter(({ id }) => !running.has(id) && !ended.has(id)),
      running,
      ended,
    )
    const id = [...running][order[step]! % running.size]!
    running.delete(id)
    ended.add(id)
    await run.end(id)
  }
  await run.done
  return run.started
}

const ignore = (): void => {}

describe('scheduled, whatever the calls, the cap and the order of their ends', () => {
  it('never starts a call beside or past one that it may not run beside or past', async () => {
    await fc.assert(
      fc.asyncProperty(anyCalls, anyCap, anyOrder, async (all, cap, order) => {
        await watch(all, scheduled, cap, order, {
          onStart: (call, running, ended) => {
            expect({ call: call.id, may: mayStart(call, all, running, ended) }).toEqual({ call: call.id, may: true })
            expect(running.size).toBeLessThan(cap)
          },
          onQuiet: ignore,
        })
      }),
    )
  })

  it('never lets a call wait that could run', async () => {
    await fc.assert(
      fc.asyncProperty(anyCalls, anyCap, anyOrder, async (all, cap, order) => {
        await watch(all, scheduled, cap, order, {
          onStart: ignore,
          onQuiet: (waiting, running, ended) => {
            if (running.size < cap) expect(waiting.filter((call) => mayStart(call, all, running, ended))).toEqual([])
          },
        })
      }),
    )
  })
})

describe.each([scheduled, concurrent, sequential])('$name', (strategy) => {
  it('starts every call once, within the cap', async () => {
    await fc.assert(
      fc.asyncProperty(anyCalls, anyCap, anyOrder, async (all, cap, order) => {
        const started = await watch(all, strategy, cap, order, {
          onStart: (_call, running) => void expect(running.size).toBeLessThan(cap),
          onQuiet: ignore,
        })
        expect([...started].sort()).toEqual(all.map(({ id }) => id).sort())
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
          void expect(await watch(all, sequential, cap, order, { onStart: ignore, onQuiet: ignore })).toEqual(all.map(({ id }) => id)),
      ),
    )
  })
})
