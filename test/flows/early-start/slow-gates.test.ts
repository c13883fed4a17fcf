import { expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { collect } from '../../../src/testing/collect.ts'
import { countingIds } from '../../../src/testing/counting-ids.ts'
import { handModel, quiet } from '../../support/hand-model.ts'
import { deferred } from '../../support/promises.ts'
import type { AtInput } from '../../support/tools.ts'
import { toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

it('a call that a hook gave the key of one behind it is not overtaken by that one while a gate thinks', async () => {
  const log: string[] = []
  const sure = deferred<boolean>()
  const model = handModel()
  const run = async ({ at }: AtInput): Promise<string> => {
    log.push(`start ${at}`)
    await quiet()
    log.push(`end ${at}`)
    return 'seen'
  }
  const peek = toolNamed('peek', run, { isReadOnly: true, isConcurrencySafe: ({ at }) => (at % 2 === 0 ? 'even' : 'odd') })
  const agent = new Agent({ model, ids: countingIds(), retry: false, tools: [peek] })
  agent.on('beforeToolCall', (event) => {
    if ((event.input as AtInput).at === 1) event.input = { at: 2 }
  })
  agent.guard({
    name: 'gate',
    judge: () => ({ decision: 'allow' }),
    allowsEarly: ({ input }) => (input['at'] === 2 ? sure.promise : true),
  })
  const collecting = collect(agent.stream('go'))
  const speech = await model.next()
  await speech.call(0, 'peek', { at: 1 })
  await speech.call(1, 'peek', { at: 4 })
  await quiet()
  sure.resolve(true)
  await quiet()
  await speech.stop('tool_use')
  await (await model.next()).stop('end_turn')
  expect((await collecting).error).toBeUndefined()
  expect(log).toEqual(['start 2', 'end 2', 'start 4', 'end 4'])
})
