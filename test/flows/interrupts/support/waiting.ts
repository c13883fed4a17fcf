import { expect } from 'vitest'
import type { Agent } from '../../../../src/agent/agent.ts'
import type { AgentResult } from '../../../../src/agent/result.ts'
import type { Checkpoint } from '../../../../src/checkpoints/checkpoint.ts'
import { readCheckpoint } from '../../../../src/checkpoints/read-checkpoint.ts'
import { check } from '../../../../src/messages/check.ts'
import { checkEvents } from '../../../../src/testing/check-events.ts'
import type { Collected } from '../../../../src/testing/collect.ts'
import { collect } from '../../../../src/testing/collect.ts'
import type { AgentInput } from '../../../../src/messages/from-input.ts'
import type { InvokeOptions } from '../../../../src/agent/invoke-options.ts'

/** As it would come out of a file. */
export const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** Runs to the next stop, and holds it against all that every stop must keep. */
export async function runTo(
  stopReason: AgentResult['stopReason'],
  agent: Agent<any>,
  input?: AgentInput,
  options?: InvokeOptions,
): Promise<AgentResult> {
  const collected = await collect(agent.stream(input, options))
  if (collected.error) throw collected.error
  holdsStop(agent, collected)
  expect(collected.result!.stopReason).toBe(stopReason)
  return collected.result!
}

/** The history is legal but for calls that wait, events keep the grammar, and the state survives JSON. */
export function holdsStop(agent: Agent<any>, { events, result }: Collected): void {
  const waits = result?.stopReason === 'interrupt' || result?.stopReason === 'checkpoint'
  expect(check(agent.messages, { openCalls: waits ? 'allow' : 'refuse' })).toEqual([])
  expect(checkEvents(events)).toEqual([])
  expect(agent.isRunning).toBe(false)
  if (!result) return
  expect(result.interrupts.length > 0).toBe(result.stopReason === 'interrupt')
  expect(result.checkpoint !== undefined).toBe(waits)
  if (result.checkpoint) holdsCheckpoint(agent, result.checkpoint, result)
}

function holdsCheckpoint(agent: Agent<any>, checkpoint: Checkpoint, result: AgentResult): void {
  expect(readCheckpoint(throughJson(checkpoint))).toEqual(checkpoint)
  expect(checkpoint.messages).toEqual(agent.messages)
  expect(checkpoint.interrupts).toEqual(result.interrupts)
  expect((checkpoint.position === 'interrupt') === (result.stopReason === 'interrupt')).toBe(true)
}

/** The ids of what is asked. */
export const idsOf = (result: AgentResult): readonly string[] => result.interrupts.map(({ id }) => id)
