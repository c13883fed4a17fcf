import type { ToolResultBlock } from '../messages/content.ts'
import type { CallEnvironment, PreparedCall } from '../tools/call-environment.ts'
import { closingResult } from '../messages/repair.ts'
import { readable } from '../tools/readable.ts'
import { freezeOwn, frozenCopy } from '../util/json.ts'
import type { JsonValue } from '../util/json.ts'
import { loggedAs, shortenResult } from './result-budget.ts'
import type { Run } from './run.ts'
import type { Span } from './trace.ts'
import type { AgentEvent } from './events.ts'
import type { SubAgents } from '../tools/sub-agents.ts'

/** What the calls of one message get of their run: where they look things up, and where they tell what happens. */
export function toolEnvironment(run: Run, signal: AbortSignal): CallEnvironment {
  const { core } = run
  const spans = new Map<string, Span>()
  const ended = ({ toolUse }: PreparedCall, result: ToolResultBlock, code: string | undefined): void => {
    spans.get(toolUse.id)?.end(run.now(), code ?? (result.status === 'error' ? (result.code ?? 'tool_error') : undefined))
  }
  return {
    agent: core.handle,
    tools: run.tools,
    hooks: core.hooks,
    middleware: core.middleware,
    // As they are when a call is judged: in a fork they are put together anew each time.
    gates: () => core.gates,
    steps: run.options.steps ?? core.steps,
    clock: core.clock,
    signal,
    bound: { signal, graceMs: run.bound.graceMs, clock: run.bound.clock },
    conversationId: core.conversationId,
    keptWith: core.keptWith ?? core.conversationId,
    questions: run.questions,
    subAgents: subAgentsOf(run),
    early: false,
    direct: false,
    isDiscarded: () => false,
    hookBase: () => run.hookBase(),
    state: core.state as Record<string, JsonValue>,
    invocationState: run.invocationState,
    onStart: ({ toolUse, input }, early) => {
      const span = run.turnSpan?.child('tool', toolUse.name, run.now())
      if (span) spans.set(toolUse.id, span)
      return run.emit?.({ type: 'tool_start', ...run.base, callId: toolUse.id, name: toolUse.name, input, early })
    },
    onProgress: ({ toolUse }, value) =>
      run.emit?.({ type: 'tool_progress', ...run.base, callId: toolUse.id, name: toolUse.name, value: progressOf(value) }),
    onEnd: (call, result, durationMs) => {
      const { id: callId, name } = call.toolUse
      run.metrics.tool(name, result.status === 'error', durationMs)
      ended(call, result, undefined)
      return run.emit?.({ type: 'tool_end', ...run.base, callId, name, result, durationMs, discarded: false })
    },
    onInterrupted: (call, durationMs) => {
      const { id: callId, name } = call.toolUse
      const result = closingResult(callId, 'not_answered', 'The call waits for an answer.')
      // What an attempt before this one came to is not what the call comes to.
      run.results.delete(callId)
      core.executed.delete(`${core.conversationId}:${callId}`)
      ended(call, result, 'interrupt')
      return run.emit?.({ type: 'tool_end', ...run.base, callId, name, result, durationMs, discarded: true })
    },
    onDiscarded: (call, result, durationMs) => {
      const { id: callId, name } = call.toolUse
      ended(call, result, 'discarded')
      return run.emit?.({ type: 'tool_end', ...run.base, callId, name, result, durationMs, discarded: true })
    },
    record: (result, begun) => {
      run.results.set(result.toolUseId, result)
      if (run.isResumed && begun) keepExecuted(core.executed, `${core.conversationId}:${result.toolUseId}`, result)
      if (begun) core.log?.recorded(`${core.conversationId}:${result.toolUseId}`, loggedAs(run, result))
    },
    claim: core.log && ((key) => core.log!.claim(key, signal)),
    shorten: ({ tool }, result) => shortenResult(run, result, tool),
    onLate: ({ toolUse }, { status }) =>
      void run.warn(
        'late_tool_outcome',
        `The call ${toolUse.id} of ${toolUse.name} ended (${status}) after it was given up; its outcome is not used.`,
      ),
    endTurn: (_, text) => void (run.endTurn ??= { text }),
    onEngineFailure: (error) => run.failByEngine(error),
  }
}

/** How many results are kept for the case that a state is resumed once more. Old ones go first. */
const maxExecuted = 1000

function keepExecuted(executed: Map<string, ToolResultBlock>, key: string, result: ToolResultBlock): void {
  executed.delete(key)
  executed.set(key, result)
  if (executed.size > maxExecuted) executed.delete(executed.keys().next().value!)
}

function subAgentsOf(run: Run): SubAgents {
  const { questions, options } = run
  return {
    takeChild: (callId) => questions.takeChild(callId),
    keepChild: (callId, checkpoint) => questions.keepChild(callId, checkpoint),
    emit: run.emit && ((callId, event) => run.emit?.(inPath(run, callId, event))),
    budget: options.budget,
    gates: () => run.core.gates,
    depth: options.depth ?? 0,
  }
}

/** One event with the whole path, however deep it comes from. */
function inPath(run: Run, callId: string, event: AgentEvent): AgentEvent {
  const inner = event.type === 'agent_event' ? event : { path: [], event }
  return { type: 'agent_event', ...run.base, path: [callId, ...inner.path], event: inner.event }
}

/** What a tool tells of its progress, as data that it cannot change any more. */
function progressOf(value: JsonValue): JsonValue {
  try {
    return frozenCopy(value) ?? null
  } catch {
    return freezeOwn(readable(value))
  }
}
