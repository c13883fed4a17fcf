import { describe, expect, it } from 'vitest'
import { check } from '../../../src/messages/check.ts'
import type { ToolTraits } from '../../../src/tools/tool.ts'
import { autoClock } from '../../support/auto-clock.ts'
import { quiet } from '../../support/hand-model.ts'
import { makeAgent } from '../../support/make-agent.ts'
import { settlesWithin } from '../../support/settles.ts'
import { sketch } from '../../support/sketch.ts'
import type { AtInput } from '../../support/tools.ts'
import { look, toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

const never = (): Promise<never> => new Promise(() => {})

/** `look` and `lost`, of which one flag never answers; the names of the calls say in which order. */
function made(names: string, flag: keyof ToolTraits<AtInput>, rest: ToolTraits<AtInput> = {}) {
  const log: number[] = []
  const run = ({ at }: AtInput): string => (log.push(at), `did ${at}`)
  const calls = names.split(' ').map((name, index) => ({ name, input: { at: index + 1 } }))
  const { agent } = makeAgent([{ calls }, { text: 'Done.' }], {
    tools: [look(run), toolNamed('lost', run, { isReadOnly: true, isConcurrencySafe: true, [flag]: never, ...rest })],
    clock: autoClock(),
  })
  return { agent, log }
}

const flags = ['isReadOnly', 'isDestructive', 'isConcurrencySafe', 'needsApproval'] as const
const tooSlow = 'The judgement of the call of lost took longer than 500 ms and was given up. Nothing was run.'

describe.each(flags)('a call whose %s never answers', (flag) => {
  it('is given up with the time of its tool, the model reads why, and the others run', async () => {
    const { agent, log } = made('look lost look', flag, { timeoutMs: 500 })
    const settled = await settlesWithin(agent.invoke('go'), 100, 'the run')
    expect(settled).toMatchObject({ status: 'fulfilled', value: { stopReason: 'end_turn' } })
    expect([log, sketch(agent.messages)[2]]).toEqual([
      [1, 3],
      `user: call_1 success "did 1" call_2 error/timeout ${JSON.stringify(tooSlow)} call_3 success "did 3"`,
    ])
  })

  it('ends with a cancel, and was not run; what stood in front of it was, what must not overtake it was not', async () => {
    const { agent, log } = made('look look lost look', flag)
    const running = agent.invoke('go')
    for (let i = 0; i < 10; i++) await quiet()
    expect(log).toEqual([1, 2])
    agent.cancel('enough')
    const settled = await settlesWithin(running, 50, 'the run')
    expect(settled).toMatchObject({ status: 'fulfilled', value: { stopReason: 'cancelled' } })
    expect([log, check(agent.messages), sketch(agent.messages)[2]]).toEqual([
      [1, 2],
      [],
      [
        'user: call_1 success "did 1" call_2 success "did 2"',
        'call_3 error/cancelled "The call was cancelled."',
        'call_4 error/cancelled "The call was not run: the run ended before it."',
      ].join(' '),
    ])
  })

  it('of a program’s own call is given up in the same ways', async () => {
    const { agent } = made('look', flag)
    const controller = new AbortController()
    const calling = agent.callTool('lost', { at: 1 }, { signal: controller.signal })
    await quiet()
    controller.abort(new Error('enough'))
    expect((await settlesWithin(calling, 50, 'the call')).status).toBe('fulfilled')
    expect(await calling).toMatchObject({ status: 'error', code: 'cancelled' })
    const { agent: other } = made('look', flag, { timeoutMs: 500 })
    expect(await other.callTool('lost', { at: 1 })).toEqual({
      status: 'error',
      code: 'timeout',
      content: [{ type: 'text', text: tooSlow }],
    })
  })
})
