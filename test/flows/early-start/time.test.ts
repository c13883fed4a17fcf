import { expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { Model } from '../../../src/models/model.ts'
import { fakeClock } from '../../../src/testing/fake-clock.ts'
import { eventsOf } from '../../../src/testing/scripted-model.ts'
import { look } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const never = new AbortController().signal

/** How long a run takes whose message has eight calls, one every 100 ms, the first of which needs 700 ms and the others 10. */
async function timeOf(isReadOnly: boolean): Promise<number> {
  const clock = fakeClock()
  const model: Model = {
    provider: 'slow',
    id: 'slow',
    async *stream({ messages }) {
      if (messages.length > 1) return yield* eventsOf({ text: 'Done.' })
      for (const event of eventsOf({ calls: Array.from({ length: 8 }, (_, at) => ({ name: 'look', input: { at } })) })) {
        if (event.type === 'block_stop') await clock.sleep(100, never)
        yield event
      }
    },
  }
  const slow = look(async ({ at }) => {
    await clock.sleep(at === 0 ? 700 : 10, never)
    return 'seen'
  })
  // Not said to read, and for the rest the same.
  const tool = isReadOnly ? slow : Object.defineProperty(Object.create(slow), 'isReadOnly', { value: false })
  const agent = new Agent({ model, clock, tools: [tool] })
  let isOver = false
  const run = agent.invoke('go').finally(() => (isOver = true))
  while (!isOver) await clock.advance(10)
  expect((await run).stopReason).toBe('end_turn')
  return clock.now()
}

it('a slow read at first and fast ones behind take as long as the longer of the message and the read, not as both', async () => {
  // The message takes 800 ms, the read 700 from the first 100 on; and one step of the clock.
  expect(await timeOf(true)).toBeLessThanOrEqual(830)
  expect(await timeOf(false)).toBeGreaterThanOrEqual(1500)
})
