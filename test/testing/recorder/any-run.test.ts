// Whatever a run does: its replay is the same, whole events and history.
import { NetworkError } from 'lena-agent'
import type { ScriptStep } from 'lena-agent/testing'
import { collect, scriptedModel } from 'lena-agent/testing'
import { expect, it } from 'vitest'
import { fc } from '../../support/fast-check.ts'
import { toolNamed } from '../../support/tools.ts'
import { agentOn, twice } from './support/twice.ts'

type Call = {
  readonly tool: string
  readonly turns: number
  readonly progress: number
  readonly ends: 'returns' | 'throws' | 'asks' | 'ends_turn'
}

const call: fc.Arbitrary<Call> = fc.record({
  tool: fc.constantFrom('read', 'write'),
  turns: fc.nat(6),
  progress: fc.nat(2),
  ends: fc.constantFrom('returns', 'returns', 'returns', 'throws', 'asks', 'ends_turn'),
})
const turn = fc.record({ text: fc.boolean(), calls: fc.array(call, { maxLength: 4 }), breaks: fc.option(fc.nat(6)) })
const program = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
  cancelAt: fc.option(fc.nat(60), { freq: 2 }),
  early: fc.boolean(),
})
type Program = typeof program extends fc.Arbitrary<infer P> ? P : never

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

function scriptOf({ turns }: Program): readonly ScriptStep[] {
  const calls: Call[] = []
  return turns.flatMap((turn): ScriptStep[] => {
    const from = calls.length
    calls.push(...turn.calls)
    const said = {
      ...(turn.text && { text: 'Let me see. ' }),
      calls: turn.calls.map(({ tool }, i) => ({ name: tool, input: { at: from + i } })),
    }
    return turn.breaks === null ? [said] : [{ ...said, error: new NetworkError('reset'), after: turn.breaks }, said]
  })
}

it('a replay is the run that was recorded', async () => {
  await fc.assert(
    fc.asyncProperty(program, async (given) => {
      const calls = given.turns.flatMap((turn) => turn.calls)
      const model = scriptedModel(...scriptOf(given), { text: 'Done.' })
      const act = async ({ at }: { readonly at: number }, context: Parameters<Parameters<typeof toolNamed>[1]>[1]): Promise<unknown> => {
        const { turns: wait, progress, ends: said } = calls[at]!
        // What a tool does in passing behind a cancel is in no order with what gives its call up.
        const ends = given.cancelAt === null || said === 'throws' ? said : 'returns'
        for (let i = 0; i < progress; i++) await context.progress({ at, i })
        await turns(wait)
        if (ends === 'throws') throw new RangeError(`no ${at}`)
        if (ends === 'ends_turn') context.endTurn()
        context.state[`at_${at}`] = wait
        return ends === 'asks' ? context.interrupt({ name: 'sure', reason: { at } }) : `did ${at}`
      }
      const tools = [
        toolNamed('read', act, given.early ? { isReadOnly: true, isConcurrencySafe: true } : { isConcurrencySafe: true }),
        toolNamed('write', act),
      ]
      const { recorded, replayed } = await twice(async (tape) => {
        const agent = agentOn(tape, { model, tools }, { retry: { baseMs: 0 } })
        const controller = new AbortController()
        let seen = 0
        const onEvent = (): void => void (seen++ === given.cancelAt && controller.abort(new Error('enough')))
        const { events, error } = await collect(agent.stream('go', { signal: controller.signal, onEvent }))
        // A call that was given up may still write its state; the replay has that when the call ends, and the run may be over.
        return [events, error, agent.messages, given.cancelAt === null && agent.state]
      })
      expect(replayed).toBe(recorded)
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 30) },
  )
}, 120_000)
