import { describe, expect, it } from 'vitest'
import { check } from '../../src/messages/check.ts'
import type { AgentInput } from '../../src/messages/from-input.ts'
import { makeAgent } from '../support/make-agent.ts'
import { sketch } from '../support/sketch.ts'
import { write } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

const call = (at: number) => ({ calls: [{ name: 'write', input: { at } }] })
const failing = write(({ at }) => {
  if (at > 0) throw new Error('no')
})
const told = 'This was the 3rd time in a row'

describe('a model that repeats a call that fails', () => {
  it('is told once, after three, and the run ends after five', async () => {
    const { agent, model } = makeAgent(
      Array.from({ length: 6 }, () => call(1)),
      { tools: [failing] },
    )
    await expect(agent.invoke('go')).rejects.toMatchObject({ name: 'RepeatedFailureError', toolName: 'write' })
    expect(model.requests.length).toBe(5)
    expect(sketch(agent.messages).flatMap((line, index) => (line.includes(told) ? [index] : []))).toEqual([6])
    expect(check(agent.messages)).toEqual([])
  })

  it('is told so, too, when it writes the keys of the input in another order', async () => {
    const inputs = [
      { at: 1, why: { a: 1, b: 2 } },
      { why: { b: 2, a: 1 }, at: 1 },
    ]
    const { agent } = makeAgent(
      Array.from({ length: 6 }, (_, turn) => ({ calls: [{ name: 'write', input: inputs[turn % 2]! }] })),
      { tools: [failing] },
    )
    await expect(agent.invoke('go')).rejects.toMatchObject({ name: 'RepeatedFailureError', toolName: 'write' })
    expect(agent.messages.length).toBe(11)
  })

  it.each([
    ['another input between', [1, 1, 2, 1, 1, 2]],
    ['a success between', [1, 1, 0, 1, 1, 0]],
  ])('%s begins the count anew', async (_name, inputs) => {
    const { agent, model } = makeAgent([...inputs.map(call), { text: 'Done.' }], { tools: [failing] })
    expect((await agent.invoke('go')).stopReason).toBe('end_turn')
    expect(JSON.stringify(agent.messages)).not.toContain(told)
    model.assertComplete()
  })

  it('is counted over checkpoints and fresh agents', async () => {
    let input: AgentInput = 'go'
    let ended: unknown
    let requests = 0
    for (let parts = 0; parts < 20 && ended === undefined; parts++) {
      const { agent, model } = makeAgent([call(1)], { tools: [failing] })
      try {
        const { checkpoint } = await agent.invoke(input, { checkpointing: true })
        input = JSON.parse(JSON.stringify(checkpoint)) as AgentInput
      } catch (error) {
        ended = error
      }
      requests += model.requests.length
    }
    expect(ended).toMatchObject({ name: 'RepeatedFailureError' })
    expect(requests).toBe(5)
  })
})
