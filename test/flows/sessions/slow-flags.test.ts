import { expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { check } from '../../../src/messages/check.ts'
import { memorySessions } from '../../../src/sessions/memory-sessions.ts'
import { Session } from '../../../src/sessions/session.ts'
import type { SessionStore } from '../../../src/sessions/session-store.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import type { ScriptStep } from '../../../src/testing/scripted-model.ts'
import type { ToolTraits } from '../../../src/tools/tool.ts'
import { tick } from '../../../src/util/clock.ts'
import { autoClock } from '../../support/auto-clock.ts'
import { deferred } from '../../support/promises.ts'
import { settlesWithin } from '../../support/settles.ts'
import { sketch } from '../../support/sketch.ts'
import type { AtInput } from '../../support/tools.ts'
import { toolNamed } from '../../support/tools.ts'
import { refuseUnhandled } from '../../support/unhandled.ts'

refuseUnhandled()

function agentOn(store: SessionStore, steps: readonly ScriptStep[], execute: () => unknown, traits: ToolTraits<AtInput>): Agent {
  const tools = [toolNamed('look', execute, traits)]
  return new Agent({
    model: scriptedModel(...steps),
    retry: false,
    tools,
    session: new Session({ id: 's', store }),
    clock: autoClock(),
  })
}

/** What a process has left that is no more heard of since its calls have begun. */
async function left(...ats: readonly number[]): Promise<SessionStore> {
  const store = memorySessions()
  const begun = deferred()
  let count = 0
  const hangs = (): Promise<never> => (++count === ats.length && begun.resolve(), new Promise(() => {}))
  const calls = ats.map((at) => ({ name: 'look', input: { at } }))
  // Claimed, as it does not say that it only reads.
  void agentOn(store, [{ calls }], hangs, { isConcurrencySafe: true }).invoke('go')
  await begun.promise
  return store
}

/** The flag of each call, by its input; how many are asked at the same time. */
const readsOnly = async ({ at }: AtInput): Promise<boolean> => {
  await tick()
  if (at === 3) throw new Error('no')
  return at === 1
}

it('a call that a process has begun and that only reads is run again though that is known late; of the others nobody knows', async () => {
  const store = await left(1, 2, 3)
  let runs = 0
  const agent = agentOn(store, [{ text: 'I see.' }], () => `seen ${++runs}`, { isReadOnly: readsOnly })
  await agent.invoke()
  expect([runs, check(agent.messages)]).toEqual([1, []])
  expect(sketch(agent.messages)[2]).toMatch(
    /^user: call_\S+ success "seen 1" call_\S+ error\/unknown_outcome .* call_\S+ error\/unknown_outcome /,
  )
})

it('the wait for that ends with the run: nobody knows what the call did', async () => {
  const store = await left(1)
  const asked = deferred()
  const agent = agentOn(store, [], () => 'never', { isReadOnly: () => (asked.resolve(), new Promise<never>(() => {})) })
  const running = agent.invoke()
  await asked.promise
  agent.cancel('enough')
  expect(await settlesWithin(running, 50, 'the run')).toMatchObject({ status: 'fulfilled', value: { stopReason: 'cancelled' } })
  expect(check(agent.messages)).toEqual([])
  expect(sketch(agent.messages)[2]).toMatch(/^user: call_\S+ error\/unknown_outcome /)
})

it('and with the time of its tool', async () => {
  const store = await left(1, 2)
  let runs = 0
  const agent = agentOn(store, [{ text: 'I see.' }], () => `seen ${++runs}`, {
    timeoutMs: 500,
    isReadOnly: ({ at }) => (at === 1 ? new Promise<never>(() => {}) : true),
  })
  const settled = await settlesWithin(agent.invoke(), 100, 'the run')
  expect([settled, runs]).toMatchObject([{ status: 'fulfilled', value: { text: 'I see.' } }, 1])
  expect(sketch(agent.messages)[2]).toMatch(/^user: call_\S+ error\/unknown_outcome .* call_\S+ success "seen 1"$/)
})
