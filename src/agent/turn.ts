import { AgentError, MaxTokensError } from '../errors.ts'
import type { AssistantBlock, ToolUseBlock } from '../messages/content.ts'
import { toolUsesOf } from '../messages/message.ts'
import type { AssistantMessage } from '../messages/message.ts'
import type { ModelStopReason, StopReason } from '../messages/stop-reason.ts'
import { freezeOwn } from '../util/json.ts'
import { callModel } from './call-model.ts'
import { reachedLimit } from './limits.ts'
import type { Run } from './run.ts'
import { runTools } from './run-tools.ts'
import { assistantText, replaceLastMessage, storeMessage } from './store-message.ts'

/** A model that keeps pausing would never end. */
const maxPauses = 20

/** Turn after turn, flat, until one of them ends the run. */
export async function runTurns(run: Run): Promise<StopReason> {
  for (;;) {
    if (run.cancelled) return 'cancelled'
    const loading = run.core.refreshTools(run.signal)
    if (loading) await loading
    run.tools = run.output ? run.output.toolsFor(run.core.tools.current) : run.core.tools.current
    if (run.cancelled) return 'cancelled'
    // A turn that was begun is brought to its end: limits are looked at between turns.
    const limit = run.goesOn ? undefined : (reachedLimit(run.limits, run.turnsSoFar, run.usageSoFar) ?? run.options.budget?.reached)
    if (limit) return limit
    const end = await runTurn(run)
    if (end) return end
  }
}

/** One model call, unless the history already holds one to be answered, and the tool calls that follow from it. */
async function runTurn(run: Run): Promise<StopReason | undefined> {
  run.turn++
  run.metrics.turns++
  // What goes on with a turn is no other turn, and its results count.
  const { goesOn } = run
  run.goesOn = false
  if (!goesOn) run.options.budget?.countTurn()
  if (!goesOn) run.results.clear()
  run.turnSpan = run.span.child('turn', run.turn, run.now())
  const wait = run.emit?.({ type: 'turn_start', ...run.base })
  if (wait) await wait
  try {
    const open = toolUsesOf(run.core.transcript.last)
    return open.length > 0 ? await answerCalls(run, open) : await askModel(run)
  } finally {
    await run.dropBatch(toolUsesOf(run.core.transcript.last))
    run.turnSpan.end(run.now())
    await run.emit?.({ type: 'turn_end', ...run.base })
  }
}

async function askModel(run: Run): Promise<StopReason | undefined> {
  const reply = await callModel(run)
  if (reply.kind === 'cancelled') return 'cancelled'
  if (reply.kind === 'interrupt') {
    for (const interrupt of run.questions.raised) await run.emit?.({ type: 'interrupt', ...run.base, interrupt })
    return 'interrupt'
  }
  run.questions.clear()
  run.answered = true
  if (reply.kind === 'hook') {
    await storeMessage(run, reply.message)
    return 'end_turn'
  }
  if (reply.redactedInput !== undefined) await redactInput(run, reply.redactedInput)
  const message = runnable(reply.message, reply.stopReason)
  if (reply.stopReason !== 'tool_use') await run.dropBatch()
  const stored = await storeMessage(run, message)
  const { usage } = message.metadata ?? {}
  // One that counts only what it said has not counted the history.
  if (usage && usage.totalTokens > usage.outputTokens)
    run.core.transcript.counted = { tokens: usage.totalTokens, length: run.core.transcript.length }
  switch (reply.stopReason) {
    case 'tool_use':
      // A cancel goes first: who has left takes no checkpoint.
      if (run.options.checkpointing && !run.cancelled) return stopAt(run, 'after_model')
      return answerCalls(run, toolUsesOf(stored))
    case 'max_tokens':
      throw new MaxTokensError(
        'The model reached its output limit and its message was cut. What came whole is in the history; call invoke() again to go on, or raise settings.maxTokens.',
        { partialMessage: stored as AssistantMessage },
      )
    case 'pause_turn':
      if (++run.pauses > maxPauses)
        throw new AgentError(`The model paused its turn ${run.pauses} times without an end.`, { code: 'pause_limit' })
      return undefined
    case 'end_turn':
    case 'stop_sequence':
      if (!run.output) return reply.stopReason
      return (await run.output.afterMessage(run, stored as AssistantMessage)) === 'answered' ? 'end_turn' : undefined
    default:
      return reply.stopReason
  }
}

async function answerCalls(run: Run, calls: readonly ToolUseBlock[]): Promise<StopReason | undefined> {
  const outcome = await runTools(run, calls)
  if (outcome === 'interrupt') return 'interrupt'
  if (run.cancelled) return 'cancelled'
  if ((await run.output?.afterTools(run, calls)) === 'answered') return 'end_turn'
  if (!run.endTurn) return run.options.checkpointing ? stopAt(run, 'after_tools') : undefined
  const { text } = run.endTurn
  await storeMessage(run, assistantText(run, [{ type: 'text', text: text?.trim() ? text : 'The turn was ended after the tools.' }], 'hook'))
  return 'end_turn'
}

function stopAt(run: Run, position: 'after_model' | 'after_tools'): StopReason {
  run.position = position
  return 'checkpoint'
}

/**
 * The message without calls that must not run: only `tool_use` lets calls run. In every other message they are cut or not
 * meant, and are replaced by a text that says so, because a call without a result is no legal history.
 */
function runnable(message: AssistantMessage, stopReason: ModelStopReason): AssistantMessage {
  if (stopReason === 'tool_use' || toolUsesOf(message).length === 0) return message
  const content = message.content.map((block): AssistantBlock =>
    block.type === 'tool_use' ? { type: 'text', text: cutCallNote(block.name, stopReason) } : block,
  )
  return freezeOwn({ ...message, content })
}

function cutCallNote(name: string, stopReason: ModelStopReason): string {
  if (stopReason === 'max_tokens' || stopReason === 'context_window_exceeded')
    return `[A call of the tool ${name || '(unnamed)'} began here. Its input was cut by the token limit, so it was not run.]`
  return `[A call of the tool ${name || '(unnamed)'} stood here. It was not run, because the message ended with ${stopReason}.]`
}

/** A guardrail replaced what the user said: it must not be sent again. Results keep their place, their content goes. */
async function redactInput(run: Run, replacement: string): Promise<void> {
  const { last } = run.core.transcript
  if (last?.role !== 'user') return
  const text = { type: 'text', text: replacement } as const
  const results = last.content.flatMap((block) => (block.type === 'tool_result' ? [{ ...block, content: [text] }] : []))
  await replaceLastMessage(run, freezeOwn({ ...last, content: results.length > 0 ? results : [text] }))
}
