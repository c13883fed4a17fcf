import { describe, expect, it } from 'vitest'
import { checkEvents } from '../../../src/testing/check-events.ts'
import type { AgentEvent } from '../../../src/agent/events.ts'
import { deferred } from '../../support/promises.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const many = 20_000
const others = 19

describe('progress, as users of other SDKs met it', () => {
  it('V46: beside 19 tools that run, one tells 20,000 things: none waits in memory for a reader who is behind', async () => {
    const talked = deferred()
    let told = 0
    let heard = 0
    let farthest = 0
    const { agent } = makeAgent(
      [{ calls: Array.from({ length: others + 1 }, (_, at) => ({ name: at === 7 ? 'talk' : 'wait', input: { at } })) }, { text: 'Done.' }],
      {
        maxConcurrency: others + 1,
        tools: [
          toolNamed(
            'talk',
            async function* () {
              for (; told < many; farthest = Math.max(farthest, told - heard)) yield ++told
              talked.resolve()
              return 'said'
            },
            { isConcurrencySafe: true },
          ),
          toolNamed('wait', () => talked.promise.then(() => 'waited'), { isConcurrencySafe: true }),
        ],
      },
    )
    const rest: AgentEvent[] = []
    const stream = agent.stream('go')
    for await (const event of stream) {
      if (event.type !== 'tool_progress') rest.push(event)
      else heard = event.value as number
    }
    expect([told, heard]).toEqual([many, many])
    // What the tool has said and the reader has not heard yet: no more than a stream holds, however much there is to say.
    expect(farthest).toBeLessThanOrEqual(64)
    expect(checkEvents(rest)).toEqual([])
    expect(rest.filter(({ type }) => type === 'tool_end').length).toBe(others + 1)
    // None of it stays in the result: a trace is a span for each call.
    expect(JSON.stringify((await stream.result).trace).length).toBeLessThan(10_000)
  })
})
