import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { fileJournal } from '../../src/durable/file-journal.ts'
import { answer } from '../../src/interrupts/interrupt.ts'
import type { Model } from '../../src/models/model.ts'
import type { ScriptedAnswer } from '../../src/testing/scripted-model.ts'
import { eventsOf } from '../../src/testing/scripted-model.ts'
import { toolNamed } from '../support/tools.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

it('a run that asks goes on from its journal in process after process: answers are given again, and nothing is done twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lena-journal-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const asked: string[] = []
  const paid: string[] = []
  const modelOf = (id: string, answers: readonly ScriptedAnswer[]): Model => ({
    provider: 'scripted',
    id,
    async *stream({ messages }) {
      const turn = messages.filter(({ role }) => role === 'assistant').length
      asked.push(`${id} ${turn}`)
      yield* eventsOf(answers[turn]!)
    },
  })
  /** One process: the same program, which knows what people have said by now. */
  const once = async (answers: readonly boolean[]) => {
    await using steps = fileJournal({ file: join(folder, 'run.jsonl') })
    const pay = toolNamed('pay', ({ at }, { idempotencyKey }) => (paid.push(`${at} ${idempotencyKey}`), 'paid'), {
      needsApproval: true,
      isConcurrencySafe: true,
    })
    const shop = new Agent({
      name: 'shop',
      model: modelOf('shop', [{ calls: [{ name: 'pay', input: { at: 3 } }] }, { text: 'Sold.' }]),
      tools: [pay],
    })
    const calls = [...[1, 2].map((at) => ({ name: 'pay', input: { at } })), { name: 'shop', input: { input: 'buy' } }]
    const agent = new Agent({ model: modelOf('buyer', [{ calls }, { text: 'Done.' }]), tools: [pay, shop], steps })
    let result = await agent.invoke('go')
    for (const said of answers) result = await agent.invoke([answer(result.interrupts[0]!, said)])
    return {
      stopReason: result.stopReason,
      open: result.interrupts.map(({ toolUse, path }) => `${path.length} deep: ${String(toolUse!.input['at'])}`),
    }
  }
  expect(await once([])).toEqual({ stopReason: 'interrupt', open: ['0 deep: 1', '0 deep: 2', '1 deep: 3'] })
  expect(await once([true])).toEqual({ stopReason: 'interrupt', open: ['0 deep: 2', '1 deep: 3'] })
  expect(await once([true, false])).toEqual({ stopReason: 'interrupt', open: ['1 deep: 3'] })
  expect(await once([true, false, true])).toEqual({ stopReason: 'end_turn', open: [] })
  const before = { asked: [...asked], paid: [...paid] }
  expect(await once([true, false, true])).toEqual({ stopReason: 'end_turn', open: [] })
  expect({ asked, paid }).toEqual(before)
  expect(asked).toEqual(['buyer 0', 'shop 0', 'shop 1', 'buyer 1'])
  expect(paid.map((line) => line.split(' ')[0])).toEqual(['1', '3'])
})
