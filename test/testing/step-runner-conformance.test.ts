import { expect, it } from 'vitest'
import { stepRunnerConformance } from 'lena-agent/testing'
import type { Step, StepRunner } from '../../src/tools/steps.ts'
import { directSteps } from '../../src/tools/steps.ts'
import type { JsonValue } from '../../src/util/json.ts'

type Flaws = {
  readonly forgets?: boolean
  readonly keeps?: boolean
  readonly trusts?: boolean
  readonly cuts?: boolean
  readonly sequential?: boolean
  readonly renames?: boolean
  /** What it makes of what a step resolves to. */
  readonly gives?: (value: JsonValue) => JsonValue
  /** Takes one step at a time, and does not say so. */
  readonly queues?: boolean
  /** What it tells of a record, or of none, without running the step. */
  readonly tells?: (record: { readonly value: JsonValue } | undefined) => unknown
}

/** An engine in memory, with flaws. */
function engine(
  flaws: Flaws,
  records = new Map<string, { readonly key: string; readonly text: string }>(),
): StepRunner & { records: typeof records } {
  let last: Promise<unknown> = Promise.resolve()
  return {
    records,
    concurrency: flaws.sequential ? 'none' : 'start_order',
    conversationId: flaws.renames ? `conv_${records.size}` : 'conv_1',
    ...(flaws.tells && {
      recorded: async ({ name }: Step) => {
        const known = records.get(name)
        return flaws.tells!(known && { value: JSON.parse(known.text) as JsonValue }) as undefined
      },
    }),
    async run<T extends JsonValue>(step: Step, fn: () => Promise<T>): Promise<T> {
      const known = records.get(step.name)
      if (known && known.key !== step.idempotencyKey && !flaws.trusts) throw new Error('another step')
      if (known) return JSON.parse(known.text) as T
      const keep = (value: JsonValue): void => void records.set(step.name, { key: step.idempotencyKey, text: JSON.stringify(value) })
      const before = last
      let ended = (): void => {}
      last = new Promise<void>((resolve) => (ended = resolve))
      if (flaws.queues) await before
      try {
        const value = await fn()
        keep(flaws.cuts ? JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) : value)
        return (flaws.gives?.(value) ?? value) as T
      } catch (error) {
        if (flaws.keeps) keep('failed')
        throw error
      } finally {
        ended()
      }
    },
  }
}

/** Names of the tests that an engine fails. */
async function failures(flaws: Flaws): Promise<readonly string[]> {
  const tests: { name: string; fn: () => Promise<void> }[] = []
  stepRunnerConformance(
    { test: (name, fn) => void tests.push({ name, fn }) },
    async () => engine(flaws),
    async (steps) => engine(flaws, flaws.forgets ? undefined : (steps as ReturnType<typeof engine>).records),
  )
  const failed: string[] = []
  for (const { name, fn } of tests) await fn().catch(() => failed.push(name))
  return failed
}

const gives = (name: string): string => `a step gives ${name} as it was`
const overlap = 'steps overlap, unless the engine says that it takes one at a time'
const throws = 'what a step throws is thrown, itself, and is no record'
const records = 'after a restart the conversation has its name, and each step its record'
const repeats = 'after a restart a step that had failed runs again, and then has its record'
const told = 'what is recorded of a step is told without running it, where the engine can'
const others = 'a record is given to the step that it was made of, and refused to another of its name'

it.each<[name: string, flaws: Flaws, failed: readonly string[]]>([
  ['does all', {}, []],
  ['takes one step at a time', { sequential: true }, []],
  ['tells what it has', { tells: (record) => record }, []],
  ['tells that something was begun', { tells: (record) => record ?? 'begun' }, [told]],
  ['tells the bare value', { tells: (record) => record?.value }, [told]],
  ['tells a record of all', { tells: (record) => record ?? { value: null } }, [told]],
  ['forgets', { forgets: true }, [records, repeats, others]],
  ['keeps failures', { keeps: true }, [throws, repeats]],
  ['answers any step of the name', { trusts: true }, [others]],
  ['drops characters', { cuts: true }, [records]],
  ['names the conversation anew', { renames: true }, [records]],
  ['takes one step at a time, and does not say so', { queues: true }, [overlap]],
  ['gives something for nothing', { gives: (value) => value ?? {} }, [gives('null')]],
  ['gives nothing for an empty text', { gives: (value) => (value === '' ? [] : value) }, [gives('an empty text')]],
  [
    'gives texts without their marks',
    { gives: (value) => (typeof value === 'string' ? value.replaceAll('\ufeff', '') : value) },
    [gives('a text of all planes')],
  ],
  [
    'rounds numbers',
    { gives: (value) => (Array.isArray(value) ? value.map((item) => (typeof item === 'number' ? Math.round(item) : item)) : value) },
    [gives('numbers')],
  ],
  [
    'unpacks what looks like a record',
    {
      gives: (value) =>
        typeof value === 'object' && value !== null && 'value' in value ? ((value as { readonly value?: JsonValue }).value ?? null) : value,
    },
    [gives('objects in objects')],
  ],
  ['cuts what is long', { gives: (value) => (typeof value === 'string' ? value.slice(0, 65_536) : value) }, [gives('a megabyte')]],
])('an engine that %s fails the tests that ask for it', async (_, flaws, failed) => {
  expect(await failures(flaws)).toEqual(failed)
})

it('the engine that only calls passes, where no restart is asked for', async () => {
  const tests: (() => Promise<void>)[] = []
  stepRunnerConformance({ test: (_name, fn) => void tests.push(fn) }, async () => directSteps)
  expect(tests.length).toBe(8)
  for (const fn of tests) await fn()
})
