import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { check } from '../../../src/messages/check.ts'
import type { ResultStore, StoredResult } from '../../../src/results/result-store.ts'
import { checkEvents } from '../../../src/testing/check-events.ts'
import { collect } from '../../../src/testing/collect.ts'
import { countingIds } from '../../../src/testing/counting-ids.ts'
import { handModel } from '../../support/hand-model.ts'
import { look } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'
import { typesOf } from '../../support/sketch.ts'

refuseUnhandled()

/** A store that notes what it is given, and answers when it was told how. */
function noting(put: (result: StoredResult) => Promise<{ readonly path: string }> = async () => ({ path: 'stored' })) {
  const stored: string[] = []
  const store: ResultStore = {
    put: (result) => {
      stored.push(result.callId)
      return put(result)
    },
    read: async () => ({ text: '', offset: 0, chars: 0 }),
    remove: async () => {},
    owns: async () => false,
  }
  return { stored, store }
}

async function begin(results: ResultStore) {
  const model = handModel()
  const agent = new Agent({ model, ids: countingIds(), retry: false, results, tools: [look(() => 'x'.repeat(31_000))] })
  const collecting = collect(agent.stream('go'))
  const speech = await model.next()
  await speech.call(0, 'look', { at: 1 })
  return { agent, model, speech, collecting }
}

describe('a result that is too long, of a call that began early,', () => {
  it('goes to the store when its message is stored, and its end is told with the reference', async () => {
    const { store, stored } = noting()
    const { agent, model, speech, collecting } = await begin(store)
    expect(stored).toEqual([])
    await speech.stop('tool_use')
    await (await model.next()).stop('end_turn')
    const { events } = await collecting
    expect(stored).toEqual(['call_1'])
    expect([checkEvents(events), check(agent.messages)]).toEqual([[], []])
    expect(typesOf(events)).toContain('result_persisted')
    const [end] = events.flatMap((event) => (event.type === 'tool_end' ? [event.result] : []))
    expect(JSON.stringify(end)).toContain('<persisted-output')
    expect(agent.messages[2]!.content).toEqual([end])
  })

  it('is not kept when the call is dropped, and nobody waits for a store that hangs', async () => {
    const { store, stored } = noting(() => new Promise(() => {}))
    const { speech, collecting } = await begin(store)
    await speech.stop('max_tokens')
    const { events, error } = await collecting
    expect(error).toMatchObject({ name: 'MaxTokensError' })
    expect(stored).toEqual([])
    expect(events.flatMap((event) => (event.type === 'tool_end' ? [event.discarded] : []))).toEqual([true])
    expect(typesOf(events)).not.toContain('result_persisted')
  })
})
