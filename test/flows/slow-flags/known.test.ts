import { describe, expect, it } from 'vitest'
import type { ToolFlags } from '../../../src/tools/flags.ts'
import { answer } from '../../../src/interrupts/interrupt.ts'
import { quiet } from '../../support/hand-model.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { deferred } from '../../support/promises.ts'
import { settlesWithin } from '../../support/settles.ts'
import { sketch } from '../../support/sketch.ts'
import type { AtInput } from '../../support/tools.ts'
import { toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const later = async <T>(given: T): Promise<T> => {
  await quiet()
  return given
}
const slow = {
  isReadOnly: ({ at }: AtInput) => later(at < 10),
  isDestructive: () => later(true),
  isConcurrencySafe: ({ at }: AtInput) => later(`key ${at}`),
  needsApproval: () => later(false),
}

describe('flags that are promises', () => {
  it('are known when a gate judges, of the input that a hook has put there', async () => {
    const seen: ToolFlags[] = []
    const { agent } = makeAgent([{ calls: [1, 2].map((at) => ({ name: 'look', input: { at } })) }, { text: 'Done.' }], {
      tools: [toolNamed('look', () => 'seen', slow)],
    })
    agent.on('beforeToolCall', (event) => {
      if ((event.input as AtInput).at === 2) event.input = { at: 12 }
    })
    agent.guard({ name: 'gate', judge: ({ flags }) => (seen.push(flags), { decision: 'allow' }) })
    await agent.invoke('go')
    expect(seen).toEqual([
      { readOnly: true, destructive: true, safe: 'key 1', approval: false },
      { readOnly: false, destructive: true, safe: 'key 12', approval: false },
    ])
  })

  it('are known when a program calls the tool', async () => {
    const seen: ToolFlags[] = []
    const { agent } = makeAgent([], { tools: [toolNamed('look', ({ at }) => `seen ${at}`, slow)] })
    agent.guard({ name: 'gate', judge: ({ flags }) => (seen.push(flags), { decision: 'allow' }) })
    expect(await agent.callTool('look', { at: 7 })).toMatchObject({ status: 'success', content: [{ type: 'text', text: 'seen 7' }] })
    expect(seen).toEqual([{ readOnly: true, destructive: true, safe: 'key 7', approval: false }])
  })

  it('are waited for where it is to be known what may begin beside a call that still waits for its answer', async () => {
    const ran: number[] = []
    const ask = toolNamed('ask', ({ at }) => (ran.push(at), `did ${at}`), {
      isReadOnly: () => later(true),
      isConcurrencySafe: ({ at }) => later(at < 10),
      needsApproval: () => later(true),
    })
    const { agent } = makeAgent([{ calls: [1, 2, 13, 4].map((at) => ({ name: 'ask', input: { at } })) }, { text: 'Done.' }], {
      tools: [ask],
    })
    const asked = await agent.invoke('go')
    expect(asked.interrupts).toHaveLength(4)
    const [first, second, third, fourth] = asked.interrupts
    // Safe beside the first, which waits; and the last must not overtake the third, which is to run alone.
    const still = await agent.invoke([answer(second!, true), answer(fourth!, true)])
    expect([still.stopReason, ran]).toEqual(['interrupt', [2]])
    expect((await agent.invoke([answer(first!, true), answer(third!, true)])).stopReason).toBe('end_turn')
    expect([ran, sketch(agent.messages)[2]]).toEqual([
      [2, 1, 13, 4],
      'user: call_1 success "did 1" call_2 success "did 2" call_3 success "did 13" call_4 success "did 4"',
    ])
  })

  it('that do not come there hold up what stands behind until the run is cancelled', async () => {
    const ran: number[] = []
    const hangs = deferred()
    let goesOn = true
    const ask = toolNamed('ask', ({ at }) => (ran.push(at), `did ${at}`), {
      isConcurrencySafe: async () => (goesOn ? true : (hangs.resolve(), await new Promise<never>(() => {}))),
      needsApproval: true,
    })
    const { agent } = makeAgent([{ calls: [1, 2, 3].map((at) => ({ name: 'ask', input: { at } })) }], { tools: [ask] })
    const { interrupts } = await agent.invoke('go')
    goesOn = false
    const running = agent.invoke([answer(interrupts[2]!, true)])
    await hangs.promise
    agent.cancel('enough')
    const settled = await settlesWithin(running, 50, 'the run')
    expect([settled, ran]).toMatchObject([{ status: 'fulfilled', value: { stopReason: 'cancelled' } }, []])
  })
})
