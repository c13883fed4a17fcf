import { expect } from 'vitest'
import type { Agent } from '../../src/agent/agent.ts'
import type { AgentEvent } from '../../src/agent/events.ts'
import type { AgentStream } from '../../src/agent/stream.ts'
import { check } from '../../src/messages/check.ts'
import type { Message } from '../../src/messages/message.ts'
import type { ModelRequest } from '../../src/models/model.ts'
import { checkEvents } from '../../src/testing/check-events.ts'
import { settlesWithin } from './settles.ts'

/** What the agent is asked last of all. */
export const nextPrompt = 'the next prompt'

export type InvariantOptions = {
  /** The requests that the model of the agent was sent. It must have an answer, a text, for the one that comes. */
  readonly requests: readonly ModelRequest[]
  /** How many there must be by now. */
  readonly expected?: number | undefined
  readonly events?: readonly AgentEvent[] | undefined
  readonly stream?: AgentStream | undefined
}

/**
 * What must hold after every run, however it ended: the history is legal, the events keep the grammar, the promises of the
 * stream have settled, the model was not asked more than it should be; and the agent answers the next prompt, with a request
 * that any provider takes.
 */
export async function holdsInvariant(agent: Agent<any>, { requests, expected, events, stream }: InvariantOptions): Promise<void> {
  expect(check(agent.messages)).toEqual([])
  if (events) expect(checkEvents(events)).toEqual([])
  expect(agent.isRunning).toBe(false)
  if (stream) await settlesWithin(stream.result, 3, 'stream.result')
  if (expected !== undefined) expect(requests.length).toBe(expected)
  expect(agent.messages.every(isFrozen)).toBe(true)

  const before = requests.length
  const next = await settlesWithin(agent.invoke(nextPrompt), 50, nextPrompt)
  if (next.status === 'rejected') throw next.reason
  expect(next.value.stopReason).toBe('end_turn')
  expect(requests.length).toBe(before + 1)
  expect(breachesOf(requests.at(-1)!)).toEqual([])
  expect(JSON.stringify(requests.at(-1)!.messages.at(-1)!.content.at(-1))).toBe(JSON.stringify({ type: 'text', text: nextPrompt }))
  expect(check(agent.messages)).toEqual([])
}

/** What is illegal in a request for some provider. */
export const breachesOf = (request: ModelRequest): readonly string[] =>
  check(request.messages as readonly Message[]).map(({ message }) => message)

function isFrozen(value: unknown): boolean {
  return typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen))
}
