import { expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { countingIds } from '../../../src/testing/counting-ids.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import { tick } from '../../../src/util/clock.ts'
import { look, toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

it('a read that had to wait for its message is a read all the same: a keyed write behind it waits for its end', async () => {
  const log: string[] = []
  const noting = (name: string) => async (): Promise<string> => {
    log.push(`start ${name}`)
    for (let turn = 0; turn < 5; turn++) await tick()
    log.push(`end ${name}`)
    return name
  }
  const calls = ['look', 'edit'].map((name) => ({ name, input: { at: 1 } }))
  const agent = new Agent({
    model: scriptedModel({ calls }, { text: 'Done.' }),
    ids: countingIds(),
    tools: [look(noting('look')), toolNamed('edit', noting('edit'), { isConcurrencySafe: () => 'a.txt' })],
  })
  // It does not say that it is sure, so nothing begins early.
  agent.guard({ name: 'gate', judge: () => ({ decision: 'allow' }) })
  await agent.invoke('go')
  expect(log).toEqual(['start look', 'end look', 'start edit', 'end edit'])
})
