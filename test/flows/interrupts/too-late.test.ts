import { describe, expect, it } from 'vitest'
import type { InterruptRequest } from '../../../src/interrupts/interrupt.ts'
import type { AgentError } from '../../../src/errors.ts'
import { collect } from '../../../src/testing/collect.ts'
import { deferred } from '../../support/promises.ts'
import { holdsInvariant } from '../../support/invariant.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { sketch } from '../../support/sketch.ts'
import { toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

type Ask = (request: InterruptRequest) => unknown

/** A run in which `ask` is held back until the tool `wait` runs, and then used. Gives what it threw. */
async function askLate(place: 'tool' | 'gate' | 'middleware' | 'beforeToolCall' | 'beforeTools' | 'beforeModelCall') {
  let ask: Ask | undefined
  let said: AgentError | undefined
  const ended = deferred()
  const { agent, model } = makeAgent(
    [
      {
        calls: [
          { name: 'first', input: { at: 1 } },
          { name: 'wait', input: { at: 2 } },
        ],
      },
      { text: 'Done.' },
      { text: 'The next answer.' },
    ],
    {
      tools: [
        toolNamed('first', (_, { interrupt }) => (place === 'tool' && (ask = interrupt), 'first'), { isConcurrencySafe: true }),
        toolNamed(
          'wait',
          async () => {
            await ended.promise
            try {
              ask!({ name: 'late' })
            } catch (error) {
              said = error as AgentError
            }
            return 'waited'
          },
          { isConcurrencySafe: true },
        ),
      ],
    },
  )
  const isFirst = (name: string): boolean => name === 'first'
  if (place === 'beforeModelCall' || place === 'beforeTools') agent.on(place, ({ interrupt }) => void (ask ??= interrupt))
  if (place === 'beforeToolCall') agent.on(place, ({ toolUse, interrupt }) => void (isFirst(toolUse.name) && (ask = interrupt)))
  if (place === 'gate')
    agent.guard({
      name: 'gate',
      judge: ({ tool, interrupt }) => (isFirst(tool.name) && (ask = interrupt), { decision: 'allow' }),
    })
  if (place === 'middleware')
    agent.use('tool', async function* (call, next) {
      if (!isFirst(call.tool.name)) return yield* next(call)
      ask = call.context.interrupt
      return { status: 'success', content: [{ type: 'text', text: 'first' }] }
    })
  const { result, events } = await collect(
    agent.stream('go', { onEvent: (event) => void (event.type === 'tool_end' && event.name === 'first' && ended.resolve()) }),
  )
  return { agent, model, events, stopReason: result?.stopReason, said: said && { code: said.code, message: said.message } }
}

describe('a question that is asked when there is nothing to wait for any more', () => {
  it.each([
    ['tool', 'the call has ended.'],
    ['middleware', 'the call has ended.'],
    ['gate', 'the call has been judged.'],
    ['beforeToolCall', 'the hooks beforeToolCall have run.'],
    ['beforeTools', 'the hooks beforeTools have run.'],
    ['beforeModelCall', 'the hooks beforeModelCall have run.'],
  ] as const)('by what a %s kept: it is refused there, and the run goes on', async (place, why) => {
    const { agent, model, events, stopReason, said } = await askLate(place)
    expect(said).toEqual({ code: 'too_late_to_ask', message: `"late" cannot be asked any more: ${why}` })
    expect(stopReason).toBe('end_turn')
    expect(sketch(agent.messages)[2]).toBe('user: call_1 success "first" call_2 success "waited"')
    await holdsInvariant(agent, { requests: model.requests, expected: 2, events })
  })
})
