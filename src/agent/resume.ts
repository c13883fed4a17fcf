import type { Checkpoint } from '../checkpoints/checkpoint.ts'
import { toolUsesOf } from '../messages/message.ts'
import { repair } from '../messages/repair.ts'
import type { AgentCore } from './core.ts'
import { checkResponses } from './questions.ts'
import type { ReadInput } from './read-input.ts'
import type { Run } from './run.ts'

/**
 * Takes over where a run stopped: its history, what has ended of its calls, what was asked and answered, and what it used.
 * Nothing to do for new input, nor where nothing stopped.
 */
export function resumeFrom(run: Run, input: ReadInput): void {
  const { core } = run
  if (input.kind === 'messages' && input.messages.length > 0) return
  if (input.kind === 'responses') checkResponses(core.pending, input.responses)
  const checkpoint = input.kind === 'resume' ? input.checkpoint : core.pending
  if (!checkpoint) return
  if (input.kind === 'resume') restore(core, checkpoint)
  core.pending = undefined
  run.questions.load(checkpoint, input.kind === 'messages' ? [] : input.responses)
  for (const result of checkpoint.results) run.results.set(result.toolUseId, result)
  // The same state may be resumed twice; what was run then is not run again.
  for (const { id } of toolUsesOf(core.transcript.last)) {
    const result = core.executed.get(`${core.conversationId}:${id}`)
    if (result) run.results.set(id, result)
  }
  if (checkpoint.endTurn) run.endTurn = { text: checkpoint.endTurn.text }
  run.goesOn = checkpoint.position !== 'after_tools'
  if (run.goesOn) run.countedBefore++
  // A hook that resumes its own run carries nothing: it is all counted here.
  if (run.metrics.turns === 0) run.carried = checkpoint.counters
  run.isResumed = true
}

/** Something else comes in the place of what was resumed: its questions are nobody's, and what comes is a turn of its own. */
export function leaveResumed(run: Run): void {
  if (run.isResumed && run.goesOn) run.countedBefore--
  run.goesOn = false
  run.endTurn = undefined
  run.questions.clear()
}

function restore(core: AgentCore, checkpoint: Checkpoint): void {
  const messages = repair(checkpoint.messages, { openCalls: 'keep', ids: core.ids })
  core.transcript.reset(messages)
  core.usedIds.reset(messages)
  core.conversationId = checkpoint.conversationId
  const { state } = core
  for (const key of Object.keys(state)) delete (state as Record<string, unknown>)[key]
  // Assigned to, `__proto__` would change what the object is.
  for (const [key, value] of Object.entries(structuredClone(checkpoint.state)))
    if (key !== '__proto__') (state as Record<string, unknown>)[key] = value
}
