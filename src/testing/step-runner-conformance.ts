import { checkSuite } from './check-suite.ts'
import { AgentError } from '../errors.ts'
import type { Step, StepRunner } from '../tools/steps.ts'
import type { JsonValue } from '../util/json.ts'
import type { TestRunner } from './result-store-conformance.ts'
import { valueWithin } from './within.ts'

const { signal } = new AbortController()
const look: Step = { name: 'tool:call_1', kind: 'tool', idempotencyKey: 'conv_1:call_1' }
const ask: Step = { name: 'model:1', kind: 'model', idempotencyKey: 'conv_1:model:1' }

const values: readonly (readonly [name: string, value: JsonValue])[] = [
  ['null', null],
  ['an empty text', ''],
  ['a text of all planes', 'a😀\u0000\u2028\ufeff\n'],
  ['numbers', [0, 1.5, -1e-7, 1e21, Number.MAX_SAFE_INTEGER]],
  ['objects in objects', { a: { b: [{ c: [] }, {}] }, value: { type: 'ended' } }],
  ['a megabyte', 'zwölf 🥨 Boxkämpfer\n'.repeat(50_000)],
]

/**
 * The tests that an engine for steps must pass. Each one makes an engine of its own, without records.
 *
 * @param restart gives an engine with the records of another, as after a restart of the process; without it nothing is asked
 *   of a replay.
 * @example stepRunnerConformance({ test }, async () => myEngine())
 */
export function stepRunnerConformance(
  runner: TestRunner,
  make: () => Promise<StepRunner>,
  restart?: (steps: StepRunner) => Promise<StepRunner>,
): void {
  checkSuite('stepRunnerConformance', runner, make)
  const { test } = runner
  for (const [name, value] of values)
    test(`a step gives ${name} as it was`, async () => {
      const steps = await make()
      expectSame(await steps.run(look, async () => value, { signal }), value)
    })

  test('what a step throws is thrown, itself, and is no record', async () => {
    const steps = await make()
    for (const error of [new Error('busy'), new AgentError('Wait.', { code: 'interrupt' })]) {
      const thrown = await steps
        .run(look, () => Promise.reject(error), { signal })
        .then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
      if (thrown !== error) throw new Error(`expected ${String(error)} itself, got ${String(thrown)}`)
    }
    expectSame(await steps.run(look, async () => 'later', { signal }), 'later')
  })

  test('steps overlap, unless the engine says that it takes one at a time', async () => {
    const steps = await make()
    if (steps.concurrency === 'none') return
    let meet: () => void
    const met = new Promise<void>((resolve) => (meet = resolve))
    const first = steps.run(look, async () => (await met, 'first'), { signal })
    const second = steps.run(ask, async () => (meet(), 'second'), { signal })
    expectSame(await valueWithin(Promise.all([first, second]), 'the end of two steps of which one waits for the other'), [
      'first',
      'second',
    ])
  })

  if (!restart) return

  test('after a restart the conversation has its name, and each step its record', async () => {
    const steps = await make()
    for (const [name, value] of values) await steps.run({ ...look, name }, async () => value, { signal })
    const again = await restart(steps)
    expectSame(again.conversationId ?? null, steps.conversationId ?? null)
    for (const [name, value] of values) expectSame(await again.run({ ...look, name }, notAgain, { signal }), value)
  })

  test('after a restart a step that had failed runs again, and then has its record', async () => {
    const steps = await make()
    await steps.run(look, () => Promise.reject(new Error('busy')), { signal }).catch(() => {})
    const again = await restart(steps)
    expectSame(await again.run(look, async () => 'done', { signal }), 'done')
    expectSame(await (await restart(again)).run(look, notAgain, { signal }), 'done')
  })

  test('a record is given to the step that it was made of, and refused to another of its name', async () => {
    const steps = await make()
    await steps.run(look, async () => 'seen', { signal })
    const again = await restart(steps)
    const refused = await again
      .run({ ...look, idempotencyKey: 'conv_2:call_1' }, async () => 'new', { signal })
      .then(
        () => false,
        () => true,
      )
    if (!refused) throw new Error('a step with another idempotencyKey was answered, expected an error')
  })

  test('what is recorded of a step is told without running it, where the engine can', async () => {
    const steps = await make()
    if (!steps.recorded) return
    await steps.run(look, async () => ({ seen: [1] }), { signal })
    await steps.run(ask, () => Promise.reject(new Error('busy')), { signal }).catch(() => {})
    const again = await restart(steps)
    const told = async (step: Step): Promise<JsonValue> => (await again.recorded!(step, { signal })) ?? null
    expectSame(await told(look), { value: { seen: [1] } })
    expectSame(await told({ ...look, name: 'tool:call_2' }), null)
    const failed = await told(ask)
    if (failed !== null && failed !== 'begun')
      throw new Error(`expected nothing or "begun" of a step that had failed, got ${JSON.stringify(failed)}`)
    expectSame(await again.run(ask, async () => 'asked', { signal }), 'asked')
  })
}

const notAgain = (): Promise<never> => Promise.reject(new Error('a recorded step ran again'))

function expectSame(got: JsonValue, wanted: JsonValue): void {
  const [is, should] = [JSON.stringify(got) as string | undefined, JSON.stringify(wanted)]
  if (is !== should) throw new Error(`expected ${should.slice(0, 200)}, got ${(is ?? 'nothing').slice(0, 200)}`)
}
