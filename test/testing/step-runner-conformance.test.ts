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
}

/** An engine in memory, with flaws. */
function engine(
  flaws: Flaws,
  records = new Map<string, { readonly key: string; readonly text: string }>(),
): StepRunner & { records: typeof records } {
  return {
    records,
    concurrency: flaws.sequential ? 'none' : 'start_order',
    conversationId: flaws.renames ? `conv_${records.size}` : 'conv_1',
    async run<T extends JsonValue>(step: Step, fn: () => Promise<T>): Promise<T> {
      const known = records.get(step.name)
      if (known && known.key !== step.idempotencyKey && !flaws.trusts) throw new Error('another step')
      if (known) return JSON.parse(known.text) as T
      const keep = (value: JsonValue): void => void records.set(step.name, { key: step.idempotencyKey, text: JSON.stringify(value) })
      try {
        const value = await fn()
        keep(flaws.cuts ? JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) : value)
        return value
      } catch (error) {
        if (flaws.keeps) keep('failed')
        throw error
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

const throws = 'what a step throws is thrown, itself, and is no record'
const records = 'after a restart the conversation has its name, and each step its record'
const repeats = 'after a restart a step that had failed runs again, and then has its record'
const others = 'a record is given to the step that it was made of, and refused to another of its name'

it.each<[name: string, flaws: Flaws, failed: readonly string[]]>([
  ['does all', {}, []],
  ['takes one step at a time', { sequential: true }, []],
  ['forgets', { forgets: true }, [records, repeats, others]],
  ['keeps failures', { keeps: true }, [throws, repeats]],
  ['answers any step of the name', { trusts: true }, [others]],
  ['drops characters', { cuts: true }, [records]],
  ['names the conversation anew', { renames: true }, [records]],
])('an engine that %s fails the tests that ask for it', async (_, flaws, failed) => {
  expect(await failures(flaws)).toEqual(failed)
})

it('the engine that only calls passes, where no restart is asked for', async () => {
  const tests: (() => Promise<void>)[] = []
  stepRunnerConformance({ test: (_name, fn) => void tests.push(fn) }, async () => directSteps)
  expect(tests.length).toBe(8)
  for (const fn of tests) await fn()
})
