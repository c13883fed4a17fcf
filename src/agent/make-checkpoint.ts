import type { Checkpoint } from '../checkpoints/checkpoint.ts'
import { checkpointVersion } from '../checkpoints/checkpoint.ts'
import { AgentError } from '../errors.ts'
import { toolUsesOf } from '../messages/message.ts'
import { addUsage } from '../messages/usage.ts'
import type { JsonObject } from '../util/json.ts'
import { frozenCopy } from '../util/json.ts'
import type { Run } from './run.ts'

/**
 * Where the run stands, as data.
 *
 * @throws {AgentError} when the agent's state cannot be saved.
 */
export function makeCheckpoint(run: Run, position: Checkpoint['position']): Checkpoint {
  const { core, carried } = run
  const { transcript } = core
  const results = toolUsesOf(transcript.last).flatMap(({ id }) => run.results.get(id) ?? [])
  return Object.freeze({
    type: 'checkpoint',
    version: checkpointVersion,
    id: core.ids.next('checkpoint'),
    position,
    messages: transcript.messages,
    state: stateOf(core.state),
    interrupts: Object.freeze([...run.questions.open]),
    results: Object.freeze(results),
    answers: Object.freeze(run.questions.answers),
    children: Object.freeze(run.questions.children),
    ...(run.endTurn && { endTurn: Object.freeze(run.endTurn.text === undefined ? {} : { text: run.endTurn.text }) }),
    counters: Object.freeze({
      turns: run.turnsSoFar,
      usage: addUsage(carried.usage, run.usage),
      elapsedMs: carried.elapsedMs + (run.now() - run.startedAt),
    }),
    conversationId: core.conversationId,
  })
}

function stateOf(state: object): JsonObject {
  try {
    return frozenCopy(state as JsonObject, 'agent.state')
  } catch (error) {
    throw new AgentError(`The state of the agent cannot be saved. ${error instanceof Error ? error.message : String(error)}`, {
      code: 'state_not_json',
      cause: error,
    })
  }
}
