import { describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import type { AgentOptions } from '../../../src/agent/agent-options.ts'
import { IncompleteStreamError } from '../../../src/errors.ts'
import { check } from '../../../src/messages/check.ts'
import { checkEvents } from '../../../src/testing/check-events.ts'
import { collect } from '../../../src/testing/collect.ts'
import { countingIds } from '../../../src/testing/counting-ids.ts'
import { autoClock } from '../../support/auto-clock.ts'
import { handModel, quiet } from '../../support/hand-model.ts'
import type { Deferred } from '../../support/promises.ts'
import { deferred } from '../../support/promises.ts'
import { settlesWithin } from '../../support/settles.ts'
import { sketch } from '../../support/sketch.ts'
import type { AtInput } from '../../support/tools.ts'
import { look, toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

/** `ask` is told whether it is safe when the test says so, once; `look` knows at once. Calls end at once. */
async function begin(options: Partial<AgentOptions> = {}) {
  const log: string[] = []
  const asked = new Map<number, Deferred<boolean>>()
  const isSafe = ({ at }: AtInput): Promise<boolean> => {
    const known = asked.get(at) ?? deferred()
    asked.set(at, known)
    return known.promise
  }
  const noting = ({ at }: AtInput): string => (log.push(`start ${at}`), `did ${at}`)
  const model = handModel()
  const agent = new Agent({
    model,
    ids: countingIds(),
    retry: false,
    tools: [toolNamed('ask', noting, { isReadOnly: isSafe, isConcurrencySafe: isSafe }), look(noting)],
    ...options,
  })
  const collecting = collect(agent.stream('go'))
  const speech = await model.next()
  const tell = async (at: number, answer: boolean): Promise<void> => {
    asked.get(at)!.resolve(answer)
    await quiet()
    await quiet()
  }
  const finish = async () => {
    await speech.stop('tool_use')
    for (const { resolve } of asked.values()) resolve(true)
    await (await model.next()).stop('end_turn')
    const { events, error } = await collecting
    expect([error, checkEvents(events), check(agent.messages)]).toEqual([undefined, [], []])
    return {
      history: sketch(agent.messages),
      early: events.flatMap((event) => (event.type === 'tool_start' && event.early ? [event.callId] : [])),
    }
  }
  return { agent, model, speech, log, asked, tell, finish, collecting }
}

describe('while the model still speaks, a call whose flags are promises', () => {
  it('begins as soon as they are there', async () => {
    const { speech, log, tell, finish } = await begin()
    await speech.call(0, 'ask', { at: 1 })
    expect(log).toEqual([])
    await tell(1, true)
    expect(log).toEqual(['start 1'])
    expect((await finish()).early).toEqual(['call_1'])
  })

  it('does not keep the model from going on, and begins beside those that were told of later', async () => {
    const { speech, log, tell, finish } = await begin()
    await speech.call(0, 'ask', { at: 1 })
    await speech.call(1, 'look', { at: 2 })
    await speech.call(2, 'ask', { at: 3 })
    await speech.call(3, 'look', { at: 4 })
    expect(log).toEqual([])
    await tell(1, true)
    expect(log).toEqual(['start 1', 'start 2'])
    await tell(3, true)
    expect(log).toEqual(['start 1', 'start 2', 'start 3', 'start 4'])
    const { early, history } = await finish()
    expect(early).toEqual(['call_1', 'call_2', 'call_3', 'call_4'])
    expect(history[2]).toBe('user: call_1 success "did 1" call_2 success "did 2" call_3 success "did 3" call_4 success "did 4"')
  })

  it('is not overtaken when they say that it must run alone', async () => {
    const { speech, log, tell, finish } = await begin()
    await speech.call(0, 'look', { at: 1 })
    await speech.call(1, 'ask', { at: 2 })
    await speech.call(2, 'look', { at: 3 })
    await tell(2, false)
    expect(log).toEqual(['start 1'])
    expect((await finish()).early).toEqual(['call_1'])
    expect(log).toEqual(['start 1', 'start 2', 'start 3'])
  })

  it('holds nobody up who stands in front of it', async () => {
    const { speech, log, finish } = await begin()
    await speech.call(0, 'look', { at: 1 })
    await speech.call(1, 'ask', { at: 2 })
    await speech.say({ type: 'block_delta', index: 9, delta: { type: 'text', text: 'and' } })
    expect(log).toEqual(['start 1'])
    await finish()
    expect(log).toEqual(['start 1', 'start 2'])
  })

  it('begins when the message is there, if they come only then', async () => {
    const { speech, log, tell, model, collecting } = await begin()
    await speech.call(0, 'ask', { at: 1 })
    await speech.call(1, 'look', { at: 2 })
    await speech.stop('tool_use')
    expect(log).toEqual([])
    await tell(1, true)
    expect(log).toEqual(['start 1', 'start 2'])
    await (await model.next()).stop('end_turn')
    expect((await collecting).events.flatMap((event) => (event.type === 'tool_start' ? [event.early] : []))).toEqual([false, false])
  })
})

describe('while its flags are pending', () => {
  it('a message that is cut runs nothing, and flags that come later start nothing', async () => {
    const { speech, log, tell, collecting, agent } = await begin()
    await speech.call(0, 'ask', { at: 1 })
    await speech.stop('max_tokens')
    const settled = await settlesWithin(collecting, 50, 'the run')
    expect(settled).toMatchObject({ status: 'fulfilled', value: { error: { code: 'max_tokens' } } })
    await tell(1, true)
    expect([log, check(agent.messages)]).toEqual([[], []])
  })

  it('a stream that breaks is tried again, and the call of the first attempt never begins', async () => {
    const { speech, model, log, asked, tell, collecting } = await begin({ retry: { baseMs: 0 }, clock: autoClock() })
    await speech.call(0, 'ask', { at: 1 })
    await speech.break(new IncompleteStreamError('cut'))
    const again = await model.next()
    await again.call(0, 'look', { at: 2 })
    await tell(1, true)
    expect([log, [...asked.keys()]]).toEqual([['start 2'], [1]])
    await again.stop('tool_use')
    await (await model.next()).stop('end_turn')
    expect(checkEvents((await collecting).events)).toEqual([])
    expect(log).toEqual(['start 2'])
  })

  it('a cancel ends the run, and flags that come later start nothing', async () => {
    const { speech, log, tell, collecting, agent } = await begin()
    await speech.call(0, 'ask', { at: 1 })
    agent.cancel('enough')
    const settled = await settlesWithin(collecting, 50, 'the run')
    expect(settled).toMatchObject({ status: 'fulfilled', value: { result: { stopReason: 'cancelled' } } })
    await tell(1, true)
    expect([log, check(agent.messages)]).toEqual([[], []])
  })

  it('a call that is replaced does not get them: another one has its place', async () => {
    const { speech, log, tell, collecting, model, agent } = await begin()
    await speech.call(0, 'ask', { at: 1 })
    await speech.call(1, 'look', { at: 2 })
    // What seemed to be complete goes on.
    await speech.say({ type: 'block_delta', index: 0, delta: { type: 'tool_input', text: ',{"at":2}' } })
    await speech.stop('tool_use')
    await tell(1, true)
    await (await model.next()).stop('end_turn')
    const { events } = await collecting
    expect([log, checkEvents(events)]).toEqual([['start 2'], []])
    expect(sketch(agent.messages)[2]).toMatch(/^user: call_1 error\/invalid_input .* call_2 success "did 2"$/)
  })
})
